"""The program on a pseudo-terminal of Python's own, for tests that type much and look at little."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import harness

PIECE = 1 << 16


class Session:
    """with Session(files, home, (80, 24)) as session: session.type("q"); session.drain(1) ... The folder `home` is where
    it runs and keeps what it keeps, and its editor ends at once."""

    def __init__(self, arguments, home, size, **environment):
        self.output, self.status = b"", None
        environment = {**harness.ENVIRONMENT, "TERM": "xterm-256color", "HOME": str(home), "VISUAL": "true", **environment}
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            try:
                self.resize(size, 0)
                os.chdir(home)
                signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup may have run the tests
                os.execve(harness.PROGRAM, [harness.PROGRAM, *map(str, arguments)], environment)
            finally:
                os._exit(127)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            self.end(signal.SIGKILL, 60)
        with contextlib.suppress(OSError):
            os.close(self.terminal)

    def resize(self, size, terminal=None):
        """The kernel tells the program."""
        terminal = self.terminal if terminal is None else terminal
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def type(self, text):
        """What the program does not take waits until it does: a key never waits for what was drawn before."""
        left = text.encode()
        while left:
            _, free, _ = select.select([], [self.terminal], [], 0)
            try:
                left = left[os.write(self.terminal, left[:256]) if free else 0:]
            except OSError:
                return
            if not self.drain(0 if free else 0.01):
                return

    def drain(self, seconds, until=None):
        """Reads what the program draws for so long, or until that has a text, or until it has ended. False: it
        has."""
        limit = time.monotonic() + seconds
        while True:
            left = max(0, limit - time.monotonic())
            if not select.select([self.terminal], [], [], left)[0]:
                return True
            try:
                piece = os.read(self.terminal, PIECE)
            except OSError:
                return False
            self.output = (self.output + piece)[-PIECE:]
            if not piece:
                return False
            if until and until in self.output:
                return True

    def end(self, number=0, limit=None):
        """Sends a signal unless it is 0, and waits for the end. With `limit` only for so many seconds (None: it has
        not ended), and its terminal is there and unread meanwhile. The status is that of Popen."""
        if number:
            os.kill(self.process, number)
        if limit is None:
            os.close(self.terminal)
        until = time.monotonic() + (limit or 0)
        while True:
            process, status = os.waitpid(self.process, os.WNOHANG if limit else 0)
            if process:
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
            if time.monotonic() > until:
                return None
            time.sleep(0.01)
