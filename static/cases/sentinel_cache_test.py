import unittest

from sentinel_cache import SentinelCache


class Source:
    """Answers from a dictionary and remembers what it was asked."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []

    def one(self, key):
        self.asked.append(key)
        return self.answers.get(key)

    def many(self, keys):
        self.asked.append(list(keys))
        return {key: self.answers[key] for key in keys if key in self.answers}


class SentinelCacheTestStore(unittest.TestCase):
    def test_room_left(self):
        cache = SentinelCache(2)
        self.assertIsNone(cache.store("a", 1))
        self.assertIsNone(cache.store("b", 2))

    def test_oldest_goes(self):
        cache = SentinelCache(2)
        cache.store("a", 1)
        cache.store("b", 2)
        self.assertEqual(cache.store("c", 3), "a")
        self.assertEqual(list(cache.answers), ["b", "c"])

    def test_same_question_again(self):
        cache = SentinelCache(2)
        cache.store("a", 1)
        cache.store("b", 2)
        self.assertIsNone(cache.store("a", 3))
        self.assertEqual(cache.store("c", 4), "b")

    def test_none_is_kept(self):
        cache = SentinelCache(2)
        cache.store("a", None)
        self.assertEqual(dict(cache.answers), {"a": None})

    def test_one_place(self):
        cache = SentinelCache(1)
        cache.store("a", 1)
        self.assertEqual(cache.store("b", 2), "a")


class SentinelCacheTestFetch(unittest.TestCase):
    def test_looked_up_once(self):
        source = Source(a=1)
        cache = SentinelCache(2)
        self.assertEqual(cache.fetch("a", source.one), 1)
        self.assertEqual(cache.fetch("a", source.one), 1)
        self.assertEqual(source.asked, ["a"])

    def test_none_is_an_answer(self):
        source = Source()
        cache = SentinelCache(2)
        self.assertIsNone(cache.fetch("a", source.one))
        self.assertIsNone(cache.fetch("a", source.one))
        self.assertEqual(source.asked, ["a"])

    def test_counts(self):
        cache = SentinelCache(2)
        cache.store("b", None)
        for key in ("a", "a", "b"):
            cache.fetch(key, Source(a=0).one)
        self.assertEqual((cache.hits, cache.misses), (2, 1))

    def test_fetching_counts_as_use(self):
        source = Source(a=1, b=2, c=3)
        cache = SentinelCache(2)
        for key in ("a", "b", "a", "c", "a"):
            cache.fetch(key, source.one)
        self.assertEqual(source.asked, ["a", "b", "c"])

    def test_falsy_answers(self):
        source = Source(a=0, b="")
        cache = SentinelCache(2)
        for key in ("a", "b", "a", "b"):
            cache.fetch(key, source.one)
        self.assertEqual(source.asked, ["a", "b"])


class SentinelCacheTestFetchMany(unittest.TestCase):
    def test_all_at_once(self):
        source = Source(a=1, b=2)
        self.assertEqual(SentinelCache(5).fetch_many(["a", "b"], source.many), {"a": 1, "b": 2})
        self.assertEqual(source.asked, [["a", "b"]])

    def test_only_unknown_ones(self):
        source = Source(a=1, b=2)
        cache = SentinelCache(5)
        cache.store("a", None)
        self.assertEqual(cache.fetch_many(["a", "b"], source.many), {"a": None, "b": 2})
        self.assertEqual(source.asked, [["b"]])

    def test_nothing_unknown(self):
        source = Source()
        cache = SentinelCache(5)
        cache.store("a", 1)
        self.assertEqual(cache.fetch_many(["a"], source.many), {"a": 1})
        self.assertEqual(source.asked, [])

    def test_no_answer_is_kept_too(self):
        source = Source()
        cache = SentinelCache(5)
        self.assertEqual(cache.fetch_many(["x"], source.many), {"x": None})
        self.assertEqual(cache.fetch_many(["x"], source.many), {"x": None})
        self.assertEqual(source.asked, [["x"]])

    def test_question_given_twice(self):
        source = Source(a=1)
        cache = SentinelCache(5)
        cache.fetch_many(["a", "a"], source.many)
        self.assertEqual(source.asked, [["a"]])
        self.assertEqual((cache.hits, cache.misses), (0, 1))

    def test_counts(self):
        cache = SentinelCache(5)
        cache.store("a", 1)
        cache.fetch_many(["a", "b", "c"], Source(b=2).many)
        self.assertEqual((cache.hits, cache.misses), (1, 2))


class SentinelCacheTestForget(unittest.TestCase):
    def test_known(self):
        cache = SentinelCache(2)
        cache.store("a", 1)
        self.assertIs(cache.forget("a"), True)
        self.assertIs(cache.forget("a"), False)

    def test_unknown(self):
        self.assertIs(SentinelCache(2).forget("a"), False)

    def test_none_was_there(self):
        cache = SentinelCache(2)
        cache.store("a", None)
        self.assertIs(cache.forget("a"), True)

    def test_is_looked_up_again(self):
        source = Source(a=1)
        cache = SentinelCache(2)
        cache.fetch("a", source.one)
        cache.forget("a")
        cache.fetch("a", source.one)
        self.assertEqual(source.asked, ["a", "a"])


class SentinelCacheTestHitRate(unittest.TestCase):
    def test_nothing_fetched(self):
        cache = SentinelCache(2)
        cache.store("a", 1)
        self.assertEqual(cache.hit_rate(), 0.0)

    def test_no_hits(self):
        cache = SentinelCache(2)
        cache.fetch("a", len)
        self.assertEqual(cache.hit_rate(), 0.0)

    def test_some_hits(self):
        cache = SentinelCache(2)
        for key in ("a", "a", "a", "b"):
            cache.fetch(key, len)
        self.assertEqual(cache.hit_rate(), 0.5)

    def test_many(self):
        cache = SentinelCache(4)
        cache.store("a", None)
        cache.fetch_many(["a", "b", "c", "d"], Source().many)
        self.assertEqual(cache.hit_rate(), 0.25)


class SentinelCacheTest(unittest.TestCase):
    def test_a_busy_day(self):
        source = Source(a=1, b=2)
        cache = SentinelCache(2)
        for key in ("a", "x", "x", "b", "x", "a"):
            cache.fetch(key, source.one)
        self.assertEqual(source.asked, ["a", "x", "b", "a"])
        self.assertAlmostEqual(cache.hit_rate(), 1 / 3)


if __name__ == "__main__":
    unittest.main()
