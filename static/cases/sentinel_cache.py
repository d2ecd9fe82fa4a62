from collections import OrderedDict

_MISSING = object()


class SentinelCache:
    """Keeps the answers of a slow look-up, at most a given number of them. When it is full,
    the answer that was not used for the longest time has to go."""

    def __init__(self, capacity):
        """Make an empty cache.

        :param capacity: int, the number of answers kept, at least 1
        """
        self.capacity = capacity
        self.answers = OrderedDict()
        self.hits = 0
        self.misses = 0

    def _find(self, key):
        answer = self.answers.get(key, _MISSING)
        if answer is not _MISSING:
            self.answers.move_to_end(key)
        return answer

    def store(self, key, answer):
        """Keep an answer. It counts as used just now.

        :param key: str, the question
        :param answer: object, the answer, may be None if the look-up found nothing
        :return: str, the question whose answer had to go for it, or None

        >>> SentinelCache(2).store("moon", 384400) is None
        True
        """
        self.answers[key] = answer
        self.answers.move_to_end(key)
        if len(self.answers) <= self.capacity:
            return None
        oldest, _ = self.answers.popitem(last=False)
        return oldest

    def fetch(self, key, look_up):
        """Give the answer to a question, from the cache if possible. If not, look it up
        and keep it.

        :param key: str, the question
        :param look_up: function, takes the question and returns the answer
        :return: object, the answer

        >>> SentinelCache(2).fetch("moon", len)
        4
        """
        answer = self._find(key)
        if answer is _MISSING:
            self.misses += 1
            answer = look_up(key)
            self.store(key, answer)
        else:
            self.hits += 1
        return answer

    def fetch_many(self, keys, look_up_all):
        """Give the answers to several questions. Those not in the cache are looked up all
        at once, each question only once, and kept.

        :param keys: list of str, the questions
        :param look_up_all: function, takes a list of questions and returns a dict of answers
        :return: dict, the answer to each question

        >>> SentinelCache(2).fetch_many(["a"], lambda keys: {key: 1 for key in keys})
        {'a': 1}
        """
        result = {}
        unknown = []
        for key in dict.fromkeys(keys):
            answer = self._find(key)
            result[key] = answer
            if answer is _MISSING:
                unknown.append(key)
        if unknown:
            looked_up = look_up_all(unknown)
            for key in unknown:
                result[key] = looked_up.get(key)
                self.store(key, result[key])
        self.hits += len(result) - len(unknown)
        self.misses += len(unknown)
        return result

    def forget(self, key):
        """Throw an answer away, because it may have changed.

        :param key: str, the question
        :return: bool, True if there was an answer in the cache

        >>> SentinelCache(2).forget("moon")
        False
        """
        answer = self.answers.pop(key, _MISSING)
        return answer is not _MISSING

    def hit_rate(self):
        """Tell how often the cache could help.

        :return: float, the part of the fetched answers that came from the cache, 0 to 1,
            and 0.0 if nothing was fetched yet

        >>> SentinelCache(2).hit_rate()
        0.0
        """
        total = self.hits + self.misses
        if total == 0:
            return 0.0
        return self.hits / total
