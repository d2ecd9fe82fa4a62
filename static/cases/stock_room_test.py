import unittest

from stock_room import StockRoom


class StockRoomTestTakeId(unittest.TestCase):
    def test_starts_at_one(self):
        self.assertEqual(StockRoom().take_id(), 1)

    def test_counts_up(self):
        room = StockRoom()
        self.assertEqual([room.take_id() for _ in range(3)], [1, 2, 3])

    def test_shared_with_add_item(self):
        room = StockRoom()
        room.add_item("rope")
        self.assertEqual(room.take_id(), 2)
        self.assertEqual(room.add_item("lamp"), 3)

    def test_rooms_are_separate(self):
        StockRoom().take_id()
        self.assertEqual(StockRoom().take_id(), 1)


class StockRoomTestAddItem(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()

    def test_numbers_count_up(self):
        self.assertEqual(self.room.add_item("rope"), 1)
        self.assertEqual(self.room.add_item("lamp"), 2)

    def test_number_of_a_removed_item_is_not_used_again(self):
        first = self.room.add_item("rope")
        second = self.room.add_item("lamp")
        self.room.remove_item(first)
        self.assertEqual(self.room.add_item("tent"), 3)
        self.assertEqual(self.room.names, {second: "lamp", 3: "tent"})

    def test_blanks_are_dropped(self):
        self.room.add_item("  rope ", 2)
        self.assertEqual(self.room.names, {1: "rope"})
        self.assertEqual(self.room.counts, {1: 2})

    def test_bad_item(self):
        with self.assertRaises(ValueError):
            self.room.add_item("   ")
        with self.assertRaises(ValueError):
            self.room.add_item("rope", -1)
        self.assertEqual(self.room.names, {})

    def test_bad_item_uses_no_number(self):
        with self.assertRaises(ValueError):
            self.room.add_item("")
        self.assertEqual(self.room.add_item("rope"), 1)

    def test_same_name_twice(self):
        self.assertNotEqual(self.room.add_item("rope"), self.room.add_item("rope"))


class StockRoomTestRemoveItem(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.item = self.room.add_item("rope", 4)

    def test_name_comes_back(self):
        self.assertEqual(self.room.remove_item(self.item), "rope")

    def test_item_is_gone(self):
        self.room.remove_item(self.item)
        self.assertEqual(self.room.names, {})
        self.assertEqual(self.room.counts, {})

    def test_unknown_item(self):
        self.assertIsNone(self.room.remove_item(99))
        self.assertEqual(self.room.names, {self.item: "rope"})

    def test_twice(self):
        self.room.remove_item(self.item)
        self.assertIsNone(self.room.remove_item(self.item))


class StockRoomTestAdjust(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.item = self.room.add_item("rope", 4)

    def test_in_and_out(self):
        self.assertEqual(self.room.adjust(self.item, 3), 7)
        self.assertEqual(self.room.adjust(self.item, -7), 0)

    def test_not_enough(self):
        with self.assertRaises(ValueError):
            self.room.adjust(self.item, -5)
        self.assertEqual(self.room.counts[self.item], 4)
        self.assertEqual(self.room.moves, [])

    def test_unknown_item(self):
        with self.assertRaises(KeyError):
            self.room.adjust(99, 1)

    def test_move_can_be_taken_back(self):
        self.room.adjust(self.item, 3)
        self.room.undo_last()
        self.assertEqual(self.room.counts[self.item], 4)

    def test_one_note_a_move(self):
        self.room.adjust(self.item, 3)
        self.room.adjust(self.item, -1)
        self.assertEqual(self.room.moves, [(self.item, 4), (self.item, 7)])


class StockRoomTestUndoLast(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.rope = self.room.add_item("rope", 4)
        self.lamp = self.room.add_item("lamp", 9)

    def test_no_move(self):
        self.assertIsNone(self.room.undo_last())

    def test_last_first(self):
        self.room.adjust(self.rope, 1)
        self.room.adjust(self.lamp, -2)
        self.assertEqual(self.room.undo_last(), self.lamp)
        self.assertEqual(self.room.counts, {self.rope: 5, self.lamp: 9})

    def test_all_the_way(self):
        for change in (1, 2, -3):
            self.room.adjust(self.rope, change)
        while self.room.undo_last() is not None:
            pass
        self.assertEqual(self.room.counts[self.rope], 4)

    def test_items_gone_are_passed_over(self):
        self.room.adjust(self.rope, 1)
        self.room.adjust(self.lamp, 1)
        self.room.remove_item(self.lamp)
        self.assertEqual(self.room.undo_last(), self.rope)
        self.assertIsNone(self.room.undo_last())


class StockRoomTestLowItems(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.rope = self.room.add_item("rope", 4)
        self.lamp = self.room.add_item("lamp", 2)
        self.tent = self.room.add_item("tent", 9)

    def test_none(self):
        self.assertEqual(self.room.low_items(2), [])

    def test_order_of_names(self):
        self.assertEqual(self.room.low_items(5), [self.lamp, self.rope])

    def test_limit_itself_is_enough(self):
        self.assertEqual(self.room.low_items(4), [self.lamp])

    def test_empty_room(self):
        self.assertEqual(StockRoom().low_items(5), [])

    def test_same_name(self):
        other = self.room.add_item("lamp", 1)
        self.assertEqual(self.room.low_items(3), [self.lamp, other])


class StockRoomTestRefill(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.rope = self.room.add_item("rope", 4)
        self.lamp = self.room.add_item("lamp", 2)
        self.tent = self.room.add_item("tent", 9)

    def test_total(self):
        self.assertEqual(self.room.refill(5, 6), 6)

    def test_counts(self):
        self.room.refill(5, 6)
        self.assertEqual(self.room.counts, {self.rope: 6, self.lamp: 6, self.tent: 9})

    def test_nothing_to_do(self):
        self.assertEqual(self.room.refill(1, 6), 0)
        self.assertEqual(self.room.moves, [])

    def test_bad_target(self):
        with self.assertRaises(ValueError):
            self.room.refill(5, 4)

    def test_can_be_taken_back(self):
        self.room.refill(5, 6)
        self.room.undo_last()
        self.room.undo_last()
        self.assertEqual(self.room.counts, {self.rope: 4, self.lamp: 2, self.tent: 9})


class StockRoomTest(unittest.TestCase):
    def test_a_day_in_the_stock_room(self):
        room = StockRoom()
        rope = room.add_item("rope", 1)
        lamp = room.add_item("lamp", 8)
        room.adjust(lamp, -6)
        self.assertEqual(room.refill(3, 5), 7)
        room.remove_item(rope)
        self.assertEqual(room.undo_last(), lamp)
        self.assertEqual(room.add_item("tent"), 3)
        self.assertEqual(room.low_items(3), [lamp, 3])
