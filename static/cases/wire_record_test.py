import unittest

from wire_record import WireRecord


class WireRecordTestEscape(unittest.TestCase):
    def test_plain_text(self):
        self.assertEqual(WireRecord().escape("speed 12"), "speed 12")

    def test_special_characters(self):
        self.assertEqual(WireRecord().escape("a=b;c"), "a%3Db%3Bc")

    def test_escape_character_itself(self):
        self.assertEqual(WireRecord().escape("%3B"), "%253B")

    def test_empty(self):
        self.assertEqual(WireRecord().escape(""), "")


class WireRecordTestUnescape(unittest.TestCase):
    def test_plain_text(self):
        self.assertEqual(WireRecord().unescape("speed"), "speed")

    def test_marks(self):
        self.assertEqual(WireRecord().unescape("a%3Db%3Bc%25"), "a=b;c%")

    def test_result_is_not_read_again(self):
        self.assertEqual(WireRecord().unescape("%253B"), "%3B")

    def test_cut_off(self):
        for text in ("%", "x%2"):
            with self.assertRaises(ValueError):
                WireRecord().unescape(text)

    def test_mark_at_the_end(self):
        self.assertEqual(WireRecord().unescape("100%25"), "100%")


class WireRecordTestEncode(unittest.TestCase):
    def test_one_field(self):
        self.assertEqual(WireRecord().encode({"id": "7"}), "id=7;")

    def test_two_fields(self):
        self.assertEqual(WireRecord().encode({"b": "2", "a": "1"}), "b=2;a=1;")

    def test_no_fields(self):
        self.assertEqual(WireRecord().encode({}), "")

    def test_special_characters(self):
        self.assertEqual(WireRecord().encode({"k;": "1=1"}), "k%3B=1%3D1;")

    def test_empty_value(self):
        self.assertEqual(WireRecord().encode({"note": ""}), "note=;")

    def test_longest_line(self):
        wire = WireRecord(max_length=6)
        self.assertEqual(wire.encode({"a": "123"}), "a=123;")
        with self.assertRaises(ValueError):
            wire.encode({"a": "1234"})


class WireRecordTestDecode(unittest.TestCase):
    def test_fields(self):
        self.assertEqual(WireRecord().decode("a=1;b=2;"), {"a": "1", "b": "2"})

    def test_empty_line(self):
        self.assertEqual(WireRecord().decode(""), {})

    def test_cut_off_line(self):
        with self.assertRaises(ValueError):
            WireRecord().decode("a=1;b=2")

    def test_field_without_value(self):
        with self.assertRaises(ValueError):
            WireRecord().decode("a=1;b;")

    def test_marks_and_second_link(self):
        self.assertEqual(WireRecord().decode("k%3B=1=1;"), {"k;": "1=1"})

    def test_later_field_counts(self):
        self.assertEqual(WireRecord().decode("a=1;a=2;"), {"a": "2"})


class WireRecordTestSplitStream(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(WireRecord().split_stream(""), ([], ""))

    def test_whole_fields_only(self):
        self.assertEqual(WireRecord().split_stream("a=1;b=2;"), (["a=1;", "b=2;"], ""))

    def test_rest_waits(self):
        self.assertEqual(WireRecord().split_stream("a=1;b="), (["a=1;"], "b="))

    def test_no_whole_field(self):
        self.assertEqual(WireRecord().split_stream("a=1"), ([], "a=1"))

    def test_empty_field(self):
        self.assertEqual(WireRecord().split_stream(";;x"), ([";", ";"], "x"))


class WireRecordTest(unittest.TestCase):
    def test_there_and_back(self):
        wire = WireRecord()
        fields = {"name": "50% off; today", "formula": "a=b", "": "no name"}
        self.assertEqual(wire.decode(wire.encode(fields)), fields)

    def test_two_records_in_a_row(self):
        wire = WireRecord()
        stream = wire.encode({"a": "1", "b": "2"}) + wire.encode({"c": "3"})
        complete, rest = wire.split_stream(stream)
        self.assertEqual(complete, ["a=1;", "b=2;", "c=3;"])
        self.assertEqual(rest, "")


if __name__ == "__main__":
    unittest.main()
