class RingRecorder:
    """Keeps the last readings of a sensor in a fixed number of slots."""

    def __init__(self, capacity):
        """Make room for readings.

        :param capacity: int, the number of readings kept, at least 1
        """
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.slots = [None] * capacity
        self.head = 0
        self.size = 0

    def record(self, reading):
        """Keep a reading. If there is no room left, the oldest reading has to go.

        :param reading: float, the reading to keep
        :return: float, the reading that had to go, or None

        >>> RingRecorder(2).record(20.5) is None
        True
        """
        dropped = None
        if self.size == len(self.slots):
            dropped = self.take_oldest()
        self.slots[(self.head + self.size) % len(self.slots)] = reading
        self.size += 1
        return dropped

    def take_oldest(self):
        """Take the oldest reading out of the recorder.

        :return: float, the oldest reading; IndexError if there is none

        >>> recorder = RingRecorder(3)
        >>> recorder.record(1.5)
        >>> recorder.take_oldest()
        1.5
        """
        if self.size == 0:
            raise IndexError("no readings")
        oldest = self.slots[self.head]
        self.slots[self.head] = None
        self.head = (self.head + 1) % len(self.slots)
        self.size -= 1
        return oldest

    def latest(self):
        """Look at the newest reading without taking it out.

        :return: float, the newest reading, or None if there is none

        >>> recorder = RingRecorder(3)
        >>> for reading in (1.5, 2.5, 3.5):
        ...     dropped = recorder.record(reading)
        >>> recorder.latest()
        3.5
        """
        if self.size == 0:
            return None
        slot = (self.head + self.size - 1) % len(self.slots)
        return self.slots[slot]

    def resize(self, capacity):
        """Change the number of readings that can be kept. If they do not all fit, the
        newest ones stay.

        :param capacity: int, the new number, at least 1
        :return: int, the number of readings lost

        >>> recorder = RingRecorder(2)
        >>> recorder.record(1.5)
        >>> recorder.resize(4)
        0
        """
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        kept = self.readings()
        lost = max(0, len(kept) - capacity)
        kept = kept[lost:]
        self.slots = kept + [None] * (capacity - len(kept))
        self.head = 0
        self.size = len(kept)
        return lost

    def readings(self):
        """List all readings kept.

        :return: list of float, the readings from the oldest to the newest

        >>> recorder = RingRecorder(2)
        >>> for reading in (1.5, 2.5, 3.5):
        ...     dropped = recorder.record(reading)
        >>> recorder.readings()
        [2.5, 3.5]
        """
        result = []
        for offset in range(self.size):
            slot = (self.head + offset) % len(self.slots)
            result.append(self.slots[slot])
        return result
