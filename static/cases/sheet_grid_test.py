import unittest

from sheet_grid import SheetGrid


def written(**cells):
    sheet = SheetGrid()
    for name, value in cells.items():
        sheet.write(name, value)
    return sheet


class SheetGridTestColumnNumber(unittest.TestCase):
    def test_first(self):
        self.assertEqual(SheetGrid.column_number("A"), 1)

    def test_last_single_letter(self):
        self.assertEqual(SheetGrid.column_number("Z"), 26)

    def test_two_letters(self):
        self.assertEqual(SheetGrid.column_number("AA"), 27)
        self.assertEqual(SheetGrid.column_number("BC"), 55)

    def test_three_letters(self):
        self.assertEqual(SheetGrid.column_number("XFD"), 16384)

    def test_small_letters(self):
        self.assertEqual(SheetGrid.column_number("ab"), 28)


class SheetGridTestColumnLetters(unittest.TestCase):
    def test_first(self):
        self.assertEqual(SheetGrid.column_letters(1), "A")

    def test_around_z(self):
        self.assertEqual([SheetGrid.column_letters(n) for n in (25, 26, 27)], ["Y", "Z", "AA"])

    def test_around_zz(self):
        self.assertEqual([SheetGrid.column_letters(n) for n in (702, 703)], ["ZZ", "AAA"])

    def test_round_trip(self):
        for number in range(1, 2000):
            letters = SheetGrid.column_letters(number)
            self.assertEqual(SheetGrid.column_number(letters), number)

    def test_no_column(self):
        self.assertEqual(SheetGrid.column_letters(0), "")


class SheetGridTestLocate(unittest.TestCase):
    def setUp(self):
        self.sheet = SheetGrid()

    def test_first_cell(self):
        self.assertEqual(self.sheet.locate("A1"), (1, 1))

    def test_row_comes_first(self):
        self.assertEqual(self.sheet.locate("B12"), (12, 2))

    def test_small_letters(self):
        self.assertEqual(self.sheet.locate("aa10"), (10, 27))

    def test_bad_names(self):
        for name in ("", "A", "12", "A0", "1A", "A-1", "A1B2"):
            with self.assertRaises(ValueError):
                self.sheet.locate(name)


class SheetGridTestMove(unittest.TestCase):
    def setUp(self):
        self.sheet = SheetGrid()

    def test_stay(self):
        self.assertEqual(self.sheet.move("C3", 0, 0), "C3")

    def test_down_and_right(self):
        self.assertEqual(self.sheet.move("Z9", 1, 1), "AA10")

    def test_up_and_left(self):
        self.assertEqual(self.sheet.move("AA10", -9, -26), "A1")

    def test_off_the_left_edge(self):
        with self.assertRaises(ValueError):
            self.sheet.move("A1", 0, -1)

    def test_off_the_top_edge(self):
        with self.assertRaises(ValueError):
            self.sheet.move("A1", -1, 0)

    def test_far_off(self):
        with self.assertRaises(ValueError):
            self.sheet.move("C3", -9, -9)


class SheetGridTestWrite(unittest.TestCase):
    def test_first_time(self):
        self.assertIsNone(SheetGrid().write("A1", 5))

    def test_old_number(self):
        sheet = written(A1=5)
        self.assertEqual(sheet.write("A1", 6), 5)
        self.assertEqual(sheet.read("A1"), 6)

    def test_emptied(self):
        sheet = written(A1=5)
        self.assertEqual(sheet.write("A1", None), 5)
        self.assertIsNone(sheet.corner())

    def test_zero_is_no_empty_cell(self):
        self.assertEqual(written(B2=0).corner(), "B2")

    def test_bad_name(self):
        with self.assertRaises(ValueError):
            SheetGrid().write("7", 5)


class SheetGridTestRead(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(SheetGrid().read("A1"), 0)

    def test_number(self):
        self.assertEqual(written(C7=2.5).read("C7"), 2.5)

    def test_not_the_mirrored_cell(self):
        sheet = written(B3=8)
        self.assertEqual(sheet.read("C2"), 0)

    def test_small_letters(self):
        self.assertEqual(written(C7=2).read("c7"), 2)


class SheetGridTestBlockSum(unittest.TestCase):
    def setUp(self):
        self.sheet = written(A1=1, B1=2, A2=4, B2=8, C3=16)

    def test_one_cell(self):
        self.assertEqual(self.sheet.block_sum("B2", "B2"), 8)

    def test_row(self):
        self.assertEqual(self.sheet.block_sum("A1", "Z1"), 3)

    def test_column(self):
        self.assertEqual(self.sheet.block_sum("A1", "A9"), 5)

    def test_corners_included(self):
        self.assertEqual(self.sheet.block_sum("B2", "C3"), 24)

    def test_nothing_there(self):
        self.assertEqual(self.sheet.block_sum("D4", "F9"), 0)


class SheetGridTestCorner(unittest.TestCase):
    def test_empty(self):
        self.assertIsNone(SheetGrid().corner())

    def test_one_cell(self):
        self.assertEqual(written(B7=1).corner(), "B7")

    def test_two_cells(self):
        self.assertEqual(written(AA1=1, B7=1).corner(), "AA7")

    def test_numbers_not_letters_decide(self):
        self.assertEqual(written(Z1=1, AB1=1).corner(), "AB1")
