import unittest
import zlib

from packet_codec import PacketCodec


class PacketCodecTestBuild(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()

    def test_head(self):
        self.assertEqual(self.codec.build(7, b"rain")[:7], b"\x07\x00\x04rain")

    def test_empty_content(self):
        self.assertEqual(self.codec.build(0, b"")[:3], b"\x00\x00\x00")
        self.assertEqual(len(self.codec.build(0, b"")), 5)

    def test_checksum(self):
        packet = self.codec.build(7, b"rain")
        low = zlib.crc32(packet[:-2]) % 65536
        self.assertEqual(packet[-2] * 256 + packet[-1], low)

    def test_large_content(self):
        packet = PacketCodec(largest=1000).build(1, b"x" * 1000)
        self.assertEqual(packet[:3], b"\x01\x03\xe8")

    def test_too_large(self):
        with self.assertRaises(ValueError):
            self.codec.build(1, b"x" * 201)
        self.assertEqual(len(self.codec.build(1, b"x" * 200)), 205)


class PacketCodecTestRead(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()
        self.packet = self.codec.build(9, b"wind")

    def test_good(self):
        self.assertEqual(self.codec.read(self.packet), (9, b"wind"))

    def test_every_changed_byte_is_noticed(self):
        for index in range(len(self.packet)):
            changed = bytearray(self.packet)
            changed[index] ^= 1
            with self.assertRaises(ValueError):
                self.codec.read(bytes(changed))

    def test_wrong_size(self):
        with self.assertRaises(ValueError):
            self.codec.read(self.packet[:-1])
        with self.assertRaises(ValueError):
            self.codec.read(self.packet + b"\x00")

    def test_too_short(self):
        with self.assertRaises(ValueError):
            self.codec.read(b"")
        with self.assertRaises(ValueError):
            self.codec.read(b"\x00\x00\x00\x00")

    def test_empty_content(self):
        self.assertEqual(self.codec.read(self.codec.build(3, b"")), (3, b""))


class PacketCodecTestPackValues(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()

    def test_none(self):
        self.assertEqual(self.codec.pack_values([]), b"")

    def test_order_of_bytes(self):
        self.assertEqual(self.codec.pack_values([1, 258]), b"\x00\x01\x01\x02")

    def test_negative(self):
        self.assertEqual(self.codec.pack_values([-2]), b"\xff\xfe")

    def test_round_trip(self):
        values = [0, 12, -3, 700, 32767, -32768]
        self.assertEqual(self.codec.unpack_values(self.codec.pack_values(values)), values)


class PacketCodecTestUnpackValues(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()

    def test_none(self):
        self.assertEqual(self.codec.unpack_values(b""), [])

    def test_order_of_bytes(self):
        self.assertEqual(self.codec.unpack_values(b"\x00\x01\x01\x02"), [1, 258])

    def test_negative(self):
        self.assertEqual(self.codec.unpack_values(b"\xff\xfe\x80\x00"), [-2, -32768])

    def test_byte_left_over(self):
        self.assertEqual(self.codec.unpack_values(b"\x00\x05\x09"), [5])
        self.assertEqual(self.codec.unpack_values(b"\x09"), [])


class PacketCodecTestSplit(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()
        self.first = self.codec.build(1, b"rain")
        self.second = self.codec.build(2, b"")

    def test_nothing(self):
        self.assertEqual(self.codec.split(b""), ([], b""))

    def test_two(self):
        self.assertEqual(
            self.codec.split(self.first + self.second), ([self.first, self.second], b"")
        )

    def test_unfinished(self):
        stream = self.first + self.second[:4]
        self.assertEqual(self.codec.split(stream), ([self.first], self.second[:4]))

    def test_unfinished_head(self):
        self.assertEqual(self.codec.split(b"\x01\x00"), ([], b"\x01\x00"))

    def test_checksum_does_not_matter(self):
        self.assertEqual(self.codec.split(b"\x01\x00\x00??"), ([b"\x01\x00\x00??"], b""))


class PacketCodecTestSqueeze(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()

    def test_compressed(self):
        kind, content = self.codec.read(self.codec.squeeze(5, b"sun " * 20))
        self.assertEqual(kind, 133)
        self.assertEqual(zlib.decompress(content), b"sun " * 20)

    def test_not_worth_it(self):
        self.assertEqual(self.codec.squeeze(5, b"sun"), self.codec.build(5, b"sun"))

    def test_empty(self):
        self.assertEqual(self.codec.squeeze(5, b""), self.codec.build(5, b""))

    def test_large_content_that_gets_small(self):
        packet = self.codec.squeeze(5, b"x" * 5000)
        self.assertEqual(packet[0], 133)
        self.assertEqual(self.codec.expand(packet), (5, b"x" * 5000))


class PacketCodecTestExpand(unittest.TestCase):
    def setUp(self):
        self.codec = PacketCodec()

    def test_compressed(self):
        packet = self.codec.squeeze(5, b"sun " * 20)
        self.assertEqual(self.codec.expand(packet), (5, b"sun " * 20))

    def test_plain(self):
        self.assertEqual(self.codec.expand(self.codec.build(5, b"sun")), (5, b"sun"))

    def test_highest_plain_kind(self):
        self.assertEqual(self.codec.expand(self.codec.build(127, b"sun")), (127, b"sun"))

    def test_lowest_kind_with_mark(self):
        self.assertEqual(self.codec.expand(self.codec.squeeze(0, b"a" * 50)), (0, b"a" * 50))

    def test_broken_packet(self):
        with self.assertRaises(ValueError):
            self.codec.expand(b"\x85\x00\x00??")


class PacketCodecTest(unittest.TestCase):
    def test_station_to_receiver(self):
        codec = PacketCodec()
        rows = [[1, 2, 3], [-400] * 60, []]
        stream = b"".join(codec.squeeze(4, codec.pack_values(row)) for row in rows)
        packets, rest = codec.split(stream)
        self.assertEqual(rest, b"")
        received = [codec.unpack_values(codec.expand(packet)[1]) for packet in packets]
        self.assertEqual(received, rows)
