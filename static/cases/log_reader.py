import re


class LogReader:
    """
    Reads the log of a server. A line has a time, a level, the part of the server that
    speaks, and a message, such as "08:15:02 WARN disk: almost full".
    """

    LEVEL = r"DEBUG|INFO|WARN|ERROR"
    LINE = r"(\d\d:\d\d:\d\d) ([A-Z]+) ([\w.]+): (.*)"
    ORDER = ["DEBUG", "INFO", "WARN", "ERROR"]

    def __init__(self, lines):
        """
        Take the lines of a log.
        :param lines: list, the lines
        """
        self.lines = [line.rstrip("\n") for line in lines]

    def is_level(self, word):
        """
        Check whether a word names one of the levels. Capitals and blanks around it do not matter.
        :param word: str, the word
        :return: bool, whether it names a level
        >>> LogReader([]).is_level("warn")
        True
        """
        word = word.strip().upper()
        if re.fullmatch(self.LEVEL, word) is None:
            return False
        return True

    def parse(self, line):
        """
        Take a line apart. The line must be complete and have a known level.
        :param line: str, the line
        :return: dict, with time, level, part and message, or None if it is no line of a log
        >>> LogReader([]).parse("08:15:02 WARN disk: almost full")["message"]
        'almost full'
        """
        found = re.fullmatch(self.LINE, line)
        if found is None:
            return None
        time, level, part, message = found.groups()
        if not self.is_level(level):
            return None
        return {"time": time, "level": level, "part": part, "message": message.strip()}

    def count_levels(self):
        """
        Count the lines of each level. Lines that cannot be read are not counted.
        :return: dict, the levels that occur and their counts
        >>> log = LogReader(["08:15:02 WARN disk: full", "08:15:03 INFO web: up", "??"])
        >>> log.count_levels()
        {'WARN': 1, 'INFO': 1}
        """
        counts = {}
        for line in self.lines:
            entry = self.parse(line)
            if entry is not None:
                level = entry["level"]
                counts[level] = counts.get(level, 0) + 1
        return counts

    def messages(self, lowest="INFO"):
        """
        Collect the messages of a level and of all levels that are more serious.
        :param lowest: str, the least serious level
        :return: list, the messages in the order of the log
        >>> LogReader(["08:15:02 WARN disk: full", "08:15:03 INFO web: up"]).messages("WARN")
        ['full']
        """
        wanted = self.ORDER[self.ORDER.index(lowest):]
        found = []
        for line in self.lines:
            entry = self.parse(line)
            if entry and entry["level"] in wanted:
                found.append(entry["message"])
        return found

    def grep(self, phrase):
        """
        Find the lines that contain a phrase anywhere. Every character of it stands for itself,
        but capitals do not matter.
        :param phrase: str, the phrase
        :return: list, the numbers of the lines, the first line has number 1
        >>> LogReader(["08:15:02 WARN disk: full", "08:15:03 INFO web: up"]).grep("Web")
        [2]
        """
        pattern = re.compile(re.escape(phrase), re.IGNORECASE)
        numbers = []
        for number, line in enumerate(self.lines, start=1):
            if pattern.search(line):
                numbers.append(number)
        return numbers

    def mask(self, number):
        """
        Give one line with every internet address hidden, for showing it to others.
        :param number: int, the number of the line, as grep gives it
        :return: str, the line, or an empty text if there is no such line
        >>> LogReader(["08:15:02 INFO web: call from 10.0.0.7"]).mask(1)
        '08:15:02 INFO web: call from x.x.x.x'
        """
        if number < 1 or number > len(self.lines):
            return ""
        line = self.lines[number - 1]
        return re.sub(r"\b\d{1,3}(\.\d{1,3}){3}\b", "x.x.x.x", line)

    def parts(self):
        """
        List the parts of the server that speak in the log. A name like web.login counts
        for its first piece, web.
        :return: list, the names in alphabetical order, each once
        >>> LogReader(["08:15:02 INFO web.login: hi", "08:15:03 INFO disk: ok"]).parts()
        ['disk', 'web']
        """
        names = set()
        for line in self.lines:
            entry = self.parse(line)
            if entry:
                names.add(re.split(r"\.", entry["part"])[0])
        return sorted(names)
