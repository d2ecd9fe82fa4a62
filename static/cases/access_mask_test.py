import unittest

from access_mask import AccessMask


class AccessMaskTestBitOf(unittest.TestCase):
    def test_each_name_has_its_own_bit(self):
        bits = [AccessMask.bit_of(name) for name in AccessMask.NAMES]
        self.assertEqual(bits, [1, 2, 4, 8, 16])

    def test_all_bits_together(self):
        self.assertEqual(sum(AccessMask.bit_of(n) for n in AccessMask.NAMES), AccessMask.ALL_BITS)

    def test_letter_case_and_blanks(self):
        self.assertEqual(AccessMask.bit_of(" Edit "), 4)

    def test_unknown_name(self):
        with self.assertRaises(ValueError):
            AccessMask.bit_of("admin")


class AccessMaskTestMerge(unittest.TestCase):
    def test_disjoint(self):
        mask = AccessMask(1)
        self.assertEqual(mask.merge(4), 5)
        self.assertEqual(mask.bits, 5)

    def test_permission_given_twice(self):
        mask = AccessMask(1)
        self.assertEqual(mask.merge(1), 1)
        self.assertTrue(mask.allows(["view"]))
        self.assertFalse(mask.allows(["comment"]))

    def test_overlap(self):
        self.assertEqual(AccessMask(6).merge(3), 7)

    def test_unknown_bits_are_ignored(self):
        self.assertEqual(AccessMask(2).merge(64 + 8), 10)

    def test_nothing_to_add(self):
        self.assertEqual(AccessMask(9).merge(0), 9)
        self.assertEqual(AccessMask(9).merge(32), 9)


class AccessMaskTestRevoke(unittest.TestCase):
    def test_takes_away(self):
        mask = AccessMask(7)
        self.assertEqual(mask.revoke("comment"), ["comment"])
        self.assertEqual(mask.bits, 5)

    def test_absent_permission_stays_absent(self):
        mask = AccessMask(1)
        self.assertEqual(mask.revoke("edit"), [])
        self.assertEqual(mask.bits, 1)

    def test_several(self):
        mask = AccessMask(31)
        self.assertEqual(mask.revoke("delete", "view", "delete"), ["delete", "view"])
        self.assertEqual(mask.bits, 14)

    def test_no_names(self):
        mask = AccessMask(5)
        self.assertEqual(mask.revoke(), [])
        self.assertEqual(mask.bits, 5)

    def test_unknown_name(self):
        with self.assertRaises(ValueError):
            AccessMask(1).revoke("fly")


class AccessMaskTestToggle(unittest.TestCase):
    def test_on(self):
        mask = AccessMask(0)
        self.assertIs(mask.toggle("share"), True)
        self.assertEqual(mask.bits, 8)

    def test_off(self):
        mask = AccessMask(12)
        self.assertIs(mask.toggle("share"), False)
        self.assertEqual(mask.bits, 4)

    def test_twice_is_nothing(self):
        mask = AccessMask(21)
        mask.toggle("comment")
        mask.toggle("comment")
        self.assertEqual(mask.bits, 21)

    def test_others_untouched(self):
        mask = AccessMask(17)
        mask.toggle("edit")
        self.assertEqual(mask.bits, 21)


class AccessMaskTestAllows(unittest.TestCase):
    def test_all_needed(self):
        self.assertTrue(AccessMask(7).allows(["view", "edit"]))
        self.assertFalse(AccessMask(3).allows(["view", "edit"]))

    def test_any_is_enough(self):
        self.assertTrue(AccessMask(3).allows(["view", "edit"], any_of=True))
        self.assertFalse(AccessMask(8).allows(["view", "edit"], any_of=True))

    def test_empty_list(self):
        self.assertTrue(AccessMask(0).allows([]))
        self.assertFalse(AccessMask(31).allows([], any_of=True))

    def test_name_given_twice(self):
        self.assertTrue(AccessMask(1).allows(["view", "view"]))
        self.assertFalse(AccessMask(2).allows(["view", "view"]))


class AccessMaskTestDescribe(unittest.TestCase):
    def test_none(self):
        self.assertEqual(AccessMask().describe(), "none")

    def test_one(self):
        self.assertEqual(AccessMask(16).describe(), "delete")

    def test_order(self):
        self.assertEqual(AccessMask(13).describe(), "view,edit,share")

    def test_all(self):
        self.assertEqual(AccessMask(31).describe(), "view,comment,edit,share,delete")


class AccessMaskTest(unittest.TestCase):
    def test_life_of_a_document(self):
        mask = AccessMask()
        mask.toggle("view")
        mask.merge(AccessMask.bit_of("view") + AccessMask.bit_of("edit"))
        self.assertEqual(mask.describe(), "view,edit")
        mask.revoke("view")
        self.assertEqual(mask.describe(), "edit")
        self.assertFalse(mask.allows(["view"]))


if __name__ == "__main__":
    unittest.main()
