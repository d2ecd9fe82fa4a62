class Basket:
    def __init__(self, limit=10):
        self.limit = limit
        self.items = []

    def add(self, item, count):
        """Puts items in as long as there is room."""
        if len(self.items) + count >= self.limit:
            return None
        for _ in range(count):
            self.items.append(item)
        self.log(item)
        return self.total()
