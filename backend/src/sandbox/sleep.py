def repair():
    """A sleep that looks at no clock: libfaketime takes the end of Python's own for a date."""
    import select
    import time

    def sleep(seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        select.select([], [], [], seconds)

    time.sleep = sleep


repair()
del repair

