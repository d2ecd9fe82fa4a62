class Turnstile:
    """
    The turnstile at the gate of a swimming pool. It opens for one guest when the fare is paid.
    """

    LOCKED = "locked"
    OPEN = "open"
    CLOSED = "closed"

    PASSED = 1
    WAITING = 0
    REFUSED = -1

    FARE = 4

    def __init__(self):
        self.state = self.LOCKED
        self.credit = 0
        self.guests = 0
        self.taken = 0

    def insert(self, amount):
        """
        Put money in. The gate opens when there is enough for one guest.
        :param amount: int, the money
        :return: int, one of the outcomes of the turnstile
        >>> Turnstile().insert(4) == Turnstile.PASSED
        True
        """
        if self.state == self.CLOSED or amount <= 0:
            return self.REFUSED
        self.credit += amount
        if self.state == self.LOCKED and self.credit >= self.FARE:
            self._open()
            return self.PASSED
        return self.WAITING

    def push(self):
        """
        Push against the bars and walk through if they give way.
        If there is money left for one more guest, the gate stays open.
        :return: int, one of the outcomes of the turnstile
        >>> gate = Turnstile()
        >>> gate.insert(4) == Turnstile.PASSED
        True
        >>> gate.push() == Turnstile.PASSED
        True
        """
        if self.state != self.OPEN:
            return self.REFUSED
        self.guests += 1
        self.state = self.LOCKED
        if self.credit >= self.FARE:
            self._open()
        return self.PASSED

    def close(self):
        """
        Close the gate for the night and pay back what has not been used.
        The fare of an open gate has not been used.
        :return: int, the money paid back
        >>> gate = Turnstile()
        >>> gate.insert(3) == Turnstile.WAITING
        True
        >>> gate.close()
        3
        """
        back = self.credit
        if self.state == self.OPEN:
            back += self.FARE
            self.taken -= self.FARE
        self.credit = 0
        self.state = self.CLOSED
        return back

    def reopen(self):
        """
        Start a new day after the gate was closed. Guests and money are counted from zero.
        :return: bool, whether the gate had been closed
        >>> Turnstile().reopen()
        False
        """
        if self.state != self.CLOSED:
            return False
        self.state = self.LOCKED
        self.guests = 0
        self.taken = 0
        return True

    def replay(self, events):
        """
        Run through a list of events: a number is money put in, None is a push.
        :param events: list, the events
        :return: dict, how often each outcome of the turnstile came up
        >>> Turnstile().replay([2, 2, None]) == {Turnstile.WAITING: 1, Turnstile.PASSED: 2}
        True
        """
        tally = {}
        for event in events:
            if event is None:
                outcome = self.push()
            else:
                outcome = self.insert(event)
            tally[outcome] = tally.get(outcome, 0) + 1
        return tally

    def balanced(self):
        """
        Check the books: the money taken must be the fares of the guests who went through
        and of the one who may go through now.
        :return: bool, whether the books are right
        >>> Turnstile().balanced()
        True
        """
        paid = self.guests
        if self.state == self.OPEN:
            paid += 1
        return self.taken == paid * self.FARE

    def _open(self):
        self.credit -= self.FARE
        self.taken += self.FARE
        self.state = self.OPEN
