import unittest

from frame_codec import FrameCodec


class FrameCodecTestPack(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(FrameCodec().pack("milk"), b"4:milk")

    def test_empty(self):
        self.assertEqual(FrameCodec().pack(""), b"0:")

    def test_accent(self):
        self.assertEqual(FrameCodec().pack("caf\u00e9"), b"5:caf\xc3\xa9")

    def test_emoji(self):
        self.assertEqual(FrameCodec().pack("\U0001f600"), b"4:\xf0\x9f\x98\x80")

    def test_separator_in_the_text(self):
        self.assertEqual(FrameCodec().pack("a:b"), b"3:a:b")

    def test_limit(self):
        self.assertEqual(FrameCodec(limit=4).pack("milk"), b"4:milk")
        with self.assertRaises(ValueError):
            FrameCodec(limit=4).pack("caf\u00e9")


class FrameCodecTestUnpack(unittest.TestCase):
    def test_with_rest(self):
        self.assertEqual(FrameCodec().unpack(b"1:ab"), ("a", b"b"))

    def test_accent(self):
        self.assertEqual(FrameCodec().unpack(b"5:caf\xc3\xa9!"), ("caf\u00e9", b"!"))

    def test_incomplete(self):
        self.assertIsNone(FrameCodec().unpack(b""))
        self.assertIsNone(FrameCodec().unpack(b"12"))
        self.assertIsNone(FrameCodec().unpack(b"3:te"))

    def test_no_size(self):
        with self.assertRaises(ValueError):
            FrameCodec().unpack(b"x:tea")

    def test_too_large(self):
        with self.assertRaises(ValueError):
            FrameCodec(limit=5).unpack(b"6:coffee")
        self.assertEqual(FrameCodec(limit=6).unpack(b"6:coffee"), ("coffee", b""))


class FrameCodecTestPackAll(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(FrameCodec().pack_all([]), (b"", 0))

    def test_order(self):
        self.assertEqual(FrameCodec().pack_all(["b", "a"]), (b"1:b1:a", 0))

    def test_all_left_out(self):
        self.assertEqual(FrameCodec(limit=1).pack_all(["tea", "milk"]), (b"", 2))

    def test_accent_may_be_too_large(self):
        self.assertEqual(FrameCodec(limit=2).pack_all(["\u00e9", "\u00e9e"]), (b"2:\xc3\xa9", 1))


class FrameCodecTestUnpackAll(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(FrameCodec().unpack_all(b""), ([], b""))

    def test_several(self):
        self.assertEqual(FrameCodec().unpack_all(b"1:a0:2:bc"), (["a", "", "bc"], b""))

    def test_rest_is_kept(self):
        self.assertEqual(FrameCodec().unpack_all(b"1:a2:b"), (["a"], b"2:b"))

    def test_broken_frame_raises(self):
        with self.assertRaises(ValueError):
            FrameCodec().unpack_all(b"1:ax:b")


class FrameCodecTestShorten(unittest.TestCase):
    def test_short_text_stays(self):
        self.assertEqual(FrameCodec(limit=3).shorten("tea"), "tea")

    def test_cut(self):
        self.assertEqual(FrameCodec(limit=3).shorten("milk"), "mil")

    def test_accent_that_fits(self):
        self.assertEqual(FrameCodec(limit=5).shorten("caf\u00e9s"), "caf\u00e9")

    def test_accent_is_not_cut_in_half(self):
        self.assertEqual(FrameCodec(limit=4).shorten("caf\u00e9"), "caf")

    def test_result_can_be_packed(self):
        codec = FrameCodec(limit=7)
        short = codec.shorten("\u20ac\u20ac\u20ac")
        self.assertEqual(codec.pack(short), b"6:\xe2\x82\xac\xe2\x82\xac")


class FrameCodecTestMissing(unittest.TestCase):
    def test_unknown(self):
        self.assertEqual(FrameCodec().missing(b""), -1)
        self.assertEqual(FrameCodec().missing(b"12"), -1)

    def test_some(self):
        self.assertEqual(FrameCodec().missing(b"12:abc"), 9)

    def test_complete(self):
        self.assertEqual(FrameCodec().missing(b"3:abc"), 0)

    def test_more_than_one_frame(self):
        self.assertEqual(FrameCodec().missing(b"1:a5:bc"), 0)


class FrameCodecTest(unittest.TestCase):
    def test_stream_in_two_parts(self):
        codec = FrameCodec()
        texts = ["tea", "caf\u00e9 au lait", "", "\u00fcber: 5 \u20ac"]
        stream, skipped = codec.pack_all(texts)
        self.assertEqual(skipped, 0)
        first, rest = codec.unpack_all(stream[:10])
        second, rest = codec.unpack_all(rest + stream[10:])
        self.assertEqual(first + second, texts)
        self.assertEqual(rest, b"")
