SCALE = 1000


class TokenBucket:
    """Limits how often something may happen. Time is passed in as ticks, which never go
    back; one tick is a millisecond."""

    def __init__(self, per_second, burst):
        """Start with a full bucket at tick 0.

        :param per_second: int, how many tokens come in each second
        :param burst: int, how many tokens the bucket holds at most
        """
        self.per_second = per_second
        self.limit = burst * SCALE
        self.level = self.limit
        self.last_tick = 0
        self.refused = 0

    def refill(self, tick):
        """Put in the tokens that have come since the last time. What does not fit is lost.

        :param tick: int, the present tick
        :return: bool, True if the bucket is full now; ValueError if the tick goes back

        >>> TokenBucket(5, 10).refill(2000)
        True
        """
        passed = tick - self.last_tick
        if passed < 0:
            raise ValueError("ticks must not go back")
        self.last_tick = tick
        self.level += passed * self.per_second
        if self.level >= self.limit:
            self.level = self.limit
            return True
        return False

    def whole_tokens(self, tick):
        """Count the tokens that could be taken out.

        :param tick: int, the present tick
        :return: int, the number of tokens

        >>> TokenBucket(5, 10).whole_tokens(0)
        10
        """
        self.refill(tick)
        return self.level // SCALE

    def take(self, tick, count=1):
        """Take tokens out: all that are wanted, or none if there are not enough. A refusal
        is counted.

        :param tick: int, the present tick
        :param count: int, how many tokens are wanted
        :return: bool, True if the tokens were there

        >>> TokenBucket(5, 10).take(0, 3)
        True
        """
        self.refill(tick)
        price = count * SCALE
        if price > self.level:
            self.refused += 1
            return False
        self.level -= price
        return True

    def wait_for(self, tick, count=1):
        """Tell how long to wait until enough tokens are there. Nothing is taken out.

        :param tick: int, the present tick
        :param count: int, how many tokens are wanted
        :return: int, the number of ticks to wait, or -1 if the bucket cannot hold so many

        >>> TokenBucket(5, 10).wait_for(0, 10)
        0
        """
        price = count * SCALE
        if price > self.limit:
            return -1
        self.refill(tick)
        lacking = price - self.level
        if lacking <= 0:
            return 0
        return (lacking + self.per_second - 1) // self.per_second

    def give_back(self, count):
        """Put tokens back that were taken out but not used. The bucket does not get fuller
        than it can be.

        :param count: int, how many tokens are put back
        :return: int, how many of them fit in whole

        >>> bucket = TokenBucket(5, 10)
        >>> bucket.take(0, 3)
        True
        >>> bucket.give_back(2)
        2
        """
        before = self.level
        self.level = min(self.limit, self.level + count * SCALE)
        return (self.level - before) // SCALE

    def change_rate(self, tick, per_second):
        """Change how many tokens come in. What came in so far counts by the old rate.

        :param tick: int, the present tick
        :param per_second: int, how many tokens come in each second from now on
        :return: int, the old number; ValueError unless the new one is above zero

        >>> TokenBucket(5, 10).change_rate(0, 8)
        5
        """
        if per_second <= 0:
            raise ValueError("the rate must be above zero")
        self.refill(tick)
        previous = self.per_second
        self.per_second = per_second
        return previous
