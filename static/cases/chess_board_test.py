import unittest

from chess_board import ChessBoard

EMPTY = "/".join(["........"] * 8)


class ChessBoardTestLocate(unittest.TestCase):
    def setUp(self):
        self.board = ChessBoard()

    def test_bottom_left(self):
        self.assertEqual(self.board.locate("a1"), (7, 0))

    def test_top_right(self):
        self.assertEqual(self.board.locate("h8"), (0, 7))

    def test_middle(self):
        self.assertEqual(self.board.locate("e4"), (4, 4))
        self.assertEqual(self.board.locate("b3"), (5, 1))

    def test_no_square(self):
        for name in ("", "e", "e9", "e0", "i1", "4e", "e44"):
            with self.assertRaises(ValueError):
                self.board.locate(name)


class ChessBoardTestSquare(unittest.TestCase):
    def setUp(self):
        self.board = ChessBoard()

    def test_corners(self):
        self.assertEqual(self.board.square(0, 0), "a8")
        self.assertEqual(self.board.square(7, 7), "h1")

    def test_middle(self):
        self.assertEqual(self.board.square(5, 1), "b3")

    def test_off_the_board(self):
        for row, column in ((-1, 0), (0, -1), (8, 0), (0, 8)):
            self.assertIsNone(self.board.square(row, column))

    def test_round_trip(self):
        for row in range(8):
            for column in range(8):
                name = self.board.square(row, column)
                self.assertEqual(self.board.locate(name), (row, column))


class ChessBoardTestPiece(unittest.TestCase):
    def setUp(self):
        self.board = ChessBoard()

    def test_white(self):
        self.assertEqual(self.board.piece("e1"), "K")
        self.assertEqual(self.board.piece("h2"), "P")

    def test_black(self):
        self.assertEqual(self.board.piece("d8"), "q")

    def test_empty(self):
        self.assertIsNone(self.board.piece("d5"))

    def test_no_square(self):
        with self.assertRaises(ValueError):
            self.board.piece("z9")


class ChessBoardTestMove(unittest.TestCase):
    def setUp(self):
        self.board = ChessBoard()

    def test_to_empty_square(self):
        self.assertIsNone(self.board.move("e2", "e4"))
        self.assertIsNone(self.board.piece("e2"))
        self.assertEqual(self.board.piece("e4"), "P")

    def test_taken(self):
        self.assertEqual(self.board.move("d1", "d7"), "p")
        self.assertEqual(self.board.piece("d7"), "Q")

    def test_no_piece(self):
        with self.assertRaises(ValueError):
            self.board.move("e4", "e5")

    def test_to_the_same_square(self):
        self.board.move("e2", "e2")
        self.assertEqual(self.board.piece("e2"), "P")


class ChessBoardTestPawnSteps(unittest.TestCase):
    def setUp(self):
        self.board = ChessBoard()

    def test_white_at_the_start(self):
        self.assertEqual(self.board.pawn_steps("e2"), ["e3", "e4"])

    def test_black_at_the_start(self):
        self.assertEqual(self.board.pawn_steps("e7"), ["e6", "e5"])

    def test_later(self):
        self.board.move("e2", "e4")
        self.assertEqual(self.board.pawn_steps("e4"), ["e5"])

    def test_blocked(self):
        self.board.move("d8", "e3")
        self.assertEqual(self.board.pawn_steps("e2"), [])
        self.board.move("e3", "e4")
        self.assertEqual(self.board.pawn_steps("e2"), ["e3"])

    def test_at_the_far_end(self):
        board = ChessBoard("P......./" + EMPTY[9:])
        self.assertEqual(board.pawn_steps("a8"), [])

    def test_no_pawn(self):
        self.assertEqual(self.board.pawn_steps("e1"), [])
        self.assertEqual(self.board.pawn_steps("e5"), [])


class ChessBoardTestKnightSteps(unittest.TestCase):
    def setUp(self):
        self.board = ChessBoard()

    def test_corner(self):
        self.assertEqual(self.board.knight_steps("h8"), ["f7", "g6"])

    def test_middle(self):
        expected = ["c3", "c5", "d2", "d6", "f2", "f6", "g3", "g5"]
        self.assertEqual(self.board.knight_steps("e4"), expected)

    def test_edge(self):
        self.assertEqual(self.board.knight_steps("g1"), ["e2", "f3", "h3"])

    def test_no_square(self):
        with self.assertRaises(ValueError):
            self.board.knight_steps("j1")


class ChessBoardTestMaterial(unittest.TestCase):
    def test_start(self):
        self.assertEqual(ChessBoard().material(), 0)

    def test_empty(self):
        self.assertEqual(ChessBoard(EMPTY).material(), 0)

    def test_white_takes_the_queen(self):
        board = ChessBoard()
        board.move("d1", "d8")
        self.assertEqual(board.material(), 9)

    def test_black_takes_a_knight_and_a_pawn(self):
        board = ChessBoard()
        board.move("a8", "b1")
        board.move("b8", "c2")
        self.assertEqual(board.material(), -4)
