import struct
import zlib


def short_sum(data):
    return zlib.crc32(data) & 0xFFFF


class PacketCodec:
    """
    Builds and reads the packets of a weather station. A packet has a kind, a size,
    the content and a checksum over all of that.
    """

    HEAD = 3
    TAIL = 2

    def __init__(self, largest=200):
        """
        Set the largest content that a packet may have.
        :param largest: int, the size in bytes
        """
        self.largest = largest

    def build(self, kind, content):
        """
        Build a packet. ValueError is raised if the content is too large.
        :param kind: int, the kind of the packet, from 0 to 255
        :param content: bytes, the content
        :return: bytes, the packet
        >>> len(PacketCodec().build(1, b"rain"))
        9
        """
        if len(content) > self.largest:
            raise ValueError("content too large")
        body = struct.pack(">BH", kind, len(content)) + content
        return body + struct.pack(">H", short_sum(body))

    def read(self, packet):
        """
        Read a packet. ValueError is raised if its size or its checksum is not right.
        :param packet: bytes, the packet
        :return: tuple, the kind and the content
        >>> codec = PacketCodec()
        >>> codec.read(codec.build(1, b"rain"))
        (1, b'rain')
        """
        if len(packet) < self.HEAD + self.TAIL:
            raise ValueError("packet too short")
        kind, size = struct.unpack(">BH", packet[:self.HEAD])
        if len(packet) != self.HEAD + size + self.TAIL:
            raise ValueError("wrong size")
        body = packet[:-self.TAIL]
        expected = struct.unpack(">H", packet[-self.TAIL:])[0]
        if short_sum(body) != expected:
            raise ValueError("wrong checksum")
        return kind, body[self.HEAD:]

    def pack_values(self, values):
        """
        Write measured values as the content of a packet.
        :param values: list, whole numbers from -32768 to 32767
        :return: bytes, the content
        >>> len(PacketCodec().pack_values([12, -3, 700]))
        6
        """
        if not values:
            return b""
        return struct.pack(f">{len(values)}h", *values)

    def unpack_values(self, content):
        """
        Read the measured values in the content of a packet.
        A single byte left over at the end is ignored.
        :param content: bytes, the content
        :return: list, the values
        >>> codec = PacketCodec()
        >>> codec.unpack_values(codec.pack_values([12, -3, 700]))
        [12, -3, 700]
        """
        usable = len(content) - len(content) % 2
        values = []
        for pair in struct.iter_unpack(">h", content[:usable]):
            values.append(pair[0])
        return values

    def split(self, stream):
        """
        Cut a stream into packets by the sizes they announce. Nothing else is checked.
        :param stream: bytes, packets one after another
        :return: tuple, the list of complete packets and the bytes left over
        >>> codec = PacketCodec()
        >>> packets, rest = codec.split(codec.build(1, b"rain") + codec.build(2, b"sun"))
        >>> len(packets)
        2
        """
        packets = []
        while len(stream) >= self.HEAD:
            kind, size = struct.unpack_from(">BH", stream)
            end = self.HEAD + size + self.TAIL
            if len(stream) < end:
                break
            packets.append(stream[:end])
            stream = stream[end:]
        return packets, stream

    def squeeze(self, kind, content):
        """
        Build a packet with compressed content. If that does not save anything, the content
        stays as it is. A compressed packet is marked by adding 128 to its kind.
        :param kind: int, the kind of the packet, from 0 to 127
        :param content: bytes, the content
        :return: bytes, the packet
        >>> len(PacketCodec().squeeze(1, b"a" * 100)) < 30
        True
        """
        small = zlib.compress(content, 9)
        if len(small) < len(content):
            return self.build(kind + 128, small)
        return self.build(kind, content)

    def expand(self, packet):
        """
        Read a packet that may be compressed.
        :param packet: bytes, the packet
        :return: tuple, the kind without the mark and the content as it was
        >>> codec = PacketCodec()
        >>> codec.expand(codec.squeeze(5, b"sun " * 20)) == (5, b"sun " * 20)
        True
        """
        kind, content = self.read(packet)
        if kind >= 128:
            return kind - 128, zlib.decompress(content)
        return kind, content
