from datetime import date, timedelta


class BookingCalendar:
    """The bookings of a meeting hut. It is booked by the day."""

    def __init__(self):
        self.bookings = []

    @staticmethod
    def length(first, last):
        """Count the days of a booking.

        :param first: date, the first day of the booking
        :param last: date, the last day of the booking
        :return: int, the number of days to be paid; ValueError if the days are in the
            wrong order

        >>> BookingCalendar.length(date(2024, 2, 28), date(2024, 3, 1))
        3
        """
        if last < first:
            raise ValueError("the last day is before the first day")
        return (last - first).days + 1

    def is_free(self, first, last):
        """Check whether the hut is free for a whole stretch of time.

        :param first: date, the first day
        :param last: date, the last day
        :return: bool, True if nobody else has the hut

        >>> BookingCalendar().is_free(date(2024, 5, 1), date(2024, 5, 3))
        True
        """
        for taken_first, taken_last, _ in self.bookings:
            if first <= taken_last and taken_first <= last:
                return False
        return True

    def book(self, group, first, last):
        """Book the hut for a group if it is free.

        :param group: str, the name of the group
        :param first: date, the first day
        :param last: date, the last day
        :return: int, the number of days booked, 0 if the hut is not free

        >>> BookingCalendar().book("Scouts", date(2024, 5, 1), date(2024, 5, 3))
        3
        """
        days = self.length(first, last)
        if not self.is_free(first, last):
            return 0
        self.bookings.append((first, last, group))
        self.bookings.sort()
        return days

    def group_on(self, day):
        """Tell who has the hut on a day.

        :param day: date, the day
        :return: str, the name of the group, or None

        >>> BookingCalendar().group_on(date(2024, 5, 1)) is None
        True
        """
        for first, last, group in self.bookings:
            if day < first:
                break
            if day <= last:
                return group
        return None

    def days_in_month(self, group, year, month):
        """Count the days that a group has the hut in a month. A booking may begin before
        the month or go on after it.

        :param group: str, the name of the group
        :param year: int, the year
        :param month: int, the month, 1 to 12
        :return: int, the number of days

        >>> calendar = BookingCalendar()
        >>> calendar.book("Scouts", date(2024, 5, 30), date(2024, 6, 2))
        4
        >>> calendar.days_in_month("Scouts", 2024, 6)
        2
        """
        month_first = date(year, month, 1)
        next_month = (month_first + timedelta(days=31)).replace(day=1)
        month_last = next_month - timedelta(days=1)
        total = 0
        for first, last, owner in self.bookings:
            start = max(first, month_first)
            end = min(last, month_last)
            if owner == group and start <= end:
                total += self.length(start, end)
        return total

    def next_free(self, day, days):
        """Find the earliest time at which the hut is free for some days in a row.

        :param day: date, the earliest day to begin
        :param days: int, how many days are wanted, at least 1
        :return: date, the first of these days

        >>> BookingCalendar().next_free(date(2024, 5, 1), 2)
        datetime.date(2024, 5, 1)
        """
        start = day
        end = start + timedelta(days=days - 1)
        for first, last, _ in self.bookings:
            if end < first:
                break
            if start <= last:
                start = last + timedelta(days=1)
                end = start + timedelta(days=days - 1)
        return start
