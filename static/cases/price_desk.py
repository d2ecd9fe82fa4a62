from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def to_cents(amount):
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


class PriceDesk:
    """
    Works out the prices on the receipts of a shop. All amounts are decimal numbers.
    """

    def __init__(self, tax="20"):
        """
        Set the tax of the shop.
        :param tax: str, the tax in percent
        """
        self.tax = Decimal(tax)

    def gross(self, net):
        """
        Add the tax to a price.
        :param net: Decimal, the price without tax
        :return: Decimal, the price with tax, in whole cents
        >>> PriceDesk("20").gross(Decimal("5.00"))
        Decimal('6.00')
        """
        factor = 1 + self.tax / 100
        return to_cents(net * factor)

    def net(self, gross):
        """
        Take the tax out of a price.
        :param gross: Decimal, the price with tax
        :return: Decimal, the price without tax, in whole cents
        >>> PriceDesk("20").net(Decimal("6.00"))
        Decimal('5.00')
        """
        factor = 1 + self.tax / 100
        return to_cents(gross / factor)

    def discount(self, price, percent):
        """
        Lower a price. ValueError is raised if the percentage is not from 0 to 100.
        :param price: Decimal, the old price
        :param percent: int, the percentage taken off
        :return: Decimal, the new price, in whole cents
        >>> PriceDesk().discount(Decimal("8.00"), 25)
        Decimal('6.00')
        """
        if percent < 0 or percent > 100:
            raise ValueError("bad percentage")
        kept = Decimal(100 - percent) / 100
        return to_cents(price * kept)

    def total(self, lines):
        """
        Add up a receipt. Each line is worked out with tax for itself.
        :param lines: list, pairs of a number of pieces and the price of one without tax
        :return: Decimal, the sum with tax
        >>> PriceDesk("10").total([(3, Decimal("2.00")), (1, Decimal("0.50"))])
        Decimal('7.15')
        """
        total = Decimal("0.00")
        for count, price in lines:
            if count > 0:
                total += self.gross(count * price)
        return total

    def split(self, amount, people):
        """
        Share an amount among people so that nothing is lost and nobody pays more than
        one cent more than another. Those who pay more come first.
        :param amount: Decimal, the amount, in whole cents
        :param people: int, the number of people
        :return: list, the share of each
        >>> PriceDesk().split(Decimal("0.05"), 2)
        [Decimal('0.03'), Decimal('0.02')]
        """
        share = (amount / people).quantize(CENT, rounding=ROUND_DOWN)
        left = amount - share * people
        shares = []
        for _ in range(people):
            if left > 0:
                shares.append(share + CENT)
                left -= CENT
            else:
                shares.append(share)
        return shares

    def label(self, amount):
        """
        Write an amount for a price tag. Whole amounts get a dash in place of the cents.
        :param amount: Decimal, the amount
        :return: str, the text on the tag
        >>> PriceDesk().label(Decimal("12.5"))
        '12.50'
        """
        cents = to_cents(amount)
        if cents == int(cents):
            return str(int(cents)) + ".-"
        return str(cents)
