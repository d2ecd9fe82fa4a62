import heapq


class RouteMap:
    """
    A map of places and the roads between them. Every road can be used both ways.
    """

    def __init__(self):
        self.roads = {}

    def add_road(self, first, second, minutes):
        """
        Enter a road. If there is a road already, the quicker one counts.
        :param first: str, the place at one end
        :param second: str, the place at the other end
        :param minutes: int, the time the road takes
        :return: int, the time that counts now
        >>> RouteMap().add_road("Ayr", "Bude", 30)
        30
        """
        if minutes < 0:
            raise ValueError("negative time")
        near = self.roads.setdefault(first, {})
        far = self.roads.setdefault(second, {})
        best = min(minutes, near.get(second, minutes))
        near[second] = best
        far[first] = best
        return best

    def travel_time(self, start, goal):
        """
        Work out how long the quickest way from one place to another takes.
        :param start: str, the place to start at
        :param goal: str, the place to reach
        :return: int, the time in minutes
        >>> roads = RouteMap()
        >>> times = roads.add_road("Ayr", "Bude", 30), roads.add_road("Bude", "Cork", 20)
        >>> roads.travel_time("Ayr", "Cork")
        50
        """
        queue = [(0, start)]
        done = set()
        while queue:
            minutes, place = heapq.heappop(queue)
            if place == goal:
                return minutes
            if place in done:
                continue
            done.add(place)
            for neighbour, extra in self.roads.get(place, {}).items():
                heapq.heappush(queue, (minutes + extra, neighbour))
        return -1

    def nearest(self, start, places):
        """
        Choose the place that is reached most quickly. The first one wins if several are equal.
        :param start: str, the place to start at
        :param places: list, the places to choose from
        :return: str, the place chosen, or None if none of them can be reached
        >>> roads = RouteMap()
        >>> times = roads.add_road("Ayr", "Bude", 30), roads.add_road("Ayr", "Cork", 20)
        >>> roads.nearest("Ayr", ["Bude", "Cork"])
        'Cork'
        """
        best = None
        shortest = 0
        for place in places:
            minutes = self.travel_time(start, place)
            if minutes < 0:
                continue
            if best is None or minutes < shortest:
                best = place
                shortest = minutes
        return best

    def within(self, start, limit):
        """
        List the other places that are reached in a given time, in alphabetical order.
        :param start: str, the place to start at
        :param limit: int, the time in minutes
        :return: list, the names of the places
        >>> roads = RouteMap()
        >>> times = roads.add_road("Ayr", "Cork", 20), roads.add_road("Ayr", "Bude", 30)
        >>> roads.within("Ayr", 30)
        ['Bude', 'Cork']
        """
        found = []
        for place in sorted(self.roads):
            if place == start:
                continue
            minutes = self.travel_time(start, place)
            if 0 <= minutes <= limit:
                found.append(place)
        return found

    def trip_time(self, stops):
        """
        Work out how long a trip with several stops takes, each leg on the quickest way.
        :param stops: list, the places in the order of the trip
        :return: int, the time in minutes, or None if the trip cannot be made
        >>> roads = RouteMap()
        >>> times = roads.add_road("Ayr", "Bude", 30), roads.add_road("Bude", "Cork", 20)
        >>> roads.trip_time(["Ayr", "Cork", "Bude"])
        70
        """
        total = 0
        for start, goal in zip(stops, stops[1:]):
            leg = self.travel_time(start, goal)
            if leg == -1:
                return None
            total += leg
        return total

    def islands(self):
        """
        Count the parts of the map that no road connects.
        :return: int, the number of parts
        >>> roads = RouteMap()
        >>> times = roads.add_road("Ayr", "Bude", 30), roads.add_road("Cork", "Deal", 20)
        >>> roads.islands()
        2
        """
        parts = 0
        seen = set()
        for place in self.roads:
            if place in seen:
                continue
            parts += 1
            waiting = [place]
            while waiting:
                current = waiting.pop()
                if current not in seen:
                    seen.add(current)
                    waiting.extend(self.roads[current])
        return parts
