import urllib.parse


class LinkBuilder:
    """
    Builds links to the pages of one site and takes such links apart again.
    """

    def __init__(self, base):
        """
        Remember the address that every link starts with.
        :param base: str, the address, with or without a slash at its end
        """
        self.base = base.rstrip("/")

    def encode_field(self, text, safe=""):
        """
        Turn a value into a piece of text that may stand inside a link.
        A value that is not a text is written out first, and None gives an empty piece.
        :param text: str, the value
        :param safe: str, the characters which stay as they are
        :return: str, the encoded piece
        >>> LinkBuilder("https://shop.test").encode_field("50%")
        '50%25'
        """
        if text is None:
            return ""
        if not isinstance(text, str):
            text = str(text)
        return urllib.parse.quote(text, safe=safe)

    def decode_field(self, piece):
        """
        Turn an encoded piece of a link back into the text it stands for.
        :param piece: str, the encoded piece
        :return: str, the text
        >>> LinkBuilder("https://shop.test").decode_field("50%25")
        '50%'
        """
        return urllib.parse.unquote(piece, errors="strict")

    def query(self, params):
        """
        Write parameters as the query part of a link, in the order given.
        A list stands for a parameter that occurs several times; None leaves a parameter out.
        :param params: dict, names and their values
        :return: str, the query without a question mark
        >>> LinkBuilder("https://shop.test").query({"size": [38, 40], "color": None, "page": 2})
        'size=38&size=40&page=2'
        """
        parts = []
        for name, value in params.items():
            if value is None:
                continue
            values = value if isinstance(value, list) else [value]
            for single in values:
                parts.append(self.encode_field(name) + "=" + self.encode_field(single))
        return "&".join(parts)

    def parse_query(self, query):
        """
        Read the query part of a link.
        A name without a value counts as an empty value; empty parts are skipped.
        :param query: str, the query, with or without a question mark
        :return: dict, each name with the list of its values
        >>> LinkBuilder("https://shop.test").parse_query("?size=38&size=40&page=2")
        {'size': ['38', '40'], 'page': ['2']}
        """
        if query.startswith("?"):
            query = query[1:]
        found = {}
        for part in query.split("&"):
            if not part:
                continue
            name, _, value = part.partition("=")
            found.setdefault(self.decode_field(name), []).append(self.decode_field(value))
        return found

    def link(self, segments, params=None):
        """
        Build the whole link to a page.
        :param segments: list, the names on the way to the page, from the outside in
        :param params: dict, parameters of the page, or None
        :return: str, the link
        >>> LinkBuilder("https://shop.test/").link(["shoes", "red"], {"page": 2})
        'https://shop.test/shoes/red?page=2'
        """
        pieces = [self.base]
        for segment in segments:
            pieces.append(self.encode_field(segment))
        address = "/".join(pieces)
        query = self.query(params or {})
        if query:
            address += "?" + query
        return address

    def split_link(self, link):
        """
        Take a link of this site apart.
        :param link: str, the link
        :return: tuple, the list of segments and the dict of parameters; None for a foreign link
        >>> LinkBuilder("https://shop.test").split_link("https://shop.test/shoes/red?page=2")
        (['shoes', 'red'], {'page': ['2']})
        """
        if link != self.base and not link.startswith((self.base + "/", self.base + "?")):
            return None
        path, _, query = link[len(self.base):].partition("?")
        segments = [self.decode_field(piece) for piece in path.split("/") if piece]
        return segments, self.parse_query(query)
