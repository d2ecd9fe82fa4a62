class StockRoom:
    """
    Keeps the items of a small stock room, each under a number of its own.
    """

    def __init__(self):
        self.next_id = 1
        self.names = {}
        self.counts = {}
        self.moves = []

    def take_id(self):
        """
        Hand out the number for one new item. No number is ever handed out twice.
        :return: int, the number
        >>> StockRoom().take_id()
        1
        """
        number = self.next_id
        self.next_id += 1
        return number

    def add_item(self, name, count=0):
        """
        Put a new item on the shelves. ValueError is raised for an empty name or a bad count.
        :param name: str, the name of the item, blanks around it do not matter
        :param count: int, how many there are at the start
        :return: int, the number of the item
        >>> StockRoom().add_item("rope", 4)
        1
        """
        name = name.strip()
        if not name or count < 0:
            raise ValueError("bad item")
        item_id = self.take_id()
        self.names[item_id] = name
        self.counts[item_id] = count
        return item_id

    def remove_item(self, item_id):
        """
        Take an item out of the stock room for good.
        :param item_id: int, the number of the item
        :return: str, the name the item had, or None if there is no such item
        >>> room = StockRoom()
        >>> room.remove_item(room.add_item("rope"))
        'rope'
        """
        if item_id not in self.names:
            return None
        del self.counts[item_id]
        return self.names.pop(item_id)

    def adjust(self, item_id, change):
        """
        Bring some pieces of an item in, or take some out, and note the move.
        ValueError is raised if there are not enough pieces.
        :param item_id: int, the number of the item
        :param change: int, pieces brought in, negative if taken out
        :return: int, the pieces there are now
        >>> room = StockRoom()
        >>> room.adjust(room.add_item("rope", 4), -1)
        3
        """
        before = self.counts[item_id]
        after = before + change
        if after < 0:
            raise ValueError("not enough pieces")
        entry = (item_id, before)
        self.moves.append(entry)
        self.counts[item_id] = after
        return after

    def undo_last(self):
        """
        Take the last move back. Moves of items which are gone are passed over.
        :return: int, the number of the item that was moved, or None if there was no move
        >>> room = StockRoom()
        >>> room.undo_last() is None
        True
        """
        while self.moves:
            item_id, count = self.moves.pop()
            if item_id in self.counts:
                self.counts[item_id] = count
                return item_id
        return None

    def low_items(self, limit):
        """
        Find the items that are running out, in the alphabetical order of their names.
        :param limit: int, an item with fewer pieces is running out
        :return: list, the items found
        >>> room = StockRoom()
        >>> first, second = room.add_item("rope", 4), room.add_item("lamp", 9)
        >>> len(room.low_items(5))
        1
        """
        by_name = sorted(self.names.items(), key=lambda pair: pair[1])
        return [item_id for item_id, name in by_name if self.counts[item_id] < limit]

    def refill(self, limit, target):
        """
        Bring every item that is running out up to a target count.
        :param limit: int, an item with fewer pieces is running out
        :param target: int, the count to reach, not below the limit
        :return: int, the pieces brought in altogether
        >>> room = StockRoom()
        >>> first, second = room.add_item("rope", 4), room.add_item("lamp", 9)
        >>> room.refill(5, 10)
        6
        """
        if target < limit:
            raise ValueError("target below limit")
        total = 0
        for item_id in self.low_items(limit):
            need = target - self.counts[item_id]
            self.adjust(item_id, need)
            total += need
        return total
