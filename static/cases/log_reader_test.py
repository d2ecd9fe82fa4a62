import unittest

from log_reader import LogReader

LOG = [
    "08:15:02 WARN disk: almost full\n",
    "08:15:03 INFO web.login: call from 10.0.0.7\n",
    "something else\n",
    "08:15:04 DEBUG web: cache (hit)\n",
    "08:15:09 ERROR disk: full\n",
]


class LogReaderTestIsLevel(unittest.TestCase):
    def setUp(self):
        self.log = LogReader([])

    def test_levels(self):
        for word in ("DEBUG", "INFO", "WARN", "ERROR"):
            self.assertTrue(self.log.is_level(word))

    def test_small_letters_and_blanks(self):
        self.assertTrue(self.log.is_level(" error "))

    def test_other_words(self):
        self.assertFalse(self.log.is_level("FATAL"))
        self.assertFalse(self.log.is_level(""))

    def test_longer_words(self):
        self.assertFalse(self.log.is_level("INFORMATION"))
        self.assertFalse(self.log.is_level("WARNING"))

    def test_level_inside_a_word(self):
        self.assertFalse(self.log.is_level("NOERROR"))


class LogReaderTestParse(unittest.TestCase):
    def setUp(self):
        self.log = LogReader([])

    def test_all_fields(self):
        expected = {"time": "08:15:02", "level": "WARN", "part": "disk", "message": "full"}
        self.assertEqual(self.log.parse("08:15:02 WARN disk: full "), expected)

    def test_colon_in_message(self):
        self.assertEqual(self.log.parse("08:15:02 INFO web: a: b")["message"], "a: b")

    def test_unknown_level(self):
        self.assertIsNone(self.log.parse("08:15:02 WARNING disk: full"))

    def test_not_from_the_start(self):
        self.assertIsNone(self.log.parse("> 08:15:02 WARN disk: full"))

    def test_second_line_inside(self):
        self.assertIsNone(self.log.parse("08:15:02 WARN disk: full\nand more"))

    def test_no_line(self):
        self.assertIsNone(self.log.parse(""))
        self.assertIsNone(self.log.parse("08:15 WARN disk: full"))


class LogReaderTestCountLevels(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(LogReader([]).count_levels(), {})

    def test_sample(self):
        expected = {"WARN": 1, "INFO": 1, "DEBUG": 1, "ERROR": 1}
        self.assertEqual(LogReader(LOG).count_levels(), expected)

    def test_twice(self):
        self.assertEqual(LogReader([LOG[0], LOG[0]]).count_levels(), {"WARN": 2})

    def test_unreadable(self):
        self.assertEqual(LogReader(["x", "08:15:02 NOTE a: b"]).count_levels(), {})


class LogReaderTestMessages(unittest.TestCase):
    def setUp(self):
        self.log = LogReader(LOG)

    def test_default(self):
        self.assertEqual(self.log.messages(), ["almost full", "call from 10.0.0.7", "full"])

    def test_only_errors(self):
        self.assertEqual(self.log.messages("ERROR"), ["full"])

    def test_all(self):
        self.assertEqual(len(self.log.messages("DEBUG")), 4)

    def test_warnings(self):
        self.assertEqual(self.log.messages("WARN"), ["almost full", "full"])

    def test_unknown_level(self):
        with self.assertRaises(ValueError):
            self.log.messages("FATAL")


class LogReaderTestGrep(unittest.TestCase):
    def setUp(self):
        self.log = LogReader(LOG)

    def test_in_the_middle(self):
        self.assertEqual(self.log.grep("disk"), [1, 5])

    def test_capitals(self):
        self.assertEqual(self.log.grep("FULL"), [1, 5])

    def test_characters_stand_for_themselves(self):
        self.assertEqual(self.log.grep("(hit)"), [4])
        self.assertEqual(self.log.grep("10.0.0.7"), [2])
        self.assertEqual(self.log.grep("w.b"), [])

    def test_unreadable_lines_count_too(self):
        self.assertEqual(self.log.grep("else"), [3])

    def test_none(self):
        self.assertEqual(self.log.grep("printer"), [])


class LogReaderTestMask(unittest.TestCase):
    def test_address(self):
        self.assertEqual(LogReader(LOG).mask(2), "08:15:03 INFO web.login: call from x.x.x.x")

    def test_no_address(self):
        self.assertEqual(LogReader(LOG).mask(3), "something else")

    def test_several(self):
        self.assertEqual(LogReader(["1.2.3.4 to 255.0.0.1"]).mask(1), "x.x.x.x to x.x.x.x")

    def test_no_such_line(self):
        self.assertEqual(LogReader(LOG).mask(0), "")
        self.assertEqual(LogReader(LOG).mask(6), "")

    def test_number_of_grep(self):
        log = LogReader(LOG)
        self.assertIn("x.x.x.x", log.mask(log.grep("10.0.0.7")[0]))


class LogReaderTestParts(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(LogReader([]).parts(), [])

    def test_sample(self):
        self.assertEqual(LogReader(LOG).parts(), ["disk", "web"])

    def test_unreadable(self):
        self.assertEqual(LogReader(["web: hello"]).parts(), [])

    def test_first_piece(self):
        self.assertEqual(LogReader(["08:15:03 INFO a.b.c: x"]).parts(), ["a"])
