import unittest

from token_bucket import TokenBucket


def emptied(per_second, burst):
    bucket = TokenBucket(per_second, burst)
    bucket.take(0, burst)
    return bucket


class TokenBucketTestRefill(unittest.TestCase):
    def test_one_second(self):
        bucket = emptied(2, 10)
        self.assertIs(bucket.refill(1000), False)
        self.assertEqual(bucket.whole_tokens(1000), 2)

    def test_nothing_gets_lost_in_small_steps(self):
        bucket = emptied(1, 10)
        for tick in range(1, 3001):
            bucket.refill(tick)
        self.assertEqual(bucket.whole_tokens(3000), 3)

    def test_full(self):
        bucket = emptied(2, 4)
        self.assertIs(bucket.refill(1999), False)
        self.assertIs(bucket.refill(2000), True)
        self.assertIs(bucket.refill(9000), True)
        self.assertEqual(bucket.whole_tokens(9000), 4)

    def test_ticks_go_back(self):
        bucket = TokenBucket(2, 4)
        bucket.refill(10)
        with self.assertRaises(ValueError):
            bucket.refill(9)


class TokenBucketTestWholeTokens(unittest.TestCase):
    def test_full(self):
        self.assertEqual(TokenBucket(1, 7).whole_tokens(0), 7)

    def test_empty(self):
        self.assertEqual(emptied(1, 7).whole_tokens(0), 0)

    def test_part_of_a_token_does_not_count(self):
        bucket = emptied(1, 7)
        self.assertEqual(bucket.whole_tokens(999), 0)
        self.assertEqual(bucket.whole_tokens(1000), 1)
        self.assertEqual(bucket.whole_tokens(2999), 2)

    def test_limit(self):
        self.assertEqual(emptied(3, 7).whole_tokens(60000), 7)


class TokenBucketTestTake(unittest.TestCase):
    def test_until_empty(self):
        bucket = TokenBucket(1, 3)
        self.assertEqual([bucket.take(0) for _ in range(5)], [True] * 3 + [False] * 2)

    def test_all_or_none(self):
        bucket = TokenBucket(1, 3)
        self.assertIs(bucket.take(0, 4), False)
        self.assertEqual(bucket.whole_tokens(0), 3)
        self.assertIs(bucket.take(0, 3), True)
        self.assertEqual(bucket.whole_tokens(0), 0)

    def test_after_waiting(self):
        bucket = emptied(2, 3)
        self.assertFalse(bucket.take(499))
        self.assertTrue(bucket.take(500))
        self.assertFalse(bucket.take(501))

    def test_refusals_are_counted(self):
        bucket = TokenBucket(1, 2)
        for _ in range(5):
            bucket.take(0)
        self.assertEqual(bucket.refused, 3)


class TokenBucketTestWaitFor(unittest.TestCase):
    def test_there_already(self):
        self.assertEqual(TokenBucket(1, 3).wait_for(0, 3), 0)

    def test_empty(self):
        self.assertEqual(emptied(2, 3).wait_for(0), 500)
        self.assertEqual(emptied(2, 3).wait_for(0, 3), 1500)

    def test_rounded_up(self):
        self.assertEqual(emptied(3, 3).wait_for(0), 334)

    def test_part_is_there(self):
        self.assertEqual(emptied(1, 3).wait_for(400), 600)

    def test_too_many(self):
        self.assertEqual(TokenBucket(1, 3).wait_for(0, 4), -1)

    def test_waiting_is_enough_but_not_too_long(self):
        for per_second in (1, 3, 7):
            wait = emptied(per_second, 5).wait_for(0, 2)
            self.assertFalse(emptied(per_second, 5).take(wait - 1, 2))
            self.assertTrue(emptied(per_second, 5).take(wait, 2))


class TokenBucketTestGiveBack(unittest.TestCase):
    def test_fits(self):
        bucket = emptied(1, 5)
        self.assertEqual(bucket.give_back(2), 2)
        self.assertEqual(bucket.whole_tokens(0), 2)

    def test_does_not_fit(self):
        bucket = TokenBucket(1, 5)
        bucket.take(0, 2)
        self.assertEqual(bucket.give_back(4), 2)
        self.assertEqual(bucket.whole_tokens(0), 5)

    def test_part_of_a_token(self):
        bucket = TokenBucket(1, 5)
        bucket.take(0, 2)
        bucket.refill(500)
        self.assertEqual(bucket.give_back(2), 1)
        self.assertEqual(bucket.whole_tokens(500), 5)

    def test_full(self):
        self.assertEqual(TokenBucket(1, 5).give_back(1), 0)

    def test_can_be_taken_again(self):
        bucket = emptied(1, 5)
        bucket.give_back(1)
        self.assertTrue(bucket.take(0))
        self.assertFalse(bucket.take(0))


class TokenBucketTestChangeRate(unittest.TestCase):
    def test_old_number(self):
        bucket = TokenBucket(4, 5)
        self.assertEqual(bucket.change_rate(0, 9), 4)
        self.assertEqual(bucket.change_rate(0, 1), 9)

    def test_faster(self):
        bucket = emptied(1, 100)
        bucket.change_rate(0, 10)
        self.assertEqual(bucket.whole_tokens(1000), 10)

    def test_old_rate_counts_so_far(self):
        bucket = emptied(1, 100)
        bucket.change_rate(2000, 10)
        self.assertEqual(bucket.whole_tokens(3000), 12)

    def test_not_above_zero(self):
        bucket = TokenBucket(4, 5)
        for rate in (0, -1):
            with self.assertRaises(ValueError):
                bucket.change_rate(0, rate)
        self.assertEqual(bucket.per_second, 4)


class TokenBucketTest(unittest.TestCase):
    def test_a_steady_visitor(self):
        bucket = TokenBucket(2, 4)
        served = sum(bucket.take(tick) for tick in range(0, 5000, 100))
        self.assertEqual(served, 4 + 9)
        self.assertEqual(bucket.refused, 50 - served)


if __name__ == "__main__":
    unittest.main()
