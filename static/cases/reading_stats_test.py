import math
import unittest

from reading_stats import ReadingStats


def stats_of(*values, size=10):
    stats = ReadingStats(size)
    for value in values:
        stats.add(value)
    return stats


class ReadingStatsTestAdd(unittest.TestCase):
    def test_kept(self):
        stats = ReadingStats(3)
        self.assertIs(stats.add(1.0), True)
        self.assertEqual(list(stats.window), [1.0])

    def test_oldest_is_left_out(self):
        stats = stats_of(1.0, 2.0, 3.0, 4.0, size=3)
        self.assertEqual(list(stats.window), [2.0, 3.0, 4.0])
        self.assertEqual(stats.total, 9.0)

    def test_no_number(self):
        stats = stats_of(1.0)
        for value in (math.nan, math.inf, -math.inf):
            self.assertIs(stats.add(value), False)
        self.assertEqual(list(stats.window), [1.0])

    def test_total_follows(self):
        stats = stats_of(5.0, -2.0, size=2)
        self.assertEqual(stats.total, 3.0)
        stats.add(1.0)
        self.assertEqual(stats.total, -1.0)


class ReadingStatsTestMean(unittest.TestCase):
    def test_none(self):
        self.assertIsNone(ReadingStats(3).mean)

    def test_one(self):
        self.assertEqual(stats_of(4.0).mean, 4.0)

    def test_several(self):
        self.assertEqual(stats_of(1.0, 2.0, 6.0).mean, 3.0)

    def test_only_recent_values(self):
        self.assertEqual(stats_of(100.0, 1.0, 3.0, size=2).mean, 2.0)


class ReadingStatsTestVariance(unittest.TestCase):
    def test_none(self):
        self.assertEqual(ReadingStats(3).variance(), 0.0)

    def test_one(self):
        self.assertEqual(stats_of(4.0).variance(), 0.0)

    def test_two(self):
        self.assertAlmostEqual(stats_of(1.0, 3.0).variance(), 1.0)

    def test_several(self):
        self.assertAlmostEqual(stats_of(2, 4, 4, 4, 5, 5, 7, 9).variance(), 4.0)


class ReadingStatsTestDeviation(unittest.TestCase):
    def test_too_few(self):
        self.assertEqual(ReadingStats(3).deviation(), 0.0)
        self.assertEqual(stats_of(4.0).deviation(), 0.0)

    def test_two(self):
        self.assertAlmostEqual(stats_of(1.0, 3.0).deviation(), 1.0)

    def test_several(self):
        self.assertAlmostEqual(stats_of(2, 4, 4, 4, 5, 5, 7, 9).deviation(), 2.0)

    def test_agrees_with_variance(self):
        stats = stats_of(1.5, 2.5, 9.0, -3.0)
        self.assertAlmostEqual(stats.deviation() ** 2, stats.variance())

    def test_equal_values(self):
        self.assertEqual(stats_of(3.0, 3.0, 3.0).deviation(), 0.0)


class ReadingStatsTestIsOutlier(unittest.TestCase):
    def test_far_away(self):
        stats = stats_of(9.0, 11.0)
        self.assertTrue(stats.is_outlier(12.5))
        self.assertTrue(stats.is_outlier(7.5))

    def test_usual(self):
        stats = stats_of(9.0, 11.0)
        self.assertFalse(stats.is_outlier(11.5))
        self.assertFalse(stats.is_outlier(12.0))

    def test_factor(self):
        stats = stats_of(9.0, 11.0)
        self.assertTrue(stats.is_outlier(11.5, factor=1))
        self.assertFalse(stats.is_outlier(12.5, factor=3))

    def test_no_deviation(self):
        self.assertFalse(ReadingStats(3).is_outlier(5.0))
        self.assertFalse(stats_of(4.0, 4.0).is_outlier(5.0))

    def test_value_is_not_taken_in(self):
        stats = stats_of(9.0, 11.0)
        stats.is_outlier(50.0)
        self.assertEqual(stats.mean, 10.0)


class ReadingStatsTestMiddle(unittest.TestCase):
    def test_none(self):
        self.assertIsNone(ReadingStats(3).middle())

    def test_odd(self):
        self.assertEqual(stats_of(9.0, 1.0, 5.0).middle(), 5.0)

    def test_even(self):
        self.assertEqual(stats_of(4.0, 1.0, 3.0, 9.0).middle(), 3.0)

    def test_only_recent_values(self):
        self.assertEqual(stats_of(0.0, 0.0, 7.0, 8.0, 9.0, size=3).middle(), 8.0)


class ReadingStatsTestBandOf(unittest.TestCase):
    def test_above_zero(self):
        stats = ReadingStats(3)
        self.assertEqual([stats.band_of(v, 5) for v in (0.0, 4.9, 5.0, 12.0)], [0, 0, 1, 2])

    def test_below_zero(self):
        stats = ReadingStats(3)
        self.assertEqual([stats.band_of(v, 5) for v in (-0.1, -5.0, -5.1)], [-1, -1, -2])

    def test_upper_half_of_a_band(self):
        self.assertEqual(ReadingStats(3).band_of(9.0, 5.0), 1)

    def test_narrow_bands(self):
        self.assertEqual(ReadingStats(3).band_of(1.75, 0.5), 3)

    def test_whole_number(self):
        self.assertIsInstance(ReadingStats(3).band_of(7.5, 5.0), int)


class ReadingStatsTestHistogram(unittest.TestCase):
    def test_none(self):
        self.assertEqual(ReadingStats(3).histogram(5), [])

    def test_bands(self):
        stats = stats_of(1.0, 6.0, 9.0, 4.0)
        self.assertEqual(stats.histogram(5), [(0, 2), (5, 2)])

    def test_empty_band(self):
        self.assertEqual(stats_of(1.0, 11.0).histogram(5), [(0, 1), (5, 0), (10, 1)])

    def test_below_zero(self):
        self.assertEqual(stats_of(-1.0, 1.0, 2.0).histogram(5), [(-5, 1), (0, 2)])


class ReadingStatsTest(unittest.TestCase):
    def test_a_cold_week(self):
        stats = ReadingStats(4)
        for value in (15.0, -3.0, -1.0, 1.0, 3.0):
            stats.add(value)
        self.assertEqual(stats.mean, 0.0)
        self.assertAlmostEqual(stats.variance(), 5.0)
        self.assertTrue(stats.is_outlier(4.6))
        self.assertEqual(stats.middle(), -1.0)
        self.assertEqual(stats.histogram(2), [(-4, 1), (-2, 1), (0, 1), (2, 1)])


if __name__ == "__main__":
    unittest.main()
