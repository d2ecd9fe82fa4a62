SIZE = 8
FILES = "abcdefgh"


class ChessBoard:
    """
    A chess board. White pieces are capital letters, black pieces small letters,
    and a dot is an empty square. White starts at the bottom.
    """

    START = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR"
    KNIGHT_STEPS = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]

    def __init__(self, position=START):
        """
        Set up a position.
        :param position: str, the rows of the board, the one at the top first
        """
        self.rows = [list(row) for row in position.split("/")]

    def locate(self, square):
        """
        Find the row and the column of a square. ValueError is raised if there is no such square.
        :param square: str, the name of the square, such as e4
        :return: tuple, the index of the row and the index of the column
        >>> row, column = ChessBoard().locate("e4")
        >>> column
        4
        """
        if len(square) != 2 or square[0] not in FILES or square[1] not in "12345678":
            raise ValueError("no such square: " + square)
        return SIZE - int(square[1]), FILES.index(square[0])

    def square(self, row, column):
        """
        Name the square in a row and a column.
        :param row: int, the index of the row
        :param column: int, the index of the column
        :return: str, the name of the square, or None if it is off the board
        >>> board = ChessBoard()
        >>> row, column = board.locate("c6")
        >>> board.square(row, column)
        'c6'
        """
        if row not in range(SIZE) or column not in range(SIZE):
            return None
        return FILES[column] + str(SIZE - row)

    def piece(self, square):
        """
        Tell what stands on a square.
        :param square: str, the name of the square
        :return: str, the piece, or None if the square is empty
        >>> ChessBoard().piece("d1")
        'Q'
        """
        row, column = self.locate(square)
        found = self.rows[row][column]
        return None if found == "." else found

    def move(self, start, goal):
        """
        Move a piece without looking at the rules of the game. A piece on the goal is taken.
        :param start: str, the square the piece stands on
        :param goal: str, the square it goes to
        :return: str, the piece that was taken, or None
        >>> ChessBoard().move("e2", "e4") is None
        True
        """
        piece = self.piece(start)
        if piece is None:
            raise ValueError("no piece on " + start)
        taken = self.piece(goal)
        for square, content in ((start, "."), (goal, piece)):
            row, column = self.locate(square)
            self.rows[row][column] = content
        return taken

    def pawn_steps(self, square):
        """
        List the squares straight ahead that the pawn on a square may go to: one step, or one
        and two steps if it stands where it started. It cannot pass or enter a square in use.
        :param square: str, the square of the pawn
        :return: list, the names of the squares, the nearest first
        >>> ChessBoard().pawn_steps("a1")
        []
        """
        pawn = self.piece(square)
        if pawn not in ("P", "p"):
            return []
        row, column = self.locate(square)
        forward = -1 if pawn == "P" else 1
        home = "2" if pawn == "P" else "7"
        reach = 2 if square[1] == home else 1
        steps = []
        for _ in range(reach):
            row += forward
            name = self.square(row, column)
            if name is None or self.piece(name) is not None:
                break
            steps.append(name)
        return steps

    def knight_steps(self, square):
        """
        List the squares a knight could jump to if it stood on an empty board.
        :param square: str, the square of the knight
        :return: list, the names of the squares in alphabetical order
        >>> ChessBoard().knight_steps("a1")
        ['b3', 'c2']
        """
        row, column = self.locate(square)
        names = []
        for down, right in self.KNIGHT_STEPS:
            name = self.square(row + down, column + right)
            if name is not None:
                names.append(name)
        return sorted(names)

    def material(self):
        """
        Compare the pieces on the board: a queen counts 9, a rook 5, a bishop or a knight 3,
        a pawn 1, a king nothing.
        :return: int, how much White is ahead, negative if Black is ahead
        >>> ChessBoard().material()
        0
        """
        values = {"q": 9, "r": 5, "b": 3, "n": 3, "p": 1}
        balance = 0
        for row in self.rows:
            for piece in row:
                value = values.get(piece.lower(), 0)
                balance += value if piece.isupper() else -value
        return balance
