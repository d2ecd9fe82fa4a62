class Basket:
    def __init__(self, limit=10):
        self.limit = limit
        self.items = []

    def add(self, item, count):
        """Puts items in as long as there is room."""
        if len(self.items) + count > self.limit:
            raise ValueError("the basket is full")
        self.log(item)
        for _ in range(count):
            self.items.append(item)
        return len(self.items)
