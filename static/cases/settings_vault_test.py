import hashlib
import unittest

from settings_vault import SettingsVault


class SettingsVaultTestChecksum(unittest.TestCase):
    def test_eight_digits(self):
        digits = SettingsVault.checksum({"a": 1})
        self.assertEqual(len(digits), 8)
        self.assertTrue(set(digits) <= set("0123456789abcdef"))

    def test_order_does_not_matter(self):
        one = SettingsVault.checksum({"a": 1, "b": {"x": 1, "y": 2}})
        two = SettingsVault.checksum({"b": {"y": 2, "x": 1}, "a": 1})
        self.assertEqual(one, two)

    def test_value_matters(self):
        self.assertNotEqual(SettingsVault.checksum({"a": 1}), SettingsVault.checksum({"a": 2}))
        self.assertNotEqual(SettingsVault.checksum({"a": 1}), SettingsVault.checksum({"a": "1"}))

    def test_known_digits(self):
        expected = hashlib.sha256(b'{"a":[1,2],"b":null}').hexdigest()[:8]
        self.assertEqual(SettingsVault.checksum({"b": None, "a": [1, 2]}), expected)


class SettingsVaultTestSet(unittest.TestCase):
    def test_new_setting(self):
        vault = SettingsVault()
        self.assertIsNone(vault.set("theme", "dark"))
        self.assertEqual(vault.values, {"theme": "dark"})

    def test_previous_value(self):
        vault = SettingsVault({"theme": "dark"})
        self.assertEqual(vault.set("theme", "light"), "dark")

    def test_groups_are_made(self):
        vault = SettingsVault()
        vault.set("window.size.width", 800)
        vault.set("window.size.height", 600)
        self.assertEqual(vault.values, {"window": {"size": {"width": 800, "height": 600}}})

    def test_group_in_place_of_a_value(self):
        vault = SettingsVault({"window": 5})
        vault.set("window.width", 800)
        self.assertEqual(vault.values, {"window": {"width": 800}})


class SettingsVaultTestGet(unittest.TestCase):
    def test_in_a_group(self):
        vault = SettingsVault({"a": {"b": {"c": 3}}})
        self.assertEqual(vault.get("a.b.c"), 3)
        self.assertEqual(vault.get("a.b"), {"c": 3})

    def test_absent(self):
        vault = SettingsVault({"a": {"b": 1}})
        self.assertIsNone(vault.get("x"))
        self.assertEqual(vault.get("a.x", 7), 7)

    def test_value_is_no_group(self):
        self.assertEqual(SettingsVault({"a": "text"}).get("a.b", "none"), "none")

    def test_none_is_a_value(self):
        self.assertIsNone(SettingsVault({"a": None}).get("a", 7))


class SettingsVaultTestSave(unittest.TestCase):
    def test_loads_again(self):
        vault = SettingsVault({"b": 1, "a": [1, 2], "c": {"y": None, "x": True}})
        try:
            loaded = SettingsVault.load(vault.save())
        except ValueError:
            self.fail("the saved text does not pass the check")
        self.assertEqual(loaded.values, vault.values)

    def test_first_line(self):
        values = {"a": 1, "b": 2}
        lines = SettingsVault(values).save().split("\n")
        self.assertEqual(lines[0], SettingsVault.checksum(values))
        self.assertEqual(len(lines), 2)

    def test_equal_settings_are_saved_equally(self):
        one = SettingsVault({"a": 1, "b": 2}).save()
        two = SettingsVault({"b": 2, "a": 1}).save()
        self.assertEqual(one, two)

    def test_text(self):
        text = SettingsVault({"b": 2, "a": {"c": "x"}}).save()
        self.assertEqual(text.split("\n")[1], '{"a":{"c":"x"},"b":2}')

    def test_empty(self):
        self.assertEqual(SettingsVault.load(SettingsVault().save()).values, {})


class SettingsVaultTestLoad(unittest.TestCase):
    def text_for(self, body):
        return hashlib.sha256(body.encode("utf-8")).hexdigest()[:8] + "\n" + body

    def test_settings(self):
        vault = SettingsVault.load(self.text_for('{"a":1,"b":{"c":2}}'))
        self.assertEqual(vault.get("b.c"), 2)

    def test_changed_value(self):
        text = self.text_for('{"a":1}').replace(":1", ":2")
        with self.assertRaises(ValueError):
            SettingsVault.load(text)

    def test_added_blank(self):
        text = self.text_for('{"a":1}').replace(":1", ": 1")
        with self.assertRaises(ValueError):
            SettingsVault.load(text)

    def test_no_second_line(self):
        for text in ("", "e3b0c442"):
            with self.assertRaises(ValueError):
                SettingsVault.load(text)

    def test_result_is_a_vault(self):
        self.assertIsInstance(SettingsVault.load(self.text_for("{}")), SettingsVault)


class SettingsVaultTestMerged(unittest.TestCase):
    def test_other_counts(self):
        result = SettingsVault({"a": 1, "b": 2}).merged(SettingsVault({"b": 3, "c": 4}))
        self.assertEqual(result.values, {"a": 1, "b": 3, "c": 4})

    def test_groups(self):
        one = SettingsVault({"w": {"x": 1, "deep": {"p": 1}}})
        two = SettingsVault({"w": {"y": 2, "deep": {"q": 2}}})
        result = one.merged(two)
        self.assertEqual(result.values, {"w": {"x": 1, "y": 2, "deep": {"p": 1, "q": 2}}})

    def test_value_and_group(self):
        one = SettingsVault({"a": {"x": 1}, "b": 1})
        two = SettingsVault({"a": 5, "b": {"y": 2}})
        self.assertEqual(one.merged(two).values, {"a": 5, "b": {"y": 2}})

    def test_nothing_is_changed(self):
        one = SettingsVault({"w": {"x": 1}})
        two = SettingsVault({"w": {"y": [1]}, "v": {"z": 1}})
        result = one.merged(two)
        result.set("w.x", 9)
        result.set("v.z", 9)
        result.get("w.y").append(2)
        self.assertEqual(one.values, {"w": {"x": 1}})
        self.assertEqual(two.values, {"w": {"y": [1]}, "v": {"z": 1}})


class SettingsVaultTest(unittest.TestCase):
    def test_saved_twice(self):
        vault = SettingsVault()
        vault.set("window.width", 800)
        vault.set("language", "sv")
        first = vault.save()
        second = SettingsVault.load(first).save()
        self.assertEqual(first, second)


if __name__ == "__main__":
    unittest.main()
