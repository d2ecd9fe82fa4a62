import bisect


class Leaderboard:
    """The best scores of an arcade game, always in order, so that nothing is ever sorted."""

    def __init__(self):
        self.entries = []
        self.scores = {}

    def submit(self, name, score):
        """Enter the score of a player. Of several scores of a player only the best counts.

        :param name: str, the name of the player
        :param score: int, the score
        :return: bool, True if this is the player's best score so far

        >>> Leaderboard().submit("Ann", 120)
        True
        """
        best = self.scores.get(name)
        if best is not None:
            if score <= best:
                return False
            self.remove(name)
        self.scores[name] = score
        bisect.insort(self.entries, (-score, name))
        return True

    def remove(self, name):
        """Take a player off the board.

        :param name: str, the name of the player
        :return: int, the best score the player had, or None if the player was not there

        >>> board = Leaderboard()
        >>> board.submit("Ann", 120)
        True
        >>> board.remove("Ann")
        120
        """
        score = self.scores.pop(name, None)
        if score is None:
            return None
        index = bisect.bisect_left(self.entries, (-score, name))
        del self.entries[index]
        return score

    def top(self, count=3):
        """List the best players, the best one first. Players with equal scores come in
        alphabetical order.

        :param count: int, how many players to list
        :return: list of tuple (str, int), names and scores

        >>> board = Leaderboard()
        >>> board.submit("Ann", 120)
        True
        >>> board.top()
        [('Ann', 120)]
        """
        best = []
        for negated, name in self.entries[:count]:
            best.append((name, -negated))
        return best

    def rank_of(self, name):
        """Tell which rank a player has. Players with equal scores share a rank.

        :param name: str, the name of the player
        :return: int, one more than the number of players with a better score; KeyError if
            the player is not on the board

        >>> board = Leaderboard()
        >>> board.submit("Ann", 120)
        True
        >>> board.rank_of("Ann")
        1
        """
        score = self.scores[name]
        better = bisect.bisect_left(self.entries, (-score,))
        return better + 1

    def count_at_least(self, score):
        """Count the players who have reached a score.

        :param score: int, the score to reach
        :return: int, the number of players with this score or a better one

        >>> board = Leaderboard()
        >>> board.submit("Ann", 120)
        True
        >>> board.count_at_least(100)
        1
        """
        return bisect.bisect_left(self.entries, (-score + 1,))

    def standings(self):
        """List the whole board, the best player first, with the number that each player
        holds on the board.

        :return: list of tuple (int, str, int), numbers, names and scores

        >>> board = Leaderboard()
        >>> board.submit("Ann", 120)
        True
        >>> board.standings()
        [(1, 'Ann', 120)]
        """
        table = []
        spot = 0
        previous = None
        for position, (negated, name) in enumerate(self.entries, start=1):
            if negated != previous:
                spot = position
                previous = negated
            table.append((spot, name, -negated))
        return table
