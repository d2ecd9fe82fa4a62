import unittest

from turnstile import Turnstile


class TurnstileTestInsert(unittest.TestCase):
    def setUp(self):
        self.gate = Turnstile()

    def test_not_enough(self):
        self.assertEqual(self.gate.insert(3), 0)
        self.assertEqual(self.gate.state, "locked")

    def test_enough(self):
        self.assertEqual(self.gate.insert(4), 1)
        self.assertEqual(self.gate.state, "open")
        self.assertEqual(self.gate.credit, 0)

    def test_in_two_parts(self):
        self.gate.insert(3)
        self.assertEqual(self.gate.insert(3), 1)
        self.assertEqual(self.gate.credit, 2)

    def test_gate_is_open_already(self):
        self.gate.insert(4)
        self.assertEqual(self.gate.insert(4), 0)
        self.assertEqual(self.gate.credit, 4)

    def test_no_money(self):
        self.assertEqual(self.gate.insert(0), -1)
        self.assertEqual(self.gate.insert(-4), -1)
        self.assertEqual(self.gate.credit, 0)

    def test_closed(self):
        self.gate.close()
        self.assertEqual(self.gate.insert(4), -1)
        self.assertEqual(self.gate.credit, 0)


class TurnstileTestPush(unittest.TestCase):
    def setUp(self):
        self.gate = Turnstile()

    def test_locked(self):
        self.assertEqual(self.gate.push(), Turnstile.REFUSED)
        self.assertEqual(self.gate.guests, 0)

    def test_open(self):
        self.gate.insert(4)
        self.assertEqual(self.gate.push(), Turnstile.PASSED)
        self.assertEqual(self.gate.guests, 1)
        self.assertEqual(self.gate.state, "locked")

    def test_second_push(self):
        self.gate.insert(4)
        self.gate.push()
        self.assertEqual(self.gate.push(), Turnstile.REFUSED)

    def test_paid_for_two(self):
        self.gate.insert(9)
        self.gate.push()
        self.assertEqual(self.gate.state, "open")
        self.assertEqual(self.gate.push(), Turnstile.PASSED)
        self.assertEqual(self.gate.credit, 1)

    def test_closed(self):
        self.gate.close()
        self.assertEqual(self.gate.push(), Turnstile.REFUSED)


class TurnstileTestClose(unittest.TestCase):
    def setUp(self):
        self.gate = Turnstile()

    def test_nothing_to_pay_back(self):
        self.assertEqual(self.gate.close(), 0)
        self.assertEqual(self.gate.state, "closed")

    def test_credit(self):
        self.gate.insert(3)
        self.assertEqual(self.gate.close(), 3)
        self.assertEqual(self.gate.credit, 0)

    def test_open_gate(self):
        self.gate.insert(5)
        self.assertEqual(self.gate.close(), 5)
        self.assertEqual(self.gate.taken, 0)

    def test_used_fare_is_kept(self):
        self.gate.insert(5)
        self.gate.push()
        self.assertEqual(self.gate.close(), 1)
        self.assertEqual(self.gate.taken, 4)

    def test_twice(self):
        self.gate.insert(5)
        self.gate.close()
        self.assertEqual(self.gate.close(), 0)


class TurnstileTestReopen(unittest.TestCase):
    def setUp(self):
        self.gate = Turnstile()

    def test_was_not_closed(self):
        self.gate.insert(4)
        self.assertFalse(self.gate.reopen())
        self.assertEqual(self.gate.state, "open")

    def test_was_closed(self):
        self.gate.close()
        self.assertTrue(self.gate.reopen())
        self.assertEqual(self.gate.state, "locked")

    def test_counts_from_zero(self):
        self.gate.insert(4)
        self.gate.push()
        self.gate.close()
        self.gate.reopen()
        self.assertEqual((self.gate.guests, self.gate.taken), (0, 0))

    def test_takes_money_again(self):
        self.gate.close()
        self.gate.reopen()
        self.assertEqual(self.gate.insert(4), Turnstile.PASSED)


class TurnstileTestReplay(unittest.TestCase):
    def setUp(self):
        self.gate = Turnstile()

    def test_nothing(self):
        self.assertEqual(self.gate.replay([]), {})

    def test_refused(self):
        self.assertEqual(self.gate.replay([None, 0, None]), {-1: 3})

    def test_all_outcomes(self):
        self.assertEqual(self.gate.replay([None, 2, 2, None, None]), {-1: 2, 0: 1, 1: 2})

    def test_counts_guests(self):
        self.gate.replay([4, None, 8, None, None, None])
        self.assertEqual(self.gate.guests, 3)


class TurnstileTestBalanced(unittest.TestCase):
    def setUp(self):
        self.gate = Turnstile()

    def test_start(self):
        self.assertTrue(self.gate.balanced())

    def test_open(self):
        self.gate.insert(4)
        self.assertTrue(self.gate.balanced())

    def test_credit_is_not_taken(self):
        self.gate.insert(3)
        self.assertTrue(self.gate.balanced())
        self.assertEqual(self.gate.taken, 0)

    def test_after_closing(self):
        self.gate.replay([4, None, 4])
        self.gate.close()
        self.assertTrue(self.gate.balanced())

    def test_climbed_over(self):
        self.gate.guests += 1
        self.assertFalse(self.gate.balanced())
