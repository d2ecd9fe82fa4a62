import unittest
from datetime import date

from booking_calendar import BookingCalendar


def may(day):
    return date(2024, 5, day)


def calendar_of(*bookings):
    calendar = BookingCalendar()
    for group, first, last in bookings:
        calendar.book(group, may(first), may(last))
    return calendar


class BookingCalendarTestLength(unittest.TestCase):
    def test_one_day(self):
        self.assertEqual(BookingCalendar.length(may(4), may(4)), 1)

    def test_a_week(self):
        self.assertEqual(BookingCalendar.length(may(6), may(12)), 7)

    def test_over_the_year(self):
        self.assertEqual(BookingCalendar.length(date(2023, 12, 30), date(2024, 1, 2)), 4)

    def test_wrong_order(self):
        with self.assertRaises(ValueError):
            BookingCalendar.length(may(5), may(4))


class BookingCalendarTestIsFree(unittest.TestCase):
    def setUp(self):
        self.calendar = calendar_of(("Scouts", 10, 12))

    def test_before_and_after(self):
        self.assertTrue(self.calendar.is_free(may(7), may(9)))
        self.assertTrue(self.calendar.is_free(may(13), may(15)))

    def test_last_day_is_taken(self):
        self.assertFalse(self.calendar.is_free(may(12), may(14)))

    def test_first_day_is_taken(self):
        self.assertFalse(self.calendar.is_free(may(8), may(10)))

    def test_inside_and_around(self):
        self.assertFalse(self.calendar.is_free(may(11), may(11)))
        self.assertFalse(self.calendar.is_free(may(1), may(31)))

    def test_no_bookings(self):
        self.assertTrue(BookingCalendar().is_free(may(1), may(31)))


class BookingCalendarTestBook(unittest.TestCase):
    def test_days(self):
        calendar = BookingCalendar()
        self.assertEqual(calendar.book("Scouts", may(1), may(1)), 1)
        self.assertEqual(calendar.book("Choir", may(2), may(5)), 4)

    def test_not_free(self):
        calendar = calendar_of(("Scouts", 3, 5))
        self.assertEqual(calendar.book("Choir", may(5), may(6)), 0)
        self.assertEqual(calendar.bookings, [(may(3), may(5), "Scouts")])

    def test_in_order_of_time(self):
        calendar = calendar_of(("Choir", 8, 9), ("Scouts", 1, 2))
        self.assertEqual([group for _, _, group in calendar.bookings], ["Scouts", "Choir"])

    def test_wrong_order(self):
        calendar = BookingCalendar()
        with self.assertRaises(ValueError):
            calendar.book("Scouts", may(2), may(1))
        self.assertEqual(calendar.bookings, [])


class BookingCalendarTestGroupOn(unittest.TestCase):
    def setUp(self):
        self.calendar = calendar_of(("Scouts", 10, 12), ("Choir", 13, 13))

    def test_each_day(self):
        groups = [self.calendar.group_on(may(day)) for day in range(9, 15)]
        self.assertEqual(groups, [None, "Scouts", "Scouts", "Scouts", "Choir", None])

    def test_between_bookings(self):
        calendar = calendar_of(("Scouts", 1, 2), ("Choir", 5, 6))
        self.assertIsNone(calendar.group_on(may(3)))
        self.assertEqual(calendar.group_on(may(5)), "Choir")

    def test_other_year(self):
        self.assertIsNone(self.calendar.group_on(date(2023, 5, 11)))

    def test_no_bookings(self):
        self.assertIsNone(BookingCalendar().group_on(may(1)))


class BookingCalendarTestDaysInMonth(unittest.TestCase):
    def test_inside(self):
        calendar = calendar_of(("Scouts", 3, 5), ("Scouts", 10, 10))
        self.assertEqual(calendar.days_in_month("Scouts", 2024, 5), 4)

    def test_over_the_end(self):
        calendar = BookingCalendar()
        calendar.book("Choir", date(2024, 1, 31), date(2024, 3, 1))
        months = [calendar.days_in_month("Choir", 2024, month) for month in (1, 2, 3, 4)]
        self.assertEqual(months, [1, 29, 1, 0])

    def test_other_group(self):
        self.assertEqual(calendar_of(("Scouts", 3, 5)).days_in_month("Choir", 2024, 5), 0)

    def test_december(self):
        calendar = BookingCalendar()
        calendar.book("Choir", date(2023, 12, 1), date(2024, 1, 1))
        self.assertEqual(calendar.days_in_month("Choir", 2023, 12), 31)
        self.assertEqual(calendar.days_in_month("Choir", 2024, 1), 1)


class BookingCalendarTestNextFree(unittest.TestCase):
    def test_at_once(self):
        self.assertEqual(calendar_of(("Scouts", 3, 5)).next_free(may(1), 2), may(1))

    def test_day_after_the_last(self):
        self.assertEqual(calendar_of(("Scouts", 3, 5)).next_free(may(5), 1), may(6))
        self.assertEqual(calendar_of(("Scouts", 3, 5)).next_free(may(1), 3), may(6))

    def test_gap_too_small(self):
        calendar = calendar_of(("Scouts", 3, 5), ("Choir", 7, 9))
        self.assertEqual(calendar.next_free(may(3), 1), may(6))
        self.assertEqual(calendar.next_free(may(3), 2), may(10))

    def test_after_everything(self):
        self.assertEqual(calendar_of(("Scouts", 3, 5)).next_free(may(20), 9), may(20))

    def test_can_be_booked(self):
        calendar = calendar_of(("Scouts", 2, 4), ("Choir", 6, 8))
        start = calendar.next_free(may(1), 3)
        self.assertEqual(start, may(9))
        self.assertEqual(calendar.book("Band", start, may(11)), 3)


class BookingCalendarTest(unittest.TestCase):
    def test_a_summer(self):
        calendar = BookingCalendar()
        self.assertEqual(calendar.book("Scouts", date(2024, 6, 28), date(2024, 7, 3)), 6)
        self.assertEqual(calendar.book("Choir", date(2024, 7, 3), date(2024, 7, 4)), 0)
        self.assertEqual(calendar.book("Choir", date(2024, 7, 4), date(2024, 7, 4)), 1)
        self.assertEqual(calendar.days_in_month("Scouts", 2024, 6), 3)
        self.assertEqual(calendar.days_in_month("Scouts", 2024, 7), 3)
        self.assertEqual(calendar.group_on(date(2024, 7, 4)), "Choir")


if __name__ == "__main__":
    unittest.main()
