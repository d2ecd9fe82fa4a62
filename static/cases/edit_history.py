class EditHistory:
    """
    Remembers the versions of a text, so that changes can be undone and redone.
    """

    LIMIT = 100

    def __init__(self, text=""):
        """
        Start with a first version.
        :param text: str, the text before any change
        """
        self._states = [text]
        self._cursor = 0

    def current(self):
        """
        Give the text as it is now.
        :return: str, the text
        >>> EditHistory("draft").current()
        'draft'
        """
        return self._states[self._cursor]

    def record(self, text):
        """
        Remember a changed text. What had been undone before can no longer be redone.
        A text that did not change is not remembered again.
        :param text: str, the text after the change
        :return: bool, whether it was remembered
        >>> EditHistory("draft").record("draft two")
        True
        """
        if text == self.current():
            return False
        del self._states[self._cursor + 1:]
        self._states.append(text)
        if len(self._states) > self.LIMIT:
            self._states.pop(0)
        self._cursor = len(self._states) - 1
        return True

    def undo(self, steps=1):
        """
        Go back some changes, or as many as there are.
        :param steps: int, the number of changes
        :return: str, the text after that
        >>> history = EditHistory("draft")
        >>> history.record("draft two")
        True
        >>> history.undo()
        'draft'
        """
        for _ in range(steps):
            if self._cursor == 0:
                break
            self._cursor -= 1
        return self._states[self._cursor]

    def redo(self, steps=1):
        """
        Repeat some changes that were undone, or as many as there are.
        :param steps: int, the number of changes
        :return: str, the text after that
        >>> history = EditHistory("draft")
        >>> history.redo()
        'draft'
        """
        last = len(self._states) - 1
        self._cursor = min(self._cursor + steps, last)
        return self._states[self._cursor]

    def depth(self):
        """
        Tell how many changes can be undone and how many can be redone.
        :return: tuple, the two numbers
        >>> history = EditHistory("draft")
        >>> history.record("draft two")
        True
        >>> history.depth()
        (1, 0)
        """
        back = self._cursor
        forward = len(self._states) - self._cursor - 1
        return back, forward

    def back_to(self, word):
        """
        Undo changes until the text contains a word. Nothing is undone if no version has it.
        :param word: str, the word to look for
        :return: int, the number of changes undone, or -1 if no version has the word
        >>> history = EditHistory("first draft")
        >>> history.record("second text")
        True
        >>> history.back_to("draft")
        1
        """
        for index in range(self._cursor, -1, -1):
            if word in self._states[index]:
                undone = self._cursor - index
                self._cursor = index
                return undone
        return -1
