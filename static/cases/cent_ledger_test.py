import unittest

from cent_ledger import CentLedger


class CentLedgerTestParseAmount(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(CentLedger.parse_amount("12.50"), 1250)
        self.assertEqual(CentLedger.parse_amount("12"), 1200)

    def test_no_binary_fractions(self):
        self.assertEqual(CentLedger.parse_amount("1.15"), 115)
        self.assertEqual(CentLedger.parse_amount("19.99"), 1999)

    def test_half_a_cent(self):
        self.assertEqual(CentLedger.parse_amount("0.125"), 13)
        self.assertEqual(CentLedger.parse_amount("0.124"), 12)
        self.assertEqual(CentLedger.parse_amount("0.145"), 15)

    def test_dollar_sign_and_commas(self):
        self.assertEqual(CentLedger.parse_amount(" $1,234.5 "), 123450)

    def test_below_zero(self):
        self.assertEqual(CentLedger.parse_amount("-0.30"), -30)


class CentLedgerTestFormatAmount(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(CentLedger.format_amount(0), "$0.00")

    def test_two_digits(self):
        self.assertEqual(CentLedger.format_amount(1205), "$12.05")

    def test_thousands(self):
        self.assertEqual(CentLedger.format_amount(123456789), "$1,234,567.89")

    def test_below_zero(self):
        self.assertEqual(CentLedger.format_amount(-150), "-$1.50")
        self.assertEqual(CentLedger.format_amount(-5), "-$0.05")


class CentLedgerTestDeposit(unittest.TestCase):
    def test_balance(self):
        ledger = CentLedger()
        self.assertEqual(ledger.deposit("2.50"), "$2.50")
        self.assertEqual(ledger.deposit("0.75"), "$3.25")
        self.assertEqual(ledger.balance, 325)

    def test_entry(self):
        ledger = CentLedger()
        ledger.deposit("1", "bake sale")
        ledger.deposit("2")
        self.assertEqual(ledger.entries, [("bake sale", 100, 100), ("deposit", 200, 300)])

    def test_zero(self):
        with self.assertRaises(ValueError):
            CentLedger().deposit("0")

    def test_below_zero(self):
        ledger = CentLedger()
        with self.assertRaises(ValueError):
            ledger.deposit("-1")
        self.assertEqual(ledger.entries, [])

    def test_one_cent(self):
        self.assertEqual(CentLedger().deposit("0.01"), "$0.01")


class CentLedgerTestWithdraw(unittest.TestCase):
    def setUp(self):
        self.ledger = CentLedger()
        self.ledger.deposit("10")

    def test_money_is_there(self):
        self.assertIs(self.ledger.withdraw("4"), True)
        self.assertEqual(self.ledger.balance, 600)

    def test_entry(self):
        self.ledger.withdraw("4", "stamps")
        self.assertEqual(self.ledger.entries[-1], ("stamps", -400, 600))

    def test_whole_balance(self):
        self.assertIs(self.ledger.withdraw("10"), True)
        self.assertEqual(self.ledger.balance, 0)

    def test_too_much(self):
        self.assertIs(self.ledger.withdraw("10.01"), False)
        self.assertEqual(self.ledger.balance, 1000)
        self.assertEqual(len(self.ledger.entries), 1)

    def test_cannot_be_spent_twice(self):
        self.assertTrue(self.ledger.withdraw("8"))
        self.assertFalse(self.ledger.withdraw("8"))

    def test_not_above_zero(self):
        for text in ("0", "-3"):
            with self.assertRaises(ValueError):
                self.ledger.withdraw(text)


class CentLedgerTestTransferFee(unittest.TestCase):
    def test_one_percent(self):
        self.assertEqual(CentLedger().transfer_fee(100000), 1000)

    def test_rounded_down(self):
        self.assertEqual(CentLedger().transfer_fee(45699), 456)

    def test_least(self):
        self.assertEqual(CentLedger().transfer_fee(500), 200)
        self.assertEqual(CentLedger().transfer_fee(19999), 200)

    def test_most(self):
        self.assertEqual(CentLedger().transfer_fee(250000), 2500)
        self.assertEqual(CentLedger().transfer_fee(90000000), 2500)


class CentLedgerTestShareOut(unittest.TestCase):
    def shares(self, text, people):
        ledger = CentLedger()
        ledger.deposit(text)
        result = ledger.share_out(people)
        self.assertEqual(sum(result.values()), ledger.balance)
        return result

    def test_even(self):
        self.assertEqual(self.shares("9", ["A", "B", "C"]), {"A": 300, "B": 300, "C": 300})

    def test_left_over(self):
        self.assertEqual(self.shares("10", ["A", "B", "C"]), {"A": 334, "B": 333, "C": 333})
        self.assertEqual(self.shares("0.05", ["A", "B", "C"]), {"A": 2, "B": 2, "C": 1})

    def test_one_person(self):
        self.assertEqual(self.shares("7.77", ["A"]), {"A": 777})

    def test_more_people_than_cents(self):
        self.assertEqual(self.shares("0.01", ["A", "B"]), {"A": 1, "B": 0})

    def test_empty_book(self):
        self.assertEqual(CentLedger().share_out(["A", "B"]), {"A": 0, "B": 0})


class CentLedgerTestStatement(unittest.TestCase):
    def test_empty_book(self):
        self.assertEqual(CentLedger().statement(), [])

    def test_deposit(self):
        ledger = CentLedger()
        ledger.deposit("1234.5", "grant")
        self.assertEqual(ledger.statement(), ["grant: $1,234.50 (balance $1,234.50)"])

    def test_withdrawal(self):
        ledger = CentLedger()
        ledger.deposit("5", "fees")
        ledger.withdraw("1.25", "tea")
        self.assertEqual(ledger.statement()[1], "tea: -$1.25 (balance $3.75)")

    def test_refused_withdrawal_is_no_entry(self):
        ledger = CentLedger()
        ledger.deposit("5")
        ledger.withdraw("6")
        self.assertEqual(ledger.statement(), ["deposit: $5.00 (balance $5.00)"])


class CentLedgerTest(unittest.TestCase):
    def test_a_club_year(self):
        ledger = CentLedger()
        ledger.deposit("300", "dues")
        fee = ledger.transfer_fee(ledger.balance)
        self.assertTrue(ledger.withdraw(ledger.format_amount(fee), "bank"))
        self.assertEqual(ledger.statement()[-1], "bank: -$3.00 (balance $297.00)")
        self.assertEqual(ledger.share_out(["Ann", "Bo"]), {"Ann": 14850, "Bo": 14850})


if __name__ == "__main__":
    unittest.main()
