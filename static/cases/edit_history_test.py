import unittest

from edit_history import EditHistory


def written(*texts):
    history = EditHistory(texts[0])
    for text in texts[1:]:
        history.record(text)
    return history


class EditHistoryTestCurrent(unittest.TestCase):
    def test_empty_start(self):
        self.assertEqual(EditHistory().current(), "")

    def test_start(self):
        self.assertEqual(EditHistory("a").current(), "a")

    def test_after_change(self):
        self.assertEqual(written("a", "ab").current(), "ab")

    def test_after_undo(self):
        history = written("a", "ab", "abc")
        history.undo()
        self.assertEqual(history.current(), "ab")


class EditHistoryTestRecord(unittest.TestCase):
    def test_change(self):
        history = EditHistory("a")
        self.assertTrue(history.record("ab"))
        self.assertEqual(history.depth(), (1, 0))

    def test_no_change(self):
        history = EditHistory("a")
        self.assertFalse(history.record("a"))
        self.assertEqual(history.depth(), (0, 0))

    def test_undone_changes_are_dropped(self):
        history = written("a", "ab", "abc")
        history.undo(2)
        history.record("x")
        self.assertEqual(history.redo(), "x")
        self.assertEqual(history.undo(), "a")

    def test_no_change_keeps_the_redo(self):
        history = written("a", "ab")
        history.undo()
        self.assertFalse(history.record("a"))
        self.assertEqual(history.redo(), "ab")

    def test_oldest_version_is_forgotten(self):
        history = EditHistory("start")
        for number in range(EditHistory.LIMIT):
            history.record(str(number))
        self.assertEqual(history.depth(), (EditHistory.LIMIT - 1, 0))
        self.assertEqual(history.undo(EditHistory.LIMIT), "0")


class EditHistoryTestUndo(unittest.TestCase):
    def test_one(self):
        self.assertEqual(written("a", "ab", "abc").undo(), "ab")

    def test_several(self):
        self.assertEqual(written("a", "ab", "abc").undo(2), "a")

    def test_nothing_to_undo(self):
        self.assertEqual(EditHistory("a").undo(), "a")

    def test_more_than_there_are(self):
        history = written("a", "ab", "abc")
        self.assertEqual(history.undo(3), "a")
        self.assertEqual(history.depth(), (0, 2))

    def test_none(self):
        self.assertEqual(written("a", "ab").undo(0), "ab")


class EditHistoryTestRedo(unittest.TestCase):
    def test_one(self):
        history = written("a", "ab", "abc")
        history.undo(2)
        self.assertEqual(history.redo(), "ab")

    def test_more_than_there_are(self):
        history = written("a", "ab", "abc")
        history.undo()
        self.assertEqual(history.redo(9), "abc")
        self.assertEqual(history.depth(), (2, 0))

    def test_nothing_to_redo(self):
        self.assertEqual(written("a", "ab").redo(), "ab")

    def test_back_and_forth(self):
        history = written("a", "ab", "abc")
        history.undo()
        history.redo()
        self.assertEqual(history.undo(), "ab")


class EditHistoryTestDepth(unittest.TestCase):
    def test_start(self):
        self.assertEqual(EditHistory("a").depth(), (0, 0))

    def test_changes(self):
        self.assertEqual(written("a", "ab", "abc").depth(), (2, 0))

    def test_middle(self):
        history = written("a", "ab", "abc", "abcd")
        history.undo()
        self.assertEqual(history.depth(), (2, 1))

    def test_after_new_change(self):
        history = written("a", "ab", "abc")
        history.undo(2)
        history.record("b")
        self.assertEqual(history.depth(), (1, 0))


class EditHistoryTestBackTo(unittest.TestCase):
    def test_already_there(self):
        history = written("a", "cat")
        self.assertEqual(history.back_to("cat"), 0)

    def test_nearest_version(self):
        history = written("cat", "cat and dog", "dog", "bird")
        self.assertEqual(history.back_to("cat"), 2)
        self.assertEqual(history.current(), "cat and dog")

    def test_first_version(self):
        history = written("cat", "dog", "bird")
        self.assertEqual(history.back_to("cat"), 2)
        self.assertEqual(history.current(), "cat")

    def test_no_version(self):
        history = written("cat", "dog")
        self.assertEqual(history.back_to("fish"), -1)
        self.assertEqual(history.current(), "dog")

    def test_later_versions_do_not_count(self):
        history = written("cat", "dog")
        history.undo()
        self.assertEqual(history.back_to("dog"), -1)
