import unittest

from theatre_seats import TheatreSeats


class TheatreSeatsTestLabel(unittest.TestCase):
    def test_first_seat(self):
        self.assertEqual(TheatreSeats(2, 5).label(0, 0), "A1")

    def test_last_seat(self):
        self.assertEqual(TheatreSeats(2, 5).label(1, 4), "B5")

    def test_two_digits(self):
        self.assertEqual(TheatreSeats(4, 20).label(3, 11), "D12")

    def test_last_letter(self):
        self.assertEqual(TheatreSeats(26, 1).label(25, 0), "Z1")


class TheatreSeatsTestLocate(unittest.TestCase):
    def test_first_seat(self):
        self.assertEqual(TheatreSeats(2, 5).locate("A1"), (0, 0))

    def test_last_seat(self):
        self.assertEqual(TheatreSeats(2, 5).locate("b5"), (1, 4))

    def test_no_such_seat(self):
        for label in ("A0", "A6"):
            with self.assertRaises(ValueError):
                TheatreSeats(2, 5).locate(label)

    def test_no_such_row(self):
        with self.assertRaises(ValueError):
            TheatreSeats(2, 5).locate("C1")

    def test_opposite_of_label(self):
        seats = TheatreSeats(3, 12)
        for row in range(3):
            for column in range(12):
                self.assertEqual(seats.locate(seats.label(row, column)), (row, column))


class TheatreSeatsTestReserve(unittest.TestCase):
    def test_seats(self):
        seats = TheatreSeats(2, 3)
        self.assertIs(seats.reserve("Ann", "A1", "B3"), True)
        self.assertEqual(seats.holders, [["Ann", None, None], [None, None, "Ann"]])

    def test_taken(self):
        seats = TheatreSeats(1, 3)
        seats.reserve("Ann", "A2")
        self.assertIs(seats.reserve("Bo", "A2"), False)
        self.assertEqual(seats.holders, [[None, "Ann", None]])

    def test_all_or_none(self):
        seats = TheatreSeats(1, 3)
        seats.reserve("Ann", "A2")
        self.assertIs(seats.reserve("Bo", "A1", "A2", "A3"), False)
        self.assertEqual(seats.holders, [[None, "Ann", None]])

    def test_unknown_seat_reserves_nothing(self):
        seats = TheatreSeats(1, 3)
        with self.assertRaises(ValueError):
            seats.reserve("Bo", "A1", "A4")
        self.assertEqual(seats.holders, [[None, None, None]])


class TheatreSeatsTestRelease(unittest.TestCase):
    def setUp(self):
        self.seats = TheatreSeats(2, 5)
        self.seats.reserve("Ann", "A1", "A2", "A3", "A4", "A5")

    def test_stretch(self):
        self.assertEqual(self.seats.release("A", 2, 4), 3)
        self.assertEqual(self.seats.draw_row("A"), "A #...#")

    def test_one_seat(self):
        self.assertEqual(self.seats.release("A", 1, 1), 1)
        self.assertEqual(self.seats.draw_row("A"), "A .####")

    def test_whole_row(self):
        self.assertEqual(self.seats.release("a", 1, 5), 5)
        self.assertEqual(self.seats.draw_row("A"), "A .....")

    def test_free_seats_do_not_count(self):
        self.seats.release("A", 5, 5)
        self.assertEqual(self.seats.release("A", 4, 5), 1)
        self.assertEqual(self.seats.release("B", 1, 5), 0)

    def test_no_such_seat(self):
        for first, last in ((0, 3), (3, 6)):
            with self.assertRaises(ValueError):
                self.seats.release("A", first, last)
        self.assertEqual(self.seats.draw_row("A"), "A #####")


class TheatreSeatsTestFindBlock(unittest.TestCase):
    def test_empty_theatre(self):
        self.assertEqual(TheatreSeats(2, 4).find_block(2), ["A1", "A2"])

    def test_gap(self):
        seats = TheatreSeats(2, 5)
        seats.reserve("Ann", "A2")
        self.assertEqual(seats.find_block(3), ["A3", "A4", "A5"])

    def test_next_row(self):
        seats = TheatreSeats(2, 4)
        seats.reserve("Ann", "A3")
        self.assertEqual(seats.find_block(3), ["B1", "B2", "B3"])

    def test_not_across_rows(self):
        seats = TheatreSeats(2, 3)
        seats.reserve("Ann", "A1", "B3")
        self.assertEqual(seats.find_block(3), [])

    def test_one_seat(self):
        seats = TheatreSeats(1, 3)
        seats.reserve("Ann", "A1", "A2")
        self.assertEqual(seats.find_block(1), ["A3"])

    def test_block_can_be_reserved(self):
        seats = TheatreSeats(1, 4)
        self.assertTrue(seats.reserve("Ann", *seats.find_block(4)))
        self.assertEqual(seats.draw_row("A"), "A ####")


class TheatreSeatsTestDrawRow(unittest.TestCase):
    def test_free(self):
        self.assertEqual(TheatreSeats(1, 3).draw_row("A"), "A ...")

    def test_taken(self):
        seats = TheatreSeats(2, 4)
        seats.reserve("Ann", "B1", "B4")
        self.assertEqual(seats.draw_row("B"), "B #..#")
        self.assertEqual(seats.draw_row("A"), "A ....")

    def test_small_letter(self):
        self.assertEqual(TheatreSeats(2, 1).draw_row("b"), "B .")

    def test_no_such_row(self):
        with self.assertRaises(ValueError):
            TheatreSeats(2, 3).draw_row("C")


class TheatreSeatsTest(unittest.TestCase):
    def test_an_evening(self):
        seats = TheatreSeats(2, 4)
        self.assertTrue(seats.reserve("Ann", *seats.find_block(3)))
        self.assertTrue(seats.reserve("Bo", *seats.find_block(2)))
        self.assertEqual([seats.draw_row("A"), seats.draw_row("B")], ["A ###.", "B ##.."])
        seats.release("A", 1, 3)
        self.assertEqual(seats.find_block(4), ["A1", "A2", "A3", "A4"])


if __name__ == "__main__":
    unittest.main()
