import unittest

from link_builder import LinkBuilder


class LinkBuilderTestEncodeField(unittest.TestCase):
    def setUp(self):
        self.builder = LinkBuilder("https://shop.test")

    def test_plain_word_stays(self):
        self.assertEqual(self.builder.encode_field("tea"), "tea")

    def test_space(self):
        self.assertEqual(self.builder.encode_field("green tea"), "green%20tea")

    def test_plus_and_ampersand(self):
        self.assertEqual(self.builder.encode_field("a+b&c"), "a%2Bb%26c")

    def test_slash_is_encoded(self):
        self.assertEqual(self.builder.encode_field("24/7"), "24%2F7")

    def test_safe_characters_stay(self):
        self.assertEqual(self.builder.encode_field("24/7", "/"), "24/7")

    def test_number_and_none(self):
        self.assertEqual(self.builder.encode_field(12), "12")
        self.assertEqual(self.builder.encode_field(None), "")

    def test_round_trip(self):
        text = "1 + 1 = 2 / 100%?"
        self.assertEqual(self.builder.decode_field(self.builder.encode_field(text)), text)


class LinkBuilderTestDecodeField(unittest.TestCase):
    def setUp(self):
        self.builder = LinkBuilder("https://shop.test")

    def test_plain_word_stays(self):
        self.assertEqual(self.builder.decode_field("tea"), "tea")

    def test_space(self):
        self.assertEqual(self.builder.decode_field("green%20tea"), "green tea")

    def test_plus_is_a_plus(self):
        self.assertEqual(self.builder.decode_field("a+b"), "a+b")

    def test_two_byte_letter(self):
        self.assertEqual(self.builder.decode_field("caf%C3%A9"), "caf\u00e9")

    def test_broken_letter_raises(self):
        with self.assertRaises(UnicodeDecodeError):
            self.builder.decode_field("caf%C3")


class LinkBuilderTestQuery(unittest.TestCase):
    def setUp(self):
        self.builder = LinkBuilder("https://shop.test")

    def test_empty(self):
        self.assertEqual(self.builder.query({}), "")

    def test_order_is_kept(self):
        self.assertEqual(self.builder.query({"z": 1, "a": 2}), "z=1&a=2")

    def test_list_repeats_the_name(self):
        self.assertEqual(self.builder.query({"tag": ["new", "sale"]}), "tag=new&tag=sale")

    def test_none_is_left_out(self):
        self.assertEqual(self.builder.query({"a": None, "b": ""}), "b=")

    def test_names_and_values_are_encoded(self):
        self.assertEqual(self.builder.query({"a b": "c=d"}), "a%20b=c%3Dd")

    def test_zero_is_kept(self):
        self.assertEqual(self.builder.query({"page": 0}), "page=0")


class LinkBuilderTestParseQuery(unittest.TestCase):
    def setUp(self):
        self.builder = LinkBuilder("https://shop.test")

    def test_empty(self):
        self.assertEqual(self.builder.parse_query(""), {})
        self.assertEqual(self.builder.parse_query("?"), {})

    def test_repeated_names(self):
        self.assertEqual(self.builder.parse_query("a=1&b=2&a=3"), {"a": ["1", "3"], "b": ["2"]})

    def test_name_without_value(self):
        self.assertEqual(self.builder.parse_query("debug&x="), {"debug": [""], "x": [""]})

    def test_decodes(self):
        self.assertEqual(self.builder.parse_query("a%20b=c%3Dd"), {"a b": ["c=d"]})

    def test_second_equals_sign_belongs_to_the_value(self):
        self.assertEqual(self.builder.parse_query("a=b=c"), {"a": ["b=c"]})

    def test_empty_parts_are_skipped(self):
        self.assertEqual(self.builder.parse_query("&a=1&&"), {"a": ["1"]})


class LinkBuilderTestLink(unittest.TestCase):
    def test_slash_of_the_base_is_dropped(self):
        self.assertEqual(LinkBuilder("https://a.test/").link(["x"]), "https://a.test/x")

    def test_no_segments(self):
        self.assertEqual(LinkBuilder("https://a.test").link([]), "https://a.test")

    def test_segment_with_slash(self):
        link = LinkBuilder("https://a.test").link(["24/7", "x"])
        self.assertEqual(link, "https://a.test/24%2F7/x")

    def test_params(self):
        link = LinkBuilder("https://a.test").link(["x"], {"q": "green tea"})
        self.assertEqual(link, "https://a.test/x?q=green%20tea")

    def test_only_empty_params(self):
        self.assertEqual(LinkBuilder("https://a.test").link(["x"], {"q": None}), "https://a.test/x")


class LinkBuilderTestSplitLink(unittest.TestCase):
    def setUp(self):
        self.builder = LinkBuilder("https://shop.test")

    def test_base_alone(self):
        self.assertEqual(self.builder.split_link("https://shop.test"), ([], {}))

    def test_segments(self):
        self.assertEqual(self.builder.split_link("https://shop.test/a/b%20c/"), (["a", "b c"], {}))

    def test_query_right_after_base(self):
        self.assertEqual(self.builder.split_link("https://shop.test?a=1"), ([], {"a": ["1"]}))

    def test_foreign_link(self):
        self.assertIsNone(self.builder.split_link("https://shop.tested/a"))
        self.assertIsNone(self.builder.split_link("https://other.test/a"))

    def test_encoded_slash_stays_in_its_segment(self):
        found = self.builder.split_link("https://shop.test/24%2F7/x")
        self.assertEqual(found, (["24/7", "x"], {}))


class LinkBuilderTest(unittest.TestCase):
    def test_there_and_back(self):
        builder = LinkBuilder("https://shop.test")
        segments = ["tea & coffee", "24/7"]
        link = builder.link(segments, {"q": "a+b c", "tag": ["x", "y"]})
        self.assertEqual(builder.split_link(link), (segments, {"q": ["a+b c"], "tag": ["x", "y"]}))
