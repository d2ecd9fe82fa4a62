class TheatreSeats:
    """The seat map of a theatre. A label such as "B4" names a row and a seat in it."""

    FREE = "."
    TAKEN = "#"

    def __init__(self, rows, width):
        """Make an empty theatre.

        :param rows: int, the number of rows, at most 26
        :param width: int, the number of seats in each row
        """
        self.width = width
        self.holders = [[None] * width for _ in range(rows)]

    def label(self, row, column):
        """Write the label of a place in the seat map.

        :param row: int, the index of the row in the map
        :param column: int, the index within the row
        :return: str, the label as printed on a ticket

        >>> seats = TheatreSeats(3, 8)
        >>> seats.locate(seats.label(1, 3))
        (1, 3)
        """
        letter = chr(ord("A") + row)
        return letter + str(column + 1)

    def locate(self, label):
        """Find the place in the seat map that a label names.

        :param label: str, the label as printed on a ticket, in any letter case
        :return: tuple of (int, int), the indexes of row and place; ValueError if there is
            no such seat

        >>> TheatreSeats(3, 8).locate("B4")
        (1, 3)
        """
        row = ord(label[0].upper()) - ord("A")
        number = int(label[1:])
        if row not in range(len(self.holders)):
            raise ValueError(f"no row for {label}")
        if not 1 <= number <= self.width:
            raise ValueError(f"no seat for {label}")
        return row, number - 1

    def reserve(self, name, *labels):
        """Reserve seats for a person: all of them, or none if one is taken already.

        :param name: str, the name of the person
        :param labels: str, the labels of the seats
        :return: bool, True if the seats are reserved now

        >>> TheatreSeats(3, 8).reserve("Ann", "A2", "A3")
        True
        """
        places = [self.locate(label) for label in labels]
        for row, column in places:
            if self.holders[row][column] is not None:
                return False
        for row, column in places:
            self.holders[row][column] = name
        return True

    def release(self, row_letter, first, last):
        """Make a stretch of seats in one row free again.

        :param row_letter: str, the letter of the row
        :param first: int, the number of the first seat
        :param last: int, the number of the last seat
        :return: int, how many seats had been taken

        >>> seats = TheatreSeats(3, 8)
        >>> seats.reserve("Ann", "A4")
        True
        >>> seats.release("A", 2, 6)
        1
        """
        row, start = self.locate(f"{row_letter}{first}")
        stop = self.locate(f"{row_letter}{last}")[1] + 1
        released = 0
        for column in range(start, stop):
            if self.holders[row][column] is not None:
                self.holders[row][column] = None
                released += 1
        return released

    def find_block(self, size):
        """Find free seats side by side in one row, as near to the stage as possible and
        then as far to the left as possible.

        :param size: int, how many seats are wanted
        :return: list of str, the labels of the seats, empty if there are none

        >>> len(TheatreSeats(3, 8).find_block(3))
        3
        """
        for row, seats in enumerate(self.holders):
            run = 0
            for column, holder in enumerate(seats):
                run = run + 1 if holder is None else 0
                if run == size:
                    first = column - size + 1
                    return [self.label(row, place) for place in range(first, column + 1)]
        return []

    def draw_row(self, row_letter):
        """Draw one row, with the letter of the row in front.

        :param row_letter: str, the letter of the row
        :return: str, the letter, a blank, and one mark for each seat

        >>> TheatreSeats(2, 5).draw_row("B")
        'B .....'
        """
        row, _ = self.locate(row_letter + "1")
        marks = ""
        for holder in self.holders[row]:
            marks += self.FREE if holder is None else self.TAKEN
        return f"{row_letter.upper()} {marks}"
