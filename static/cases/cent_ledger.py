from decimal import Decimal, ROUND_HALF_UP


class CentLedger:
    """The account book of a small club. Money comes in, goes out and is never lost."""

    def __init__(self):
        self.balance = 0
        self.entries = []

    def _post(self, memo, amount):
        self.balance += amount
        self.entries.append((memo, amount, self.balance))

    @staticmethod
    def parse_amount(text):
        """Read an amount of money that a person has typed, such as "12.5" or "$1,200".

        :param text: str, an amount in dollars
        :return: int, the amount as the ledger keeps it

        >>> CentLedger.parse_amount("0.07")
        7
        """
        cleaned = text.strip().replace("$", "").replace(",", "")
        exact = Decimal(cleaned) * 100
        return int(exact.quantize(Decimal("1"), rounding=ROUND_HALF_UP))

    @staticmethod
    def format_amount(amount):
        """Write an amount of money of the ledger for a person to read.

        :param amount: int, an amount as the ledger keeps it
        :return: str, the amount in dollars, with a minus sign in front if it is below zero

        >>> CentLedger.format_amount(7)
        '$0.07'
        """
        sign = "-" if amount < 0 else ""
        dollars, cents = divmod(abs(amount), 100)
        return f"{sign}${dollars:,}.{cents:02d}"

    def deposit(self, text, memo="deposit"):
        """Note money that comes in.

        :param text: str, the amount in dollars as typed
        :param memo: str, what the money is for
        :return: str, the new balance in dollars; ValueError unless the amount is above zero

        >>> CentLedger().deposit("20")
        '$20.00'
        """
        amount = self.parse_amount(text)
        if amount <= 0:
            raise ValueError("a deposit must be above zero")
        self._post(memo, amount)
        return self.format_amount(self.balance)

    def withdraw(self, text, memo="withdrawal"):
        """Note money that goes out. Nothing is noted if the balance does not cover it.

        :param text: str, the amount in dollars as typed
        :param memo: str, what the money is for
        :return: bool, True if the money was there

        >>> CentLedger().withdraw("5")
        False
        """
        amount = self.parse_amount(text)
        if amount <= 0:
            raise ValueError("a withdrawal must be above zero")
        if amount > self.balance:
            return False
        self._post(memo, -amount)
        return True

    def transfer_fee(self, amount):
        """Tell what the bank takes for a transfer: one percent of the amount, rounded down,
        but never less than two dollars and never more than twenty-five dollars.

        :param amount: int, the amount to transfer as the ledger keeps it
        :return: int, the fee as the ledger keeps it

        >>> ledger = CentLedger()
        >>> ledger.format_amount(ledger.transfer_fee(ledger.parse_amount("500")))
        '$5.00'
        """
        fee = amount // 100
        if fee < 200:
            fee = 200
        return min(fee, 2500)

    def share_out(self, people):
        """Split the balance among people as evenly as possible. Those who come first get
        what is left over; the ledger itself is not changed.

        :param people: list of str, the names, at least one
        :return: dict of str to int, the share of each, as the ledger keeps amounts

        >>> ledger = CentLedger()
        >>> text = ledger.deposit("0.05")
        >>> ledger.share_out(["Ann", "Bo"])
        {'Ann': 3, 'Bo': 2}
        """
        share, left_over = divmod(self.balance, len(people))
        result = {}
        for index, person in enumerate(people):
            result[person] = share + 1 if index < left_over else share
        return result

    def statement(self):
        """Print the book: one line for each entry, with the balance after it.

        :return: list of str, the lines, each with the memo, the amount and the balance

        >>> ledger = CentLedger()
        >>> text = ledger.deposit("3", "tea")
        >>> ledger.statement()
        ['tea: $3.00 (balance $3.00)']
        """
        lines = []
        for memo, amount, balance in self.entries:
            change = self.format_amount(amount)
            lines.append(f"{memo}: {change} (balance {self.format_amount(balance)})")
        return lines
