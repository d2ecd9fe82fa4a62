import unittest

from route_map import RouteMap


def sample():
    roads = RouteMap()
    roads.add_road("A", "B", 10)
    roads.add_road("B", "C", 10)
    roads.add_road("A", "C", 50)
    roads.add_road("C", "D", 5)
    roads.add_road("X", "Y", 1)
    return roads


class RouteMapTestAddRoad(unittest.TestCase):
    def test_both_ways(self):
        roads = RouteMap()
        roads.add_road("A", "B", 7)
        self.assertEqual(roads.roads, {"A": {"B": 7}, "B": {"A": 7}})

    def test_quicker_road(self):
        roads = RouteMap()
        roads.add_road("A", "B", 7)
        self.assertEqual(roads.add_road("B", "A", 4), 4)
        self.assertEqual(roads.travel_time("A", "B"), 4)

    def test_slower_road(self):
        roads = RouteMap()
        roads.add_road("A", "B", 7)
        self.assertEqual(roads.add_road("A", "B", 9), 7)

    def test_negative_time(self):
        roads = RouteMap()
        with self.assertRaises(ValueError):
            roads.add_road("A", "B", -1)
        self.assertEqual(roads.roads, {})

    def test_no_time_at_all(self):
        self.assertEqual(RouteMap().add_road("A", "B", 0), 0)


class RouteMapTestTravelTime(unittest.TestCase):
    def setUp(self):
        self.roads = sample()

    def test_one_road(self):
        self.assertEqual(self.roads.travel_time("C", "D"), 5)

    def test_detour_is_quicker(self):
        self.assertEqual(self.roads.travel_time("A", "C"), 20)
        self.assertEqual(self.roads.travel_time("D", "A"), 25)

    def test_same_place(self):
        self.assertEqual(self.roads.travel_time("A", "A"), 0)

    def test_no_way(self):
        self.assertEqual(self.roads.travel_time("A", "X"), -1)

    def test_unknown_place(self):
        self.assertEqual(self.roads.travel_time("A", "nowhere"), -1)
        self.assertEqual(self.roads.travel_time("nowhere", "A"), -1)


class RouteMapTestNearest(unittest.TestCase):
    def setUp(self):
        self.roads = sample()

    def test_quickest(self):
        self.assertEqual(self.roads.nearest("A", ["D", "B", "C"]), "B")

    def test_unreachable_is_passed_over(self):
        self.assertEqual(self.roads.nearest("A", ["X", "D", "Y"]), "D")

    def test_none(self):
        self.assertIsNone(self.roads.nearest("A", ["X", "Y"]))
        self.assertIsNone(self.roads.nearest("A", []))

    def test_first_of_equals(self):
        self.assertEqual(self.roads.nearest("B", ["C", "A"]), "C")

    def test_start_itself(self):
        self.assertEqual(self.roads.nearest("A", ["B", "A"]), "A")


class RouteMapTestWithin(unittest.TestCase):
    def setUp(self):
        self.roads = sample()

    def test_some(self):
        self.assertEqual(self.roads.within("A", 20), ["B", "C"])

    def test_all(self):
        self.assertEqual(self.roads.within("D", 1000), ["A", "B", "C"])

    def test_none(self):
        self.assertEqual(self.roads.within("A", 9), [])

    def test_unknown_start(self):
        self.assertEqual(self.roads.within("nowhere", 1000), [])


class RouteMapTestTripTime(unittest.TestCase):
    def setUp(self):
        self.roads = sample()

    def test_legs(self):
        self.assertEqual(self.roads.trip_time(["A", "C", "D", "A"]), 50)

    def test_no_leg(self):
        self.assertEqual(self.roads.trip_time(["A"]), 0)
        self.assertEqual(self.roads.trip_time([]), 0)

    def test_impossible(self):
        self.assertIsNone(self.roads.trip_time(["A", "B", "X"]))
        self.assertIsNone(self.roads.trip_time(["X", "A", "B"]))

    def test_staying(self):
        self.assertEqual(self.roads.trip_time(["A", "A", "B"]), 10)


class RouteMapTestIslands(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(RouteMap().islands(), 0)

    def test_two(self):
        self.assertEqual(sample().islands(), 2)

    def test_bridge(self):
        roads = sample()
        roads.add_road("D", "X", 90)
        self.assertEqual(roads.islands(), 1)

    def test_ring(self):
        roads = RouteMap()
        for first, second in ("AB", "BC", "CA"):
            roads.add_road(first, second, 1)
        self.assertEqual(roads.islands(), 1)
