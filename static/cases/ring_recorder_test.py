import unittest

from ring_recorder import RingRecorder


def filled(capacity, readings):
    recorder = RingRecorder(capacity)
    for reading in readings:
        recorder.record(reading)
    return recorder


class RingRecorderTestRecord(unittest.TestCase):
    def test_room_left(self):
        recorder = RingRecorder(2)
        self.assertIsNone(recorder.record(1))
        self.assertIsNone(recorder.record(2))
        self.assertEqual(recorder.size, 2)

    def test_oldest_goes(self):
        recorder = filled(2, [1, 2])
        self.assertEqual(recorder.record(3), 1)
        self.assertEqual(recorder.record(4), 2)
        self.assertEqual(recorder.readings(), [3, 4])

    def test_one_slot(self):
        recorder = filled(1, [1])
        self.assertEqual(recorder.record(2), 1)
        self.assertEqual(recorder.readings(), [2])

    def test_after_taking_out(self):
        recorder = filled(3, [1, 2, 3])
        recorder.take_oldest()
        self.assertIsNone(recorder.record(4))
        self.assertEqual(recorder.readings(), [2, 3, 4])

    def test_bad_capacity(self):
        with self.assertRaises(ValueError):
            RingRecorder(0)


class RingRecorderTestTakeOldest(unittest.TestCase):
    def test_in_order(self):
        recorder = filled(3, [1, 2, 3])
        self.assertEqual([recorder.take_oldest() for _ in range(3)], [1, 2, 3])

    def test_empty(self):
        with self.assertRaises(IndexError):
            RingRecorder(2).take_oldest()

    def test_empty_again(self):
        recorder = filled(2, [1])
        recorder.take_oldest()
        with self.assertRaises(IndexError):
            recorder.take_oldest()

    def test_after_going_round(self):
        recorder = filled(3, [1, 2, 3, 4, 5])
        self.assertEqual(recorder.take_oldest(), 3)
        self.assertEqual(recorder.size, 2)

    def test_slot_is_cleared(self):
        recorder = filled(2, [1, 2])
        recorder.take_oldest()
        self.assertEqual(recorder.slots, [None, 2])


class RingRecorderTestLatest(unittest.TestCase):
    def test_empty(self):
        self.assertIsNone(RingRecorder(2).latest())

    def test_partly_filled(self):
        self.assertEqual(filled(4, [1, 2]).latest(), 2)

    def test_full(self):
        self.assertEqual(filled(3, [1, 2, 3]).latest(), 3)

    def test_after_going_round(self):
        self.assertEqual(filled(3, [1, 2, 3, 4]).latest(), 4)

    def test_after_taking_out(self):
        recorder = filled(3, [1, 2, 3])
        recorder.take_oldest()
        self.assertEqual(recorder.latest(), 3)

    def test_stays_in(self):
        recorder = filled(3, [1, 2])
        recorder.latest()
        self.assertEqual(recorder.readings(), [1, 2])


class RingRecorderTestResize(unittest.TestCase):
    def test_grow(self):
        recorder = filled(2, [1, 2, 3])
        self.assertEqual(recorder.resize(3), 0)
        self.assertIsNone(recorder.record(4))
        self.assertEqual(recorder.readings(), [2, 3, 4])

    def test_shrink_keeps_newest(self):
        recorder = filled(4, [1, 2, 3, 4, 5])
        self.assertEqual(recorder.resize(2), 2)
        self.assertEqual(recorder.readings(), [4, 5])
        self.assertEqual(recorder.record(6), 4)

    def test_shrink_without_loss(self):
        recorder = filled(4, [1, 2])
        self.assertEqual(recorder.resize(2), 0)
        self.assertEqual(recorder.latest(), 2)

    def test_bad_capacity(self):
        recorder = filled(2, [1])
        with self.assertRaises(ValueError):
            recorder.resize(0)
        self.assertEqual(recorder.readings(), [1])


class RingRecorderTestReadings(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(RingRecorder(3).readings(), [])

    def test_partly_filled(self):
        self.assertEqual(filled(3, [1, 2]).readings(), [1, 2])

    def test_after_going_round(self):
        self.assertEqual(filled(3, range(8)).readings(), [5, 6, 7])

    def test_new_list(self):
        recorder = filled(2, [1])
        recorder.readings().append(9)
        self.assertEqual(recorder.readings(), [1])


class RingRecorderTest(unittest.TestCase):
    def test_against_a_plain_list(self):
        recorder = RingRecorder(3)
        model = []
        for step in range(20):
            if step % 4 == 3:
                self.assertEqual(recorder.take_oldest(), model.pop(0))
            else:
                recorder.record(step)
                model = (model + [step])[-3:]
            self.assertEqual(recorder.readings(), model)
            self.assertEqual(recorder.latest(), model[-1])


if __name__ == "__main__":
    unittest.main()
