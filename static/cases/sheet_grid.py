class SheetGrid:
    """
    The cells of a spreadsheet. A cell is named by letters for its column and digits
    for its row, such as B12.
    """

    def __init__(self):
        self._cells = {}

    @staticmethod
    def column_number(letters):
        """
        Turn the letters of a column into its number.
        :param letters: str, the letters, large or small
        :return: int, the number of the column
        >>> SheetGrid.column_number("C") - SheetGrid.column_number("A")
        2
        """
        number = 0
        for letter in letters.upper():
            number = number * 26 + ord(letter) - ord("A") + 1
        return number

    @staticmethod
    def column_letters(number):
        """
        Turn the number of a column into its letters.
        :param number: int, the number of the column
        :return: str, the letters in capitals
        >>> SheetGrid.column_letters(SheetGrid.column_number("XY"))
        'XY'
        """
        letters = ""
        while number > 0:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("A") + rest) + letters
        return letters

    def locate(self, name):
        """
        Find the row and the column that the name of a cell stands for.
        ValueError is raised if it is no name of a cell.
        :param name: str, the name of the cell
        :return: tuple, the number of the row and the number of the column
        >>> row, column = SheetGrid().locate("B12")
        >>> row
        12
        """
        letters = name.rstrip("0123456789")
        digits = name[len(letters):]
        if not (letters.isascii() and letters.isalpha()) or not digits or int(digits) == 0:
            raise ValueError("no such cell: " + name)
        return int(digits), self.column_number(letters)

    def move(self, name, down, right):
        """
        Name the cell some steps away. ValueError is raised if it would be off the sheet.
        :param name: str, the cell to start at
        :param down: int, steps down, negative for up
        :param right: int, steps to the right, negative for left
        :return: str, the name of the cell reached
        >>> SheetGrid().move("B12", 3, 1)
        'C15'
        """
        row, column = self.locate(name)
        row += down
        column += right
        if row < 1 or column < 1:
            raise ValueError("off the sheet")
        return self.column_letters(column) + str(row)

    def write(self, name, value):
        """
        Write a number into a cell. None empties the cell.
        :param name: str, the name of the cell
        :param value: float, the number, or None
        :return: float, the number that stood there before, or None
        >>> SheetGrid().write("A1", 5) is None
        True
        """
        place = self.locate(name)
        old = self._cells.pop(place, None)
        if value is not None:
            self._cells[place] = value
        return old

    def read(self, name):
        """
        Read the number in a cell. An empty cell counts as 0.
        :param name: str, the name of the cell
        :return: float, the number
        >>> SheetGrid().read("A1")
        0
        """
        return self._cells.get(self.locate(name), 0)

    def block_sum(self, first, last):
        """
        Add up the numbers in a rectangle of cells, both corners included.
        :param first: str, the corner at the top left
        :param last: str, the corner at the bottom right
        :return: float, the sum
        >>> sheet = SheetGrid()
        >>> old = sheet.write("A1", 5), sheet.write("B2", 7), sheet.write("C3", 9)
        >>> sheet.block_sum("A1", "B2")
        12
        """
        top, left = self.locate(first)
        bottom, right = self.locate(last)
        total = 0
        for (row, column), value in self._cells.items():
            if top <= row <= bottom and left <= column <= right:
                total += value
        return total

    def corner(self):
        """
        Name the cell at the bottom right of the part of the sheet that is in use.
        :return: str, the name of the cell, or None if the sheet is empty
        >>> sheet = SheetGrid()
        >>> old = sheet.write("A9", 5), sheet.write("D2", 7)
        >>> sheet.corner()
        'D9'
        """
        if not self._cells:
            return None
        bottom = max(row for row, column in self._cells)
        right = max(column for row, column in self._cells)
        return self.column_letters(right) + str(bottom)
