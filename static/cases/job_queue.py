import heapq


class JobQueue:
    """
    Keeps jobs until somebody has time for them. The most important job comes first,
    and among equally important jobs the one that has waited longest.
    """

    def __init__(self):
        self._heap = []
        self._count = 0

    def add(self, name, priority):
        """
        Put a job into the queue.
        :param name: str, the name of the job
        :param priority: int, the importance of the job, more is more important
        :return: int, how many jobs have been put in so far
        >>> JobQueue().add("copy", 3)
        1
        """
        self._count += 1
        heapq.heappush(self._heap, (-priority, self._count, name))
        return self._count

    def take(self):
        """
        Take the next job out of the queue.
        :return: str, the name of the job, or None if no job is waiting
        >>> queue = JobQueue()
        >>> numbers = queue.add("copy", 3), queue.add("print", 8)
        >>> queue.take()
        'print'
        """
        if not self._heap:
            return None
        rank, order, name = heapq.heappop(self._heap)
        return name

    def top(self, count):
        """
        List the most important jobs, the most important one first, and leave them in the queue.
        :param count: int, the most jobs to list
        :return: list, pairs of name and priority
        >>> queue = JobQueue()
        >>> queue.add("copy", 3)
        1
        >>> queue.top(5)
        [('copy', 3)]
        """
        best = heapq.nsmallest(count, self._heap)
        return [(name, -rank) for rank, order, name in best]

    def promote(self, name, amount):
        """
        Make a waiting job more important. If several jobs have the name, all of them change.
        :param name: str, the name of the job
        :param amount: int, how much the priority grows
        :return: int, the number of jobs changed
        >>> queue = JobQueue()
        >>> numbers = queue.add("copy", 3), queue.add("print", 8)
        >>> queue.promote("copy", 10)
        1
        """
        changed = 0
        for index, (rank, order, waiting) in enumerate(self._heap):
            if waiting == name:
                self._heap[index] = (rank - amount, order, waiting)
                changed += 1
        heapq.heapify(self._heap)
        return changed

    def urgent(self, limit):
        """
        Count the jobs that have at least a certain priority.
        :param limit: int, the lowest priority that counts
        :return: int, the number of jobs
        >>> queue = JobQueue()
        >>> numbers = queue.add("copy", 3), queue.add("print", 8), queue.add("scan", 4)
        >>> queue.urgent(4)
        2
        """
        total = 0
        for rank, order, name in self._heap:
            if rank <= -limit:
                total += 1
        return total

    def cancel(self, name):
        """
        Remove every job with a name from the queue.
        :param name: str, the name
        :return: bool, whether there was such a job
        >>> JobQueue().cancel("copy")
        False
        """
        kept = [entry for entry in self._heap if entry[2] != name]
        if len(kept) == len(self._heap):
            return False
        heapq.heapify(kept)
        self._heap = kept
        return True

    def oldest(self):
        """
        Find the job that has waited longest, whatever its priority.
        :return: str, the name of the job, or None if no job is waiting
        >>> queue = JobQueue()
        >>> numbers = queue.add("copy", 3), queue.add("print", 8)
        >>> queue.oldest()
        'copy'
        """
        if not self._heap:
            return None
        first = min(self._heap, key=lambda entry: entry[1])
        return first[2]
