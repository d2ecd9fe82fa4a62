import unittest

from leaderboard import Leaderboard


def board_of(**scores):
    board = Leaderboard()
    for name, score in scores.items():
        board.submit(name, score)
    return board


class LeaderboardTestSubmit(unittest.TestCase):
    def test_best_first(self):
        board = board_of(Ann=50, Bo=90, Cy=70)
        self.assertEqual([name for name, _ in board.top(3)], ["Bo", "Cy", "Ann"])

    def test_better_score(self):
        board = board_of(Ann=50, Bo=60)
        self.assertIs(board.submit("Ann", 70), True)
        self.assertEqual(board.top(), [("Ann", 70), ("Bo", 60)])

    def test_worse_score(self):
        board = board_of(Ann=50)
        self.assertIs(board.submit("Ann", 40), False)
        self.assertEqual(board.top(), [("Ann", 50)])

    def test_equal_score(self):
        board = board_of(Ann=50)
        self.assertIs(board.submit("Ann", 50), False)

    def test_score_of_zero(self):
        board = board_of(Ann=0)
        self.assertIs(board.submit("Ann", -5), False)
        self.assertEqual(board.top(), [("Ann", 0)])


class LeaderboardTestRemove(unittest.TestCase):
    def test_score(self):
        board = board_of(Ann=50, Bo=60)
        self.assertEqual(board.remove("Ann"), 50)
        self.assertEqual(board.top(), [("Bo", 60)])

    def test_unknown(self):
        board = board_of(Ann=50)
        self.assertIsNone(board.remove("Bo"))
        self.assertEqual(board.top(), [("Ann", 50)])

    def test_among_equals(self):
        board = board_of(Ann=50, Bo=50, Cy=50)
        self.assertEqual(board.remove("Bo"), 50)
        self.assertEqual(board.top(), [("Ann", 50), ("Cy", 50)])

    def test_score_of_zero(self):
        board = board_of(Ann=0)
        self.assertEqual(board.remove("Ann"), 0)
        self.assertEqual(board.top(), [])

    def test_can_come_back(self):
        board = board_of(Ann=50)
        board.remove("Ann")
        self.assertTrue(board.submit("Ann", 10))


class LeaderboardTestTop(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(Leaderboard().top(), [])

    def test_count(self):
        board = board_of(Ann=1, Bo=2, Cy=3, Di=4)
        self.assertEqual(board.top(2), [("Di", 4), ("Cy", 3)])
        self.assertEqual(len(board.top()), 3)

    def test_fewer_players(self):
        self.assertEqual(board_of(Ann=1).top(5), [("Ann", 1)])

    def test_equal_scores(self):
        self.assertEqual(board_of(Cy=7, Ann=7, Bo=9).top(), [("Bo", 9), ("Ann", 7), ("Cy", 7)])

    def test_none_wanted(self):
        self.assertEqual(board_of(Ann=1).top(0), [])


class LeaderboardTestRankOf(unittest.TestCase):
    def test_ranks(self):
        board = board_of(Ann=50, Bo=90, Cy=70)
        self.assertEqual([board.rank_of(n) for n in ("Ann", "Bo", "Cy")], [3, 1, 2])

    def test_shared(self):
        board = board_of(Ann=90, Bo=90, Cy=70)
        self.assertEqual([board.rank_of(n) for n in ("Ann", "Bo", "Cy")], [1, 1, 3])

    def test_after_a_better_score(self):
        board = board_of(Ann=50, Bo=90)
        board.submit("Ann", 100)
        self.assertEqual(board.rank_of("Ann"), 1)
        self.assertEqual(board.rank_of("Bo"), 2)

    def test_unknown(self):
        with self.assertRaises(KeyError):
            board_of(Ann=50).rank_of("Bo")


class LeaderboardTestCountAtLeast(unittest.TestCase):
    def test_between(self):
        self.assertEqual(board_of(Ann=50, Bo=90, Cy=70).count_at_least(60), 2)

    def test_exactly(self):
        self.assertEqual(board_of(Ann=50, Bo=90, Cy=70).count_at_least(70), 2)
        self.assertEqual(board_of(Ann=70, Bo=70).count_at_least(70), 2)

    def test_nobody(self):
        self.assertEqual(board_of(Ann=50).count_at_least(51), 0)
        self.assertEqual(Leaderboard().count_at_least(0), 0)

    def test_everybody(self):
        self.assertEqual(board_of(Ann=0, Bo=5).count_at_least(0), 2)


class LeaderboardTestStandings(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(Leaderboard().standings(), [])

    def test_order(self):
        self.assertEqual(board_of(Ann=5, Bo=8).standings(), [(1, "Bo", 8), (2, "Ann", 5)])

    def test_equal_scores(self):
        board = board_of(Ann=9, Bo=9, Cy=7)
        self.assertEqual(board.standings(), [(1, "Ann", 9), (1, "Bo", 9), (3, "Cy", 7)])

    def test_agrees_with_rank_of(self):
        board = board_of(Ann=3, Bo=4, Cy=4, Di=4, Ed=1)
        for spot, name, score in board.standings():
            self.assertEqual(spot, board.rank_of(name))
            self.assertEqual(score, board.scores[name])

    def test_score_of_zero(self):
        self.assertEqual(board_of(Ann=0, Bo=0).standings(), [(1, "Ann", 0), (1, "Bo", 0)])


class LeaderboardTest(unittest.TestCase):
    def test_a_tournament(self):
        board = Leaderboard()
        for name, score in [("Ann", 10), ("Bo", 30), ("Cy", 20), ("Ann", 30), ("Bo", 5)]:
            board.submit(name, score)
        self.assertEqual(board.top(), [("Ann", 30), ("Bo", 30), ("Cy", 20)])
        self.assertEqual(board.rank_of("Cy"), 3)
        board.remove("Ann")
        self.assertEqual(board.rank_of("Cy"), 2)
        self.assertEqual(board.count_at_least(20), 2)


if __name__ == "__main__":
    unittest.main()
