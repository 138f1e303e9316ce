#!/usr/bin/env python3
"""The explorer on a pseudo-terminal under random keys and resizes, in the build with ThreadSanitizer.

    tests/storm.py [--seed N] [--steps N] [--time SECONDS]

Everything that is done follows from the seed, which is printed. What fails is tried again with fewer
steps, and the shortest beginning that still fails is told. --seed N --steps M does just that one again;
else seeds are drawn for so many seconds.
"""

import argparse
import functools
import pathlib
import random
import signal
import sys
import tempfile
import time

import executables
import harness
import presses
import session
import writer

STEPS = 60
LIMIT = 120  # seconds until the program must have ended; only a hang takes that long
TRIES = 3  # of a beginning: what depends on the threads' timing does not fail each time
ENTER, ESCAPE = "\r", "\x1b"

OFTEN = [*"jjjjkkgG", *[ENTER] * 6, "\x7f", "\x7f", "\t", "\x0f", ESCAPE, *"123456789 "]
# What ends the program or stops it, or hands to a shell what the history brings.
NEVER = ("quit", "suspend", "pipe", "shell", "click")
COLUMNS = "address size type retained count name kind references referrers share bytes id".split()
FILTERS = (
    "size > 100", "type ~ main", "not reachable", "retained > 1k and size < 4k", "kind = frame",
    "runtime", "count > 3 or size = 16", "type_known = none", "id > 5", "size >",
)
VARIABLES = "main.gCache main.gDeep main.gListHead main.gBlock main.gChanBuf main.T".split()


@functools.lru_cache(maxsize=None)
def tables():
    return presses.Tables()


def keys():
    """What a key sends, for each that is pressed."""
    return [presses.key_bytes(name) for name, command in tables().keys if command not in NEVER] + OFTEN


def any_command(chance):
    """Any command, with any of its arguments or without."""
    name = chance.choice([name for name in tables().commands if name not in NEVER])
    known = {"@address": chance.choice(VARIABLES), "@type": "main.Session", "@file": "file"}
    return f"{name} {chance.choice(['', *tables().arguments(name, known)])}"


def command(chance):
    """A line after a colon."""
    return chance.choice((
        lambda: any_command(chance),
        lambda: any_command(chance),
        lambda: chance.choice(tables().views),
        lambda: f"sort {chance.choice(COLUMNS)}",
        lambda: f"filter {chance.choice(FILTERS)}",
        lambda: f"find {chance.choice(('session', '0x00', 'xyzzy', 'main'))}",
        lambda: f"goto {chance.choice(VARIABLES + ['0xc000080180', '0xc000206000'])}",
        lambda: f"set retain {chance.choice(('all', 'strong'))}",
        lambda: f"row {chance.randrange(20000)}",
        lambda: f"cut goroutine={chance.randrange(40)}",
        lambda: f"object size={1 << chance.randrange(4, 13)}",
        lambda: f"objects size={1 << chance.randrange(4, 13)}",
        lambda: f"merge type={chance.choice(('main.Session', 'string', 'main.TreeNode'))}",
        lambda: f"keys {' '.join(chance.choices('jkgGpwrdxzsS', k=5))}",
    ))()


# What asks for a line, and what may stand in it when Tab or an arrow is typed.
PROMPTS = {
    ":": [],  # see at_prompt
    "&": ["", ".", "len(", "(", "size ", "type ~ ", "type = ", "kind = \"", "not "],
    "/": ["", "main"], "=": ["", "main.", "main.gDeep.", "0x"], "c": ["", ".", "len(."], "\x10": ["", "path", "z"],
}
EDITS = ["\t", "\t", "\t", "\t\t", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x7f", "\x17", "\x01", "."]


def at_prompt(chance):
    """A line that is begun anywhere, completed and edited. Not that of |: what the history brings there is run by a
    shell."""
    opens = chance.choice(list(PROMPTS))
    words = [f"{name}{' ' if usage else ''}" for name, usage in tables().commands.items() if name not in NEVER]
    begun = chance.choice(PROMPTS[opens] or words)
    edits = "".join(chance.choices(EDITS, k=chance.randrange(1, 6)))
    return f"{opens}{begun[:chance.randrange(len(begun) + 1)]}{edits}" + chance.choice((ENTER, ESCAPE))


def steps_of(chance):
    """(text, seconds to wait behind it) or ((width, height), seconds), without an end."""
    while True:
        kind = chance.random()
        if kind < 0.10:
            what = chance.randrange(1, 180), chance.randrange(1, 60)
        elif kind < 0.25:
            what = f":{command(chance)}{ENTER}"
        elif kind < 0.29:
            what = f"/{chance.choice(('a', 'main', '0', 'zz', 'string'))}{ENTER}"
        elif kind < 0.31:
            what = f"&{chance.choice(FILTERS)}{ENTER}"
        elif kind < 0.35:
            button = chance.choice((0, 0, 64, 65))
            what = f"\x1b[<{button};{chance.randrange(1, 90)};{chance.randrange(1, 30)}M"
        elif kind < 0.40:
            what = f":{chance.choice(tables().views)[:3]}\t{chance.choice((ENTER, ESCAPE))}"
        elif kind < 0.50:
            what = at_prompt(chance)
        else:
            what = chance.choice(keys())
        yield what, chance.choice((0, 0, 0.002, 0.01, 0.05))


class Storm:
    """What a seed does, and to which files."""

    def __init__(self, seed, files):
        chance = random.Random(seed)
        self.seed = seed
        self.files = chance.choice(files)
        self.size = chance.randrange(20, 160), chance.randrange(5, 50)
        generated = steps_of(chance)
        self.steps = [next(generated) for _ in range(STEPS)]

    def failure(self, count):
        """Does the first steps; None, or (number of steps that were done, what went wrong)."""
        with tempfile.TemporaryDirectory(prefix="goheapx-storm-") as folder:
            return Watched(self, pathlib.Path(folder)).run(self.steps[:count])

    def shortest(self, count, text):
        """The shortest beginning that fails, when longer ones fail as well."""
        least, most = 0, count
        while least < most:
            middle = (least + most) // 2
            found = next(filter(None, (self.failure(middle) for _ in range(TRIES))), None)
            if found:
                most, text = middle, found[1]
            else:
                least = middle + 1
        return most, text

    def run(self):
        """Asserts that nothing goes wrong."""
        found = self.failure(STEPS)
        if found:
            count, text = self.shortest(*found)
            names = [f"{what}" if isinstance(what, tuple) else repr(what)
                     for what, _ in self.steps[:count]]
            raise AssertionError(
                f"seed {self.seed}, the first {count} steps on {' '.join(self.files)} at "
                f"{self.size[0]}x{self.size[1]}: {' '.join(names)}\nagain: python3 tests/storm.py "
                f"--seed {self.seed} --steps {count}\n{text}"
            )


class Watched(session.Session):
    """The program with ThreadSanitizer."""

    def __init__(self, storm, folder):
        self.folder = folder
        # Its own handler would hide the stack of a crash.
        super().__init__(storm.files, folder, storm.size, TSAN_OPTIONS=f"exitcode=99:handle_segv=2:log_path={folder}/races")

    def told(self):
        """What ThreadSanitizer has written."""
        return "".join(path.read_text("utf-8", "replace") for path in self.folder.glob("races*"))

    def do(self, what):
        if isinstance(what, tuple):
            self.resize(what)
        else:
            self.type(what)

    def run(self, steps):
        """Types; then the program must leave when it is told to, without a complaint."""
        until = time.monotonic() + LIMIT
        done, alive = 0, self.drain(LIMIT, b"\x1b[?1049h")  # before it draws, ^C is a signal
        for what, pause in steps:
            if not alive or self.told():
                break
            self.do(what)
            done += 1
            alive = self.drain(pause)
        while alive and time.monotonic() < until and not self.told():
            self.do(ESCAPE)  # out of whatever is asked
            alive = self.drain(0.2)
            if alive:
                self.do("Q")
                alive = self.drain(0.2)
        return self.verdict(done, alive)

    def verdict(self, done, alive):
        if alive and not self.told():
            self.end(signal.SIGKILL)
            return done, f"It does not end within {LIMIT} seconds."
        until = time.monotonic() + LIMIT
        while alive and "SUMMARY: " not in self.told() and time.monotonic() < until:
            alive = self.drain(0.1)  # it is still telling
        status = self.end(signal.SIGKILL if alive else 0)
        told = self.told()
        if told or status:
            return done, f"status {status}\n{told}\n{self.output[-1000:]!r}"
        return None


def files():
    """Dumps to storm through, with executables and without."""
    one, written = harness.ONE, harness.UNPACKED / "dangling.dump"
    harness.write_once(written, lambda: writer.dangling(20_000))
    dumps = [one, "go1.5.4-small", "go1.24.4-small-mips", "go1.26.10-server"]
    paths = [written, written, harness.TESTDATA / "netcf" / "weird.gclog", harness.TESTDATA / "chromium" / "seed_table.json"]
    alone = [(harness.unpacked(name),) for name in dumps] + [(str(path),) for path in paths]
    return alone + [(harness.unpacked(one), "--exe", executables.exe_of(one))] * 3


def main():
    options = argparse.ArgumentParser(description="Random keys under ThreadSanitizer.")
    options.add_argument("--seed", type=int, help="just this one")
    options.add_argument("--steps", type=int, default=STEPS, help="of it, so many")
    options.add_argument("--time", type=float, default=600, help="seconds for random seeds")
    chosen = options.parse_args()
    harness.PROGRAM = str(harness.ROOT / "build" / "thread" / "goheapx")
    if chosen.seed is not None:
        found = Storm(chosen.seed, files()).failure(chosen.steps)
        print(found[1] if found else "nothing went wrong")
        return 1 if found else 0
    until, failed, count = time.monotonic() + chosen.time, 0, 0
    while time.monotonic() < until:
        count += 1
        seed = random.SystemRandom().randrange(1 << 32)
        print(f"storm: seed {seed}", flush=True)
        try:
            Storm(seed, files()).run()
        except AssertionError as error:
            failed += 1
            print(error, flush=True)
    print(f"{count} storms, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
