import math
import statistics
from collections import deque


class ReadingStats:
    """Watches a row of measured values and keeps figures about the most recent ones."""

    def __init__(self, size):
        """Start without values.

        :param size: int, how many of the most recent values are kept
        """
        self.window = deque(maxlen=size)
        self.total = 0.0

    def add(self, value):
        """Take in a new value. If there are too many, the oldest one is left out from now
        on. Values that are no number are not taken in.

        :param value: float, the new value
        :return: bool, True if the value was taken in

        >>> ReadingStats(3).add(20.5)
        True
        """
        if not math.isfinite(value):
            return False
        if len(self.window) == self.window.maxlen:
            self.total -= self.window[0]
        self.window.append(value)
        self.total += value
        return True

    @property
    def mean(self):
        """The mean of the values kept, or None if there are none.

        :return: float, the mean

        >>> ReadingStats(3).mean is None
        True
        """
        if not self.window:
            return None
        return self.total / len(self.window)

    def variance(self):
        """Calculate the variance of the values kept.

        :return: float, the variance, 0.0 if there are no values

        >>> stats = ReadingStats(3)
        >>> stats.add(5.0)
        True
        >>> stats.variance()
        0.0
        """
        if not self.window:
            return 0.0
        squares = [(value - self.mean) ** 2 for value in self.window]
        return math.fsum(squares) / len(self.window)

    def deviation(self):
        """Calculate the standard deviation of the values kept.

        :return: float, the standard deviation, 0.0 if there are fewer than two values

        >>> stats = ReadingStats(3)
        >>> for value in (5.0, 5.0, 5.0):
        ...     known = stats.add(value)
        >>> stats.deviation()
        0.0
        """
        if len(self.window) < 2:
            return 0.0
        return statistics.pstdev(self.window)

    def is_outlier(self, value, factor=2):
        """Judge whether a value is farther from the mean than usual. Without a deviation
        nothing is an outlier.

        :param value: float, the value to judge, which is not taken in
        :param factor: float, how many standard deviations are still usual
        :return: bool, True if the value is unusual

        >>> ReadingStats(3).is_outlier(100.0)
        False
        """
        deviation = self.deviation()
        if deviation == 0:
            return False
        distance = abs(value - self.mean)
        return distance > factor * deviation

    def middle(self):
        """Find the value in the middle of the values kept. Of two values in the middle the
        smaller one is taken, so that the result has really been measured.

        :return: float, the value, or None if there are none

        >>> stats = ReadingStats(3)
        >>> stats.add(5.0)
        True
        >>> stats.middle()
        5.0
        """
        if not self.window:
            return None
        return statistics.median_low(self.window)

    def band_of(self, value, width):
        """Tell the number of the band in which a value lies. All bands are equally wide.

        :param value: float, the value
        :param width: float, how wide a band is
        :return: int, the number of the band

        >>> ReadingStats(3).band_of(7.5, 5.0)
        1
        """
        return math.floor(value / width)

    def histogram(self, width):
        """Count the values kept band by band. Empty bands between others count as well.

        :param width: float, how wide a band is
        :return: list of tuple (float, int), where each band begins, and how many values
            lie in it, from the lowest band up

        >>> stats = ReadingStats(3)
        >>> stats.add(7.5)
        True
        >>> stats.histogram(5.0)
        [(5.0, 1)]
        """
        if not self.window:
            return []
        lowest = self.band_of(min(self.window), width)
        highest = self.band_of(max(self.window), width)
        counts = [0] * (highest - lowest + 1)
        for value in self.window:
            counts[self.band_of(value, width) - lowest] += 1
        return [((lowest + index) * width, count) for index, count in enumerate(counts)]
