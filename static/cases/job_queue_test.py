import unittest

from job_queue import JobQueue


def filled(*jobs):
    queue = JobQueue()
    for name, priority in jobs:
        queue.add(name, priority)
    return queue


def emptied(queue):
    names = []
    name = queue.take()
    while name is not None:
        names.append(name)
        name = queue.take()
    return names


class JobQueueTestAdd(unittest.TestCase):
    def test_counts(self):
        queue = JobQueue()
        self.assertEqual([queue.add("a", 1), queue.add("b", 1)], [1, 2])

    def test_taken_jobs_still_count(self):
        queue = filled(("a", 1))
        queue.take()
        self.assertEqual(queue.add("b", 1), 2)

    def test_more_important_first(self):
        self.assertEqual(emptied(filled(("a", 1), ("b", 9), ("c", 5))), ["b", "c", "a"])

    def test_equal_priorities_keep_their_order(self):
        self.assertEqual(emptied(filled(("z", 4), ("m", 4), ("a", 4))), ["z", "m", "a"])

    def test_negative_priority(self):
        self.assertEqual(emptied(filled(("a", -1), ("b", 0), ("c", -2))), ["b", "a", "c"])


class JobQueueTestTake(unittest.TestCase):
    def test_empty(self):
        self.assertIsNone(JobQueue().take())

    def test_job_is_gone(self):
        queue = filled(("a", 1))
        self.assertEqual(queue.take(), "a")
        self.assertIsNone(queue.take())

    def test_later_but_more_important(self):
        queue = filled(("a", 1), ("b", 2))
        self.assertEqual(queue.take(), "b")

    def test_between_adds(self):
        queue = filled(("a", 1), ("b", 2))
        queue.take()
        queue.add("c", 1)
        self.assertEqual(emptied(queue), ["a", "c"])


class JobQueueTestTop(unittest.TestCase):
    def setUp(self):
        self.queue = filled(("a", 1), ("b", 9), ("c", 5), ("d", 9))

    def test_two(self):
        self.assertEqual(self.queue.top(2), [("b", 9), ("d", 9)])

    def test_all(self):
        self.assertEqual(self.queue.top(10), [("b", 9), ("d", 9), ("c", 5), ("a", 1)])

    def test_none(self):
        self.assertEqual(self.queue.top(0), [])
        self.assertEqual(JobQueue().top(3), [])

    def test_jobs_stay(self):
        self.queue.top(4)
        self.assertEqual(emptied(self.queue), ["b", "d", "c", "a"])


class JobQueueTestPromote(unittest.TestCase):
    def test_overtakes(self):
        queue = filled(("copy", 3), ("print", 8))
        self.assertEqual(queue.promote("copy", 10), 1)
        self.assertEqual(emptied(queue), ["copy", "print"])

    def test_priority_grows(self):
        queue = filled(("copy", 3))
        queue.promote("copy", 4)
        self.assertEqual(queue.top(1), [("copy", 7)])

    def test_unknown_name(self):
        queue = filled(("copy", 3))
        self.assertEqual(queue.promote("scan", 4), 0)
        self.assertEqual(queue.top(1), [("copy", 3)])

    def test_all_of_the_name(self):
        queue = filled(("copy", 1), ("print", 2), ("copy", 3))
        self.assertEqual(queue.promote("copy", 2), 2)
        self.assertEqual(queue.top(3), [("copy", 5), ("copy", 3), ("print", 2)])

    def test_drawn_level_keeps_the_age(self):
        queue = filled(("copy", 3), ("print", 8))
        queue.promote("copy", 5)
        self.assertEqual(queue.take(), "copy")


class JobQueueTestUrgent(unittest.TestCase):
    def setUp(self):
        self.queue = filled(("a", 1), ("b", 9), ("c", 5))

    def test_limit_itself_counts(self):
        self.assertEqual(self.queue.urgent(5), 2)

    def test_all(self):
        self.assertEqual(self.queue.urgent(0), 3)

    def test_none(self):
        self.assertEqual(self.queue.urgent(10), 0)

    def test_empty(self):
        self.assertEqual(JobQueue().urgent(1), 0)


class JobQueueTestCancel(unittest.TestCase):
    def test_unknown(self):
        queue = filled(("a", 1))
        self.assertFalse(queue.cancel("b"))
        self.assertEqual(emptied(queue), ["a"])

    def test_known(self):
        queue = filled(("a", 1), ("b", 2), ("c", 3))
        self.assertTrue(queue.cancel("c"))
        self.assertEqual(emptied(queue), ["b", "a"])

    def test_every_job_of_the_name(self):
        queue = filled(("a", 1), ("b", 2), ("a", 3))
        self.assertTrue(queue.cancel("a"))
        self.assertEqual(emptied(queue), ["b"])

    def test_numbers_go_on(self):
        queue = filled(("a", 1), ("b", 2))
        queue.cancel("b")
        self.assertEqual(queue.add("c", 1), 3)
        self.assertEqual(emptied(queue), ["a", "c"])


class JobQueueTestOldest(unittest.TestCase):
    def test_empty(self):
        self.assertIsNone(JobQueue().oldest())

    def test_not_the_most_important(self):
        self.assertEqual(filled(("a", 1), ("b", 9)).oldest(), "a")

    def test_not_the_first_name(self):
        self.assertEqual(filled(("z", 5), ("a", 5)).oldest(), "z")

    def test_after_take(self):
        queue = filled(("a", 9), ("b", 1), ("c", 5))
        queue.take()
        self.assertEqual(queue.oldest(), "b")

    def test_promotion_does_not_make_older(self):
        queue = filled(("a", 1), ("b", 2))
        queue.promote("b", 50)
        self.assertEqual(queue.oldest(), "a")
