import unittest

from greenhouse_control import GreenhouseControl


def measured(target, *readings):
    control = GreenhouseControl(target)
    for reading in readings:
        control.record(reading)
    return control


class GreenhouseControlTestSetTarget(unittest.TestCase):
    def setUp(self):
        self.control = GreenhouseControl()

    def test_taken(self):
        self.assertEqual(self.control.set_target(18.3), 18.3)

    def test_too_low(self):
        self.assertEqual(self.control.set_target(-4), 5.0)

    def test_too_high(self):
        self.assertEqual(self.control.set_target(50), 35.0)

    def test_borders(self):
        self.assertEqual(self.control.set_target(5), 5.0)
        self.assertEqual(self.control.set_target(35), 35.0)

    def test_one_decimal(self):
        self.assertEqual(self.control.set_target(18.34), 18.3)


class GreenhouseControlTestTarget(unittest.TestCase):
    def test_default(self):
        self.assertEqual(GreenhouseControl().target(), 20.0)

    def test_start(self):
        self.assertEqual(GreenhouseControl(22.5).target(), 22.5)

    def test_after_change(self):
        control = GreenhouseControl()
        control.set_target(17)
        self.assertEqual(control.target(), 17.0)

    def test_start_is_limited(self):
        self.assertEqual(GreenhouseControl(99).target(), 35.0)


class GreenhouseControlTestNudge(unittest.TestCase):
    def setUp(self):
        self.control = GreenhouseControl(20)

    def test_one_step_up(self):
        self.assertEqual(self.control.nudge(1), "warmer")
        self.assertEqual(self.control.target(), 20.5)

    def test_steps_down(self):
        self.assertEqual(self.control.nudge(-4), "cooler")
        self.assertEqual(self.control.target(), 18.0)

    def test_no_step(self):
        self.assertEqual(self.control.nudge(0), "same")
        self.assertEqual(self.control.target(), 20.0)

    def test_up_and_down(self):
        self.control.nudge(3)
        self.control.nudge(-3)
        self.assertEqual(self.control.target(), 20.0)

    def test_changes_the_decision(self):
        self.control.record(20)
        self.control.nudge(3)
        self.assertEqual(self.control.decide(), "heat")


class GreenhouseControlTestRecord(unittest.TestCase):
    def test_counts(self):
        control = GreenhouseControl()
        self.assertEqual([control.record(20), control.record(21)], [1, 2])

    def test_only_24_are_kept(self):
        control = GreenhouseControl()
        counts = [control.record(20) for _ in range(26)]
        self.assertEqual(counts[-3:], [24, 24, 24])

    def test_oldest_goes_first(self):
        control = measured(20, 1.0, *[10.0] * 24)
        self.assertEqual(control.frost_readings(), 0)
        self.assertEqual(control.average(24), 10.0)

    def test_in_degrees(self):
        self.assertEqual(measured(20, 19.4).average(1), 19.4)

    def test_below_zero(self):
        self.assertEqual(measured(20, -3.2).average(1), -3.2)


class GreenhouseControlTestDecide(unittest.TestCase):
    def test_no_readings(self):
        self.assertEqual(GreenhouseControl().decide(), "rest")

    def test_cold(self):
        self.assertEqual(measured(20, 18.9).decide(), "heat")

    def test_warm(self):
        self.assertEqual(measured(20, 21.1).decide(), "vent")

    def test_exactly_one_degree(self):
        self.assertEqual(measured(20, 19.0).decide(), "rest")
        self.assertEqual(measured(20, 21.0).decide(), "rest")

    def test_last_reading_decides(self):
        self.assertEqual(measured(20, 10.0, 30.0).decide(), "vent")


class GreenhouseControlTestAverage(unittest.TestCase):
    def test_no_readings(self):
        self.assertIsNone(GreenhouseControl().average(3))

    def test_latest(self):
        self.assertEqual(measured(20, 5.0, 18.0, 20.0).average(2), 19.0)

    def test_fewer_than_wanted(self):
        self.assertEqual(measured(20, 18.0, 19.0).average(10), 18.5)

    def test_count_of_zero(self):
        self.assertIsNone(measured(20, 18.0).average(0))

    def test_one_decimal(self):
        self.assertEqual(measured(20, 18.0, 18.0, 18.1).average(3), 18.0)


class GreenhouseControlTestFrostReadings(unittest.TestCase):
    def test_no_readings(self):
        self.assertEqual(GreenhouseControl().frost_readings(), 0)

    def test_border(self):
        self.assertEqual(measured(20, 3.0, 2.9).frost_readings(), 1)

    def test_below_zero(self):
        self.assertEqual(measured(20, -1.0, 0.0).frost_readings(), 2)

    def test_warm(self):
        self.assertEqual(measured(20, 3.1, 15.0, 29.0).frost_readings(), 0)
