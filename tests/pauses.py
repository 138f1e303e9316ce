"""How long a process stands still while something looks at it."""

import contextlib
import os
import re
import threading
import time

BETWEEN = 0.002  # seconds between two looks
SWITCHES = re.compile(rb"ctxt_switches:\t(\d+)")


def standing(pids):
    """Threads that a tracer has stopped, each with its number and how often it was switched to."""
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/status", "rb", 0) as file:
                    text = file.read()
                    if b"State:\tt" in text:
                        yield thread, tuple(SWITCHES.findall(text))


class Pauses:
    """The longest time between two looks at which a thread stood and had not run in between: it stood so long at
    least, however busy the machine is."""

    def __init__(self):
        self.pids, self.longest, self.ended = [], 0.0, False

    def look_on(self):
        with contextlib.suppress(OSError):  # only root may
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        before = {}
        while not self.ended:
            now, begun = {}, time.monotonic()
            for thread, switches in standing(self.pids):
                seen, since = before.get(thread, (None, None))
                now[thread] = (switches, since if seen == switches else time.monotonic())
                self.longest = max(self.longest, begun - now[thread][1])
            before = now
            time.sleep(BETWEEN)


@contextlib.contextmanager
def pauses(*pids):
    """Of these processes, until the block ends; more may be added to `pids`."""
    seen = Pauses()
    seen.pids.extend(pids)
    thread = threading.Thread(target=seen.look_on)
    thread.start()
    try:
        yield seen
    finally:
        seen.ended = True
        thread.join()
