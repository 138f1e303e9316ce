"""Signals end the explorer whose terminal nobody reads: after ^S in a terminal in front of it, or on a line that
hangs. Its terminal has the settings of before, and what undoes the screen is the last that it has written."""

import os
import pty
import signal
import tempfile
import termios
import time

from harness import ONE, Skip, equal, test, unpacked
from session import Session

LIMIT = 60  # seconds; a program that waits for its terminal waits for ever
WRITES = {"1": "x86_64", "64": "aarch64"}  # numbers of write(2)


def is_writing(process):
    """Does a thread of the program wait in write(2)?"""
    try:
        with open(f"/proc/{process}/syscall") as file:
            return file.read().split()[0] == next((n for n, m in WRITES.items() if m == os.uname().machine), None)
    except PermissionError:
        raise Skip("it may not be seen in which call a process waits") from None


def fill(session):
    """Has the screen drawn until there is no room left for it."""
    until = time.monotonic() + LIMIT
    while not is_writing(session.process):
        if time.monotonic() > until:
            raise AssertionError("it never waits for its terminal")
        os.write(session.terminal, b"\x0c")
        time.sleep(0.02)


def settings_of_new():
    """What every pseudo-terminal has at first."""
    ends = pty.openpty()
    settings = termios.tcgetattr(ends[0])
    for end in ends:
        os.close(end)
    return settings


@test(each=["SIGTERM", "SIGHUP", "SIGINT"])
def ends_though_nobody_reads_the_terminal_by(name):
    number, before = getattr(signal, name), settings_of_new()
    with tempfile.TemporaryDirectory() as home, Session([unpacked(ONE)], home, (200, 50)) as session:
        assert session.drain(LIMIT, b"frees"), "it has ended"
        assert termios.tcgetattr(session.terminal) != before, "the terminal is as it was"
        fill(session)
        equal(session.end(number, LIMIT), -number, "status")
        equal(termios.tcgetattr(session.terminal), before, "settings of the terminal")
        session.drain(0)
        drawn = session.output
        while drawn.endswith(b"^L"):  # what the kernel passes on after the settings are back has an echo
            drawn = drawn[:-2]
        assert drawn.endswith(b"\x1b[?1049l\x1b[23;0;0t"), session.output[-200:]
