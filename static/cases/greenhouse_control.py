class GreenhouseControl:
    """
    Watches the temperature of a greenhouse. Everything that comes in or goes out
    is in degrees Celsius.
    """

    HEAT = "heat"
    VENT = "vent"
    REST = "rest"

    def __init__(self, target=20):
        """
        Start without readings.
        :param target: float, the temperature to hold
        """
        self._readings = []
        self._target = 0
        self.set_target(target)

    def set_target(self, celsius):
        """
        Choose the temperature to hold. Nothing below 5 or above 35 degrees is accepted;
        the nearest accepted temperature is taken instead.
        :param celsius: float, the temperature wanted
        :return: float, the temperature taken
        >>> GreenhouseControl().set_target(21.5)
        21.5
        """
        celsius = min(max(celsius, 5), 35)
        self._target = round(celsius * 10)
        return self.target()

    def target(self):
        """
        Tell the temperature to hold.
        :return: float, the temperature
        >>> GreenhouseControl(18).target()
        18.0
        """
        return self._target / 10

    def nudge(self, steps):
        """
        Move the target up or down by half a degree a step, as the two buttons on the wall do.
        :param steps: int, the number of steps, negative for down
        :return: str, "warmer", "cooler" or "same"
        >>> GreenhouseControl().nudge(3)
        'warmer'
        """
        old = self._target
        self._target += steps * 5
        if self._target > old:
            return "warmer"
        if self._target < old:
            return "cooler"
        return "same"

    def record(self, celsius):
        """
        Note a reading of the thermometer. Only the last 24 readings are kept.
        :param celsius: float, the reading
        :return: int, the number of readings kept
        >>> GreenhouseControl().record(19.4)
        1
        """
        self._readings.append(round(celsius * 10))
        if len(self._readings) > 24:
            self._readings = self._readings[-24:]
        return len(self._readings)

    def decide(self):
        """
        Decide what to do after the last reading: heat if it is more than one degree too cold,
        vent if it is more than one degree too warm, otherwise rest.
        :return: str, one of the three actions
        >>> control = GreenhouseControl(20)
        >>> control.record(17.5)
        1
        >>> control.decide()
        'heat'
        """
        if not self._readings:
            return self.REST
        gap = self._readings[-1] - self._target
        if gap < -10:
            return self.HEAT
        if gap > 10:
            return self.VENT
        return self.REST

    def average(self, count):
        """
        Work out the mean of the latest readings.
        :param count: int, how many readings to use; all, if there are fewer
        :return: float, the mean to one decimal, or None without readings
        >>> control = GreenhouseControl()
        >>> control.record(18.0), control.record(19.0), control.record(21.0)
        (1, 2, 3)
        >>> control.average(2)
        20.0
        """
        latest = self._readings[-count:] if count > 0 else []
        if not latest:
            return None
        return round(sum(latest) / len(latest)) / 10

    def frost_readings(self):
        """
        Count the readings that come close to frost, which begins below 3 degrees.
        :return: int, the number of such readings
        >>> control = GreenhouseControl()
        >>> control.record(1.5), control.record(8.0)
        (1, 2)
        >>> control.frost_readings()
        1
        """
        count = 0
        for reading in self._readings:
            if reading < 30:
                count += 1
        return count
