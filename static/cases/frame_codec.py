ENCODING = "utf-8"


class FrameCodec:
    """
    Writes texts into one stream of bytes and reads them back.
    Each text travels in a frame: its size, a separator and then the text itself.
    """

    SEPARATOR = b":"

    def __init__(self, limit=1000):
        """
        Set the largest size that a frame may announce.
        :param limit: int, the largest size
        """
        self.limit = limit

    def pack(self, text):
        """
        Write one text as a frame.
        :param text: str, the text
        :return: bytes, the frame; ValueError is raised if the text is too large
        >>> FrameCodec().pack("tea")
        b'3:tea'
        """
        raw = text.encode(ENCODING)
        size = len(raw)
        if size > self.limit:
            raise ValueError("text too large")
        return str(size).encode("ascii") + self.SEPARATOR + raw

    def unpack(self, data):
        """
        Read the first text of a stream.
        :param data: bytes, the stream
        :return: tuple, the text and the bytes left over; None if the frame is not complete yet
        >>> FrameCodec().unpack(b"3:tea4:milk")
        ('tea', b'4:milk')
        """
        head, mark, rest = data.partition(self.SEPARATOR)
        if not mark:
            return None
        if not head.isdigit():
            raise ValueError("size expected")
        size = int(head)
        if size > self.limit:
            raise ValueError("frame too large")
        if len(rest) < size:
            return None
        return rest[:size].decode(ENCODING), rest[size:]

    def pack_all(self, texts):
        """
        Write several texts into one stream. Texts which are too large are left out.
        :param texts: list, the texts
        :return: tuple, the stream and the number of texts left out
        >>> FrameCodec(limit=4).pack_all(["tea", "coffee", ""])
        (b'3:tea0:', 1)
        """
        stream = b""
        skipped = 0
        for text in texts:
            try:
                stream += self.pack(text)
            except ValueError:
                skipped += 1
        return stream, skipped

    def unpack_all(self, data):
        """
        Read all complete frames of a stream.
        :param data: bytes, the stream
        :return: tuple, the list of texts and the bytes left over
        >>> FrameCodec().unpack_all(b"3:tea4:milk9:unfin")
        (['tea', 'milk'], b'9:unfin')
        """
        texts = []
        while data:
            step = self.unpack(data)
            if step is None:
                break
            text, data = step
            texts.append(text)
        return texts, data

    def shorten(self, text):
        """
        Cut a text so that it may be packed. No letter is cut in half.
        :param text: str, the text
        :return: str, the longest beginning of the text which is not too large
        >>> FrameCodec(limit=5).shorten("chocolate")
        'choco'
        """
        raw = text.encode(ENCODING)
        if len(raw) <= self.limit:
            return text
        return raw[:self.limit].decode(ENCODING, errors="ignore")

    def missing(self, data):
        """
        Tell how much of the first frame has not arrived yet.
        :param data: bytes, the beginning of a stream
        :return: int, the number of bytes to wait for, or -1 if even the size is not known yet
        >>> FrameCodec().missing(b"6:cof")
        3
        """
        head, mark, rest = data.partition(self.SEPARATOR)
        if not mark:
            return -1
        gap = int(head) - len(rest)
        return max(gap, 0)
