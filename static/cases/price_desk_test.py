import unittest
from decimal import Decimal

from price_desk import PriceDesk


class PriceDeskTestGross(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(PriceDesk("20").gross(Decimal("10")), Decimal("12.00"))

    def test_half_a_cent(self):
        self.assertEqual(PriceDesk("5").gross(Decimal("0.50")), Decimal("0.53"))
        self.assertEqual(PriceDesk("25").gross(Decimal("0.10")), Decimal("0.13"))

    def test_no_tax(self):
        self.assertEqual(PriceDesk("0").gross(Decimal("3.33")), Decimal("3.33"))

    def test_broken_percentage(self):
        self.assertEqual(PriceDesk("7.5").gross(Decimal("2.00")), Decimal("2.15"))

    def test_two_places(self):
        self.assertEqual(str(PriceDesk("20").gross(Decimal("5"))), "6.00")


class PriceDeskTestNet(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(PriceDesk("20").net(Decimal("12.00")), Decimal("10.00"))

    def test_rounded(self):
        self.assertEqual(PriceDesk("20").net(Decimal("1.00")), Decimal("0.83"))

    def test_half_a_cent(self):
        self.assertEqual(PriceDesk("100").net(Decimal("0.25")), Decimal("0.13"))
        self.assertEqual(PriceDesk("100").net(Decimal("0.05")), Decimal("0.03"))

    def test_no_tax(self):
        self.assertEqual(str(PriceDesk("0").net(Decimal("3.3"))), "3.30")


class PriceDeskTestDiscount(unittest.TestCase):
    def setUp(self):
        self.desk = PriceDesk()

    def test_plain(self):
        self.assertEqual(self.desk.discount(Decimal("10.00"), 30), Decimal("7.00"))

    def test_half_a_cent(self):
        self.assertEqual(self.desk.discount(Decimal("0.25"), 50), Decimal("0.13"))

    def test_half_a_cent_elsewhere(self):
        self.assertEqual(self.desk.discount(Decimal("0.45"), 50), Decimal("0.23"))
        self.assertEqual(self.desk.discount(Decimal("0.35"), 50), Decimal("0.18"))

    def test_borders(self):
        self.assertEqual(self.desk.discount(Decimal("2.50"), 0), Decimal("2.50"))
        self.assertEqual(self.desk.discount(Decimal("2.50"), 100), Decimal("0.00"))

    def test_bad_percentage(self):
        for percent in (-1, 101):
            with self.assertRaises(ValueError):
                self.desk.discount(Decimal("2.50"), percent)


class PriceDeskTestTotal(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(PriceDesk().total([]), Decimal("0.00"))

    def test_pieces(self):
        self.assertEqual(PriceDesk("20").total([(3, Decimal("5.00"))]), Decimal("18.00"))

    def test_each_line_for_itself(self):
        lines = [(1, Decimal("0.10")), (1, Decimal("0.10"))]
        self.assertEqual(PriceDesk("25").total(lines), Decimal("0.26"))

    def test_one_line_is_not_two(self):
        self.assertEqual(PriceDesk("25").total([(2, Decimal("0.10"))]), Decimal("0.25"))

    def test_no_pieces(self):
        lines = [(0, Decimal("5.00")), (-2, Decimal("5.00")), (1, Decimal("5.00"))]
        self.assertEqual(PriceDesk("20").total(lines), Decimal("6.00"))


class PriceDeskTestSplit(unittest.TestCase):
    def setUp(self):
        self.desk = PriceDesk()

    def shares(self, amount, people):
        return [str(share) for share in self.desk.split(Decimal(amount), people)]

    def test_even(self):
        self.assertEqual(self.shares("9.00", 3), ["3.00", "3.00", "3.00"])

    def test_one_cent_left(self):
        self.assertEqual(self.shares("10.00", 3), ["3.34", "3.33", "3.33"])

    def test_two_cents_left(self):
        self.assertEqual(self.shares("0.05", 3), ["0.02", "0.02", "0.01"])

    def test_alone(self):
        self.assertEqual(self.shares("7.77", 1), ["7.77"])

    def test_nothing_is_lost(self):
        for people in range(1, 12):
            self.assertEqual(sum(self.desk.split(Decimal("20.03"), people)), Decimal("20.03"))


class PriceDeskTestLabel(unittest.TestCase):
    def setUp(self):
        self.desk = PriceDesk()

    def test_cents(self):
        self.assertEqual(self.desk.label(Decimal("4.99")), "4.99")

    def test_whole(self):
        self.assertEqual(self.desk.label(Decimal("5.00")), "5.-")
        self.assertEqual(self.desk.label(Decimal("0")), "0.-")

    def test_half_a_cent(self):
        self.assertEqual(self.desk.label(Decimal("0.125")), "0.13")
        self.assertEqual(self.desk.label(Decimal("4.995")), "5.-")

    def test_one_place(self):
        self.assertEqual(self.desk.label(Decimal("3.5")), "3.50")


class PriceDeskTest(unittest.TestCase):
    def test_receipt(self):
        desk = PriceDesk("25")
        price = desk.discount(Decimal("0.20"), 50)
        total = desk.total([(1, price), (1, Decimal("4.00"))])
        self.assertEqual(desk.label(total), "5.13")
        self.assertEqual(sum(desk.split(total, 2)), total)
