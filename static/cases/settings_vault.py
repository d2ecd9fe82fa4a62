import copy
import hashlib
import json


class SettingsVault:
    """The settings of a program, saved as text that is checked when it is loaded again."""

    def __init__(self, values=None):
        self.values = dict(values or {})

    @staticmethod
    def checksum(values):
        """Calculate the check digits for settings.

        :param values: dict, the settings
        :return: str, eight digits that are the same for equal settings

        >>> len(SettingsVault.checksum({"theme": "dark"}))
        8
        """
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:8]

    def set(self, path, value):
        """Change one setting. Groups of settings that do not exist yet are made.

        :param path: str, the names of the groups and of the setting, with dots between them
        :param value: object, the new value, anything that JSON can hold
        :return: object, the value that was there before, or None

        >>> SettingsVault({"size": 10}).set("size", 12)
        10
        """
        *groups, name = path.split(".")
        place = self.values
        for group in groups:
            if not isinstance(place.get(group), dict):
                place[group] = {}
            place = place[group]
        previous = place.get(name)
        place[name] = value
        return previous

    def get(self, path, default=None):
        """Look up one setting.

        :param path: str, the names of the groups and of the setting, with dots between them
        :param default: object, what to return if there is no such setting
        :return: object, the value of the setting or the default

        >>> SettingsVault({"window": {"width": 800}}).get("window.width")
        800
        """
        place = self.values
        for name in path.split("."):
            if not isinstance(place, dict) or name not in place:
                return default
            place = place[name]
        return place

    def save(self):
        """Write all settings as text, together with what is needed to check them.

        :return: str, the text to be stored

        >>> SettingsVault.load(SettingsVault({"size": 10}).save()).get("size")
        10
        """
        body = json.dumps(self.values, sort_keys=True, separators=(",", ":"))
        return self.checksum(self.values) + "\n" + body

    @staticmethod
    def load(text):
        """Read settings from text that was saved.

        :param text: str, the stored text
        :return: SettingsVault, the settings; ValueError if the text was changed since

        >>> SettingsVault.load(SettingsVault().save()).values
        {}
        """
        expected, newline, body = text.partition("\n")
        found = hashlib.sha256(body.encode("utf-8")).hexdigest()[:8]
        if newline == "" or found != expected:
            raise ValueError("the settings are damaged")
        return SettingsVault(json.loads(body))

    def merged(self, other):
        """Combine these settings with others. Where both have a setting the other one
        counts; groups that both have are combined. Nothing is changed here.

        :param other: SettingsVault, the settings that go first
        :return: SettingsVault, the combined settings

        >>> SettingsVault({"a": 1}).merged(SettingsVault({"b": 2})).values
        {'a': 1, 'b': 2}
        """
        result = copy.deepcopy(self.values)
        pending = [(result, other.values)]
        while pending:
            target, source = pending.pop()
            for name, value in source.items():
                if isinstance(value, dict) and isinstance(target.get(name), dict):
                    pending.append((target[name], value))
                else:
                    target[name] = copy.deepcopy(value)
        return SettingsVault(result)
