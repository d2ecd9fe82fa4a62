class AccessMask:
    """The permissions on one shared document, kept in a single integer."""

    NAMES = ("view", "comment", "edit", "share", "delete")
    ALL_BITS = 0b11111

    def __init__(self, bits=0):
        """Start with the given permissions.

        :param bits: int, the permissions to start with, none by default
        """
        self.bits = bits

    @staticmethod
    def bit_of(name):
        """Look up the number that stands for one permission.

        :param name: str, the name of a permission, in any letter case
        :return: int, the number of that permission; ValueError for an unknown name

        >>> AccessMask.bit_of("view")
        1
        """
        wanted = name.strip().lower()
        for position, known in enumerate(AccessMask.NAMES):
            if known == wanted:
                return 1 << position
        raise ValueError(f"unknown permission: {name}")

    def merge(self, other):
        """Give the document all permissions of another mask as well. Anything in the
        other mask that is no known permission is ignored.

        :param other: int, the permissions to add
        :return: int, the permissions the document has now

        >>> AccessMask(1).merge(2)
        3
        """
        known = other & self.ALL_BITS
        if known == 0:
            return self.bits
        self.bits = self.bits | known
        return self.bits

    def revoke(self, *names):
        """Take permissions away. A permission that was not given stays not given.

        :param names: str, the names of the permissions to take away
        :return: list of str, the names that were really taken away, in the order given

        >>> AccessMask(3).revoke("view")
        ['view']
        """
        removed = []
        for name in names:
            bit = self.bit_of(name)
            if self.bits & bit:
                removed.append(name)
            self.bits &= ~bit
        return removed

    def toggle(self, name):
        """Switch one permission: on if it was off, off if it was on.

        :param name: str, the name of the permission
        :return: bool, True if the document has the permission afterwards

        >>> AccessMask(0).toggle("edit")
        True
        """
        bit = self.bit_of(name)
        self.bits ^= bit
        return self.bits & bit != 0

    def allows(self, names, any_of=False):
        """Check for permissions. An empty list is allowed unless any of them is asked for.

        :param names: list of str, the names of the permissions to check
        :param any_of: bool, True if one of them is enough, False if all are needed
        :return: bool, True if the document has the permissions

        >>> AccessMask(1).allows(["view"])
        True
        """
        wanted = 0
        for name in names:
            wanted |= self.bit_of(name)
        if any_of:
            return self.bits & wanted != 0
        return self.bits & wanted == wanted

    def describe(self):
        """List the permissions the document has in one line of text.

        :return: str, the names from the weakest to the strongest permission, separated by
            commas, or "none"

        >>> AccessMask(3).describe()
        'view,comment'
        """
        granted = [name for name in self.NAMES if self.bits & self.bit_of(name)]
        if not granted:
            return "none"
        return ",".join(granted)
