class WireRecord:
    """Records of names and values, written as one line of text for a serial line."""

    END = ";"
    LINK = "="
    ESCAPE = "%"
    SPECIAL = "%;="

    def __init__(self, max_length=80):
        self.max_length = max_length

    def escape(self, text):
        """Write a text so that none of its characters is taken for a mark of the record.

        :param text: str, the text of a name or a value
        :return: str, the same text, each special character as "%" and two hex digits

        >>> WireRecord().escape("50%")
        '50%25'
        """
        pieces = []
        for char in text:
            if char in self.SPECIAL:
                pieces.append(f"{self.ESCAPE}{ord(char):02X}")
            else:
                pieces.append(char)
        return "".join(pieces)

    def unescape(self, text):
        """Read a text back that was made safe for a record.

        :param text: str, the text as it stands in a record
        :return: str, the original text; ValueError if it ends within a mark

        >>> WireRecord().unescape("50%25")
        '50%'
        """
        result = ""
        position = 0
        while position < len(text):
            char = text[position]
            if char == self.ESCAPE:
                digits = text[position + 1:position + 3]
                if len(digits) < 2:
                    raise ValueError("the record ends within a mark")
                char = chr(int(digits, 16))
                position += 2
            result += char
            position += 1
        return result

    def encode(self, fields):
        """Write a record as one line of text, the fields in the order of the dictionary.

        :param fields: dict of str to str, the names and values of the record
        :return: str, the line; ValueError if it is longer than the line allows

        >>> wire = WireRecord()
        >>> wire.decode(wire.encode({"id": "7", "unit": "m/s"}))
        {'id': '7', 'unit': 'm/s'}
        """
        parts = []
        for name, value in fields.items():
            parts.append(self.escape(name) + self.LINK + self.escape(value))
        line = self.END.join(parts)
        if len(line) >= self.max_length:
            raise ValueError("the record is too long")
        return line + self.END if parts else line

    def decode(self, line):
        """Read a record from one line of text. Of two fields of one name the later counts.

        :param line: str, the line as received
        :return: dict of str to str, the names and values; ValueError for a damaged line

        >>> WireRecord().decode("")
        {}
        """
        fields = {}
        if line == "":
            return fields
        if not line.endswith(self.END):
            raise ValueError("the line is cut off")
        for part in line[:-1].split(self.END):
            name, link, value = part.partition(self.LINK)
            if link == "":
                raise ValueError(f"no value in {part!r}")
            fields[self.unescape(name)] = self.unescape(value)
        return fields

    def split_stream(self, text):
        """Cut the received text into whole fields and the beginning of the next one.

        :param text: str, everything received so far
        :return: tuple of (list of str, str), the whole fields, and the rest that still waits

        >>> WireRecord().split_stream("a=1;b")
        (['a=1;'], 'b')
        """
        complete = []
        start = 0
        for position, char in enumerate(text):
            if char == self.END:
                complete.append(text[start:position + 1])
                start = position + 1
        return complete, text[start:]
