"""A shell in a terminal of tmux, for the tests that need a real one."""

import os
import pathlib
import subprocess
import tempfile
import time

import harness

LIMIT = 60  # seconds to wait for a state: only a hang takes that long


def is_running(process):
    return process is not None and os.path.exists(f"/proc/{process}")


def bottom(screen):
    """The last line."""
    return screen.rstrip("\n").split("\n")[-1].rstrip()


class Terminal:
    """with Terminal() as t: t.start(dump); t.wait("Overview"); t.send("q") ..."""

    def __init__(self, width=80, height=24, **environment):
        self.folder = tempfile.TemporaryDirectory(prefix="goheapx-tmux-")
        self.home = pathlib.Path(self.folder.name)
        self.tmp = self.home / "tmp"
        self.tmp.mkdir()
        self.environment = {
            **harness.ENVIRONMENT,
            "HOME": str(self.home), "TMPDIR": str(self.tmp), **environment,
        }
        config = self.home / "tmux.conf"
        config.write_text(
            'set -g default-terminal "tmux-256color"\nset -g status off\nset -s escape-time 0\n'
        )
        (self.home / "bashrc").write_text("PS1='$ '\nunset HISTFILE\n")
        shell = f"exec bash --rcfile {self.home}/bashrc --noediting -i"
        self.tmux("-f", str(config), "new-session", "-d", "-x", str(width), "-y", str(height), shell)

    def __enter__(self):
        try:
            self.wait(lambda screen: screen.startswith("$"), "the shell's prompt")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """Ends everything that was started, and waits for it: until then it may write into HOME."""
        try:
            processes = [int(self.ask("pane_pid")), self.process()]
        finally:
            self.tmux("kill-server")
        until = time.monotonic() + LIMIT
        while any(is_running(process) for process in processes) and time.monotonic() < until:
            time.sleep(0.01)
        self.folder.cleanup()

    def _tmux(self):
        return ["tmux", "-u", "-S", str(self.home / "socket")]

    def tmux(self, *arguments):
        done = subprocess.run(
            [*self._tmux(), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=True,
        )
        return done.stdout

    # ---- What the terminal shows

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def ask(self, what):
        """A variable of tmux, such as "alternate_on"."""
        return self.tmux("display-message", "-p", "#{" + what + "}").strip()

    def wait(self, state, what=None):
        """Polls until the screen has a text, or fulfils a predicate. Returns the screen."""
        fulfilled = state if callable(state) else lambda screen: state in screen
        until = time.monotonic() + LIMIT
        while True:
            screen = self.screen()
            if fulfilled(screen):
                return screen
            if time.monotonic() > until:
                raise AssertionError(f"no {what or state!r} after {LIMIT} s in\n{screen}")
            time.sleep(0.01)

    def wait_filled(self, text):
        """Waits for a view with a text that has all of its columns, and for the end of the analysis: until
        then the bottom line tells how far it is. Returns the whole of the view."""
        def filled(screen):
            return text in screen and "not yet" not in screen and bottom(screen).endswith("? help")

        self.wait(filled, f"{text} and no more work")
        self.settle()
        return self.wait(filled, f"{text} after a prompt")

    def settle(self):
        """Opens a prompt and leaves it: keys sent before it have been read, and all that was drawn before it is
        on the screen."""
        self.type(":")
        self.wait(lambda screen: bottom(screen).startswith(":"), "prompt")
        self.send("C-g")
        self.wait(lambda screen: not bottom(screen).startswith(":"), "end of the prompt")

    def wait_for(self, condition, what):
        """Polls for a state that is not on the screen."""
        self.wait(lambda _: condition(), what)

    # ---- What is done to it

    def send(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def complete(self, typed, whole):
        """Tab makes more of what is typed; `whole` is the end of the line then."""
        self.type(typed)
        self.send("Tab")
        self.wait(lambda screen: bottom(screen).endswith(whole), whole)

    def command(self, line):
        """Types a line: a command of the shell, or with a colon of the explorer."""
        self.type(line)
        self.send("Enter")

    def start(self, *arguments):
        """Starts the program; returns its process id once there is one."""
        self.command(" ".join([harness.PROGRAM, *arguments]))
        self.wait_for(lambda: self.process(), "process")
        return self.process()

    def process(self):
        """The process id of the program that the shell runs, or None."""
        shell = self.ask("pane_pid")
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        for child in map(int, children):
            try:
                if os.readlink(f"/proc/{child}/exe") == os.path.realpath(harness.PROGRAM):
                    return child
            except OSError:
                pass
        return None

    def settings(self):
        """The line discipline of the terminal, as stty prints it."""
        tty = self.ask("pane_tty")
        with open(tty) as file:
            return subprocess.run(
                ["stty", "-g"], stdin=file, capture_output=True, text=True, check=True
            ).stdout

    def check_restored(self, before):
        """The shell is back, on its own screen, with the settings that it had."""
        self.wait_for(lambda: self.ask("alternate_on") == "0", "return from the alternate screen")
        self.wait_for(lambda: self.settings() == before, "return of the terminal's settings")
        harness.equal(self.ask("cursor_flag"), "1", "cursor_flag")
        for mode in ("mouse_any_flag", "keypad_flag", "keypad_cursor_flag"):
            harness.equal(self.ask(mode), "0", mode)
