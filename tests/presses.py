"""Every key and every command of the explorer in every view, on a pseudo-terminal. What there is, is read from the
manual that the program prints, so that a new key, command or table is pressed by itself.

    tests/presses.py [--build NAME] [WORD...]

does all of it, which takes about an hour of processor time, or that of the named inputs and views. Each view is a
session of its own, or more where what is pressed ends it."""

import argparse
import base64
import concurrent.futures
import contextlib
import itertools
import pathlib
import re
import sys
import tempfile
import time
import zlib

import core_files
import executables
import harness
import live
import session

LIMIT = 120  # seconds until an answer must have come; only a hang takes that long
PAUSE = 0.05  # seconds behind Esc, which else is taken for the beginning of another key
ENTER, ESCAPE, INTERRUPT, GIVE_UP = "\r", "\x1b", "\x03", "\x07"
LEAVES = (ENTER, ESCAPE, "\t\t" + INTERRUPT, INTERRUPT, "\x1b[A" + ENTER)  # ways out of a prompt
BYTES = {
    "Enter": ENTER, "Esc": ESCAPE, "Tab": "\t", "Space": " ", "Backspace": "\x7f", "Up": "\x1bOA", "Down": "\x1bOB",
    "Right": "\x1bOC", "Left": "\x1bOD", "Home": "\x1bOH", "End": "\x1bOF", "PageUp": "\x1b[5~", "PageDown": "\x1b[6~",
    "F1": "\x1bOP", "F3": "\x1bOR", "F4": "\x1bOS", "F6": "\x1b[17~", "F10": "\x1b[21~", "ZZ": "ZZ", "MouseLeft": "\x1b[<0;10;8M", "WheelUp": "\x1b[<64;10;8M", "WheelDown": "\x1b[<65;10;8M",
}
LATE = "The copy was ended before it was whole"  # what a process was left with
PAGES = ("overview", "accounts", "help", "palette", "object", "why", "path", "hex", "warnings", "goroutine")  # no tables

# What stands for the word of a usage, where that is not right itself.
SAMPLES = {
    "N": "3", "K": "2", "DEPTH": "1", "ADDR": "@address", "VARIABLE": "@address", "HOLDER": "@address", "PLACE": "@address",
    "OWNER": "@address", "PATH": "@address", "X": "a", "TYPE": "@type", "NAME": "@type", "TEXT": "main", "0xBYTES": "0x00",
    "COL": "size", "FIELD": "len(.)", "EXPR": "size > 64", "FILE": "@file", "COMMAND": "true", "KEY": "F9", "ID": "1",
    "GOID": "1", "ROW": "9", "COLUMN": "9", "OPTION": "ascii", "VALUE": "on", "STYLE": "link", "COLOR": "red",
    "ATTRIBUTE": "bold", "QUERY": "SELECT count(*) FROM objects", "TABLE": "objects", "WORD": "path", "BYTES": "1k",
    "CUT": "@address", "SET": "reachable", "WIDTHxHEIGHT": "100x30", "STAGE": "all", "WHY": "because", "STEPS": "*",
}
SAMPLES_OF = {"keys": "j"}  # of a command


def manual_part(text, title):
    return text.split(f".Sh {title}\n")[1].split("\n.Sh ")[0]


class Tables:
    """What the program has: keys [(name, command)], commands {name: usage}, tables {name: usage}."""

    def __init__(self):
        text = harness.run("manual", expect=0).out
        self.keys, self.commands = [], {}
        for entry in manual_part(text, "KEYS").split("\n.It ")[1:]:
            command = re.search(r"^\.Pq Ic \\&:(.*)$", entry, re.M)
            names = re.findall(r"Ic \\&(\S+)", entry.split("\n")[0])
            assert command and names, entry
            self.keys += [(name, command[1]) for name in names]
        self.commands = dict(re.findall(r"^\.It Ic (\S+)(?: (.*))?$", manual_part(text, "COMMANDS"), re.M))
        tables = list(harness.forms())
        for table in tables:
            self.commands.setdefault(table, harness.usage_of(table))
        self.views = [name for name in dict.fromkeys((*PAGES, *tables)) if name in self.commands]
        assert len(self.keys) > 50 and len(self.commands) > 100 and len(self.views) > len(PAGES), "the manual has changed"
        assert not set(PAGES) - set(self.views), f"other names: {set(PAGES) - set(self.views)}"

    def arguments(self, name, known):
        """Arguments that its usage names; known: what "@address" and others are in this input."""
        usage = self.commands[name]
        whole = usage[1:-1] if usage.startswith("[") and usage.index("]") == len(usage) - 1 else usage
        alternatives = re.findall(r"(?:\[[^]]*\]|[^|\[])+", whole)
        words_only = [chosen for chosen in alternatives if re.fullmatch(r"[a-z-]+", chosen)]
        for chosen in dict.fromkeys((*alternatives[:1], *words_only, *alternatives[-1:])):
            words = [self.sample(word, name, known) for word in re.split(r"[\s\[\]|.,]+", chosen) if word]
            yield " ".join(dict.fromkeys(words))

    def sample(self, word, name, known):
        before, equals, value = word.partition("=")
        said = SAMPLES_OF.get(name) or SAMPLES.get(value or before, value or before)
        return (f"{before}=" if equals else "") + known.get(said, said)

    def opens(self, view, known):
        """The line that opens a view, with an argument if it has to have one."""
        usage = self.commands[view]
        argument = next(self.arguments(view, known), "") if usage and usage[0] != "[" else ""
        return f":{view} {argument}{ENTER}"

    def presses(self, known):
        """All of them: (what it is, what is typed)."""
        for name, command in self.keys:
            yield f"key {name}", key_bytes(name)
            if command.startswith(("ask ", "search", "pipe")):
                for begun, leave in itertools.product(("", "ma"), LEAVES):
                    if (command, leave[-1]) != ("pipe", ENTER):  # a shell would run what the history brings
                        yield f"key {name} {begun}{leave!r}", key_bytes(name) + begun + leave
        for name in self.commands:
            yield f":{name}", f":{name}{ENTER}"
            for number, argument in enumerate(self.arguments(name, known)):
                yield f":{name} with argument {number + 1}", f":{name} {argument}{ENTER}"
            yield f":{name} and Tab", f":{name} \t\t{INTERRUPT}"


def key_bytes(name):
    if re.fullmatch(r"\^[@-_]", name):
        return chr(ord(name[1]) & 31)
    assert name in BYTES or len(name) == 1, f"which bytes are the key {name}?"
    return BYTES.get(name, name)


# ---- Inputs


def file(*arguments):
    return lambda: contextlib.nullcontext([*map(str, arguments)])


def lazily(make):
    return lambda: contextlib.nullcontext([*map(str, make())])


@contextlib.contextmanager
def process():
    live.may_look()
    with live.parked("go1.26-park-stripped-quiet", "quiet") as parked:
        yield [str(parked.pid), "--yes"]


INPUTS = {
    "dump": lazily(lambda: executables.files(harness.ONE)),
    "old": lazily(lambda: (harness.unpacked("go1.3beta1-small"),)),
    "core": lazily(lambda: (core_files.core("go1.26-queued"),)),
    "stripped": lazily(lambda: (core_files.core("go1.26-park-stripped-quiet"),)),
    "process": process,
    "v8": file(harness.TESTDATA / "v8" / "registry.heapsnapshot"),
    "netcf": file(harness.TESTDATA / "netcf" / "weird.gclog"),
    "trace": file(harness.TESTDATA / "chromium" / "odd.json"),
    "allocators": file(harness.TESTDATA / "chromium" / "allocators.json"),
    "series": lazily(lambda: [*(executables.dump_of(f"go1.19-drift-{n}") for n in "123"), executables.exe_of("go1.19-drift-3")]),
    "series of logs": file(*(harness.TESTDATA / "netcf" / f"leak_{when}.gclog" for when in ("before", "after"))),
}


def known_of(files, home):
    """What stands for the words of arguments in an input: one of its objects."""
    result = harness.run("sql", *files, "SELECT address, type FROM objects ORDER BY size DESC LIMIT 1", "--csv")
    row = [*result.out.split("\n")[1:2], ""][0].rstrip().partition(",") if result.status == 0 else ("", "", "")
    return {"@address": row[0] or "0x1000", "@type": row[2].strip('"') or "string", "@file": str(home / "file")}


# ---- Pressing


class Presser:
    """The program with one view of an input. It is started anew where it was left."""

    def __init__(self, files, home):
        self.files, self.home, self.count, self.session = files, home, 0, None

    def close(self):
        if self.session:
            self.session.__exit__()
        self.session = None

    def answers(self):
        """Does it answer, after all that was typed? False: it has ended. A text that it is told to copy to the
        clipboard comes back, unless something else is asked: ^G leaves that. A shell asks for Enter."""
        self.count += 1
        word = f"still there {self.count}"
        marker = base64.b64encode(word.encode())
        asked = GIVE_UP + GIVE_UP + f"\x0c:copy {word}{ENTER}"
        self.session.type(asked)
        until = time.monotonic() + LIMIT
        while marker not in self.session.output:
            if not self.session.drain(0.2, marker):
                return False
            if b"goes back to the explorer]" in self.session.output:
                self.session.output = b""
                self.session.type(ENTER + asked)
            if time.monotonic() > until:
                raise AssertionError("it does not answer any more")
        return True

    def press(self, opens, typed):
        """Asserts that the program is there afterwards, or was left without a complaint."""
        if not self.session:
            self.session = session.Session([*self.files, "--fresh"], self.home, (100, 30))
            self.session.type(opens)
            assert self.answers(), self.end()
        self.session.output = b""
        self.session.type(opens + typed)
        if typed.endswith(ESCAPE):
            self.session.drain(PAUSE)
        if not self.answers():
            said = self.end()
            assert self.session.status == 0, said
            self.close()

    def complaint_of(self, opens, typed, tries=5):
        """The same: None, or what goes wrong. Where the machine is too busy to copy a process in the time that it may be
        stopped for, there is nothing yet to press a key in."""
        try:
            self.press(opens, typed)
        except AssertionError as error:
            self.close()
            if LATE in str(error) and tries > 1:
                return self.complaint_of(opens, typed, tries - 1)
            return str(error)
        return None

    def end(self):
        """Waits for the end; what the program has said."""
        self.session.end(0, LIMIT)
        text = self.session.output.decode("utf-8", "replace")
        return f"status {self.session.status}\n{text[max(0, text.find('ERROR: AddressSanitizer')):][:6000]}"


def chance(word):
    """A number that is always the same."""
    return zlib.crc32(word.encode())


def complaints(name, chosen=lambda views, what, view: True, views=None):
    """Presses keys and commands in views of an input, those of which chosen(all views, what, view) is true; yields (what
    was pressed, None or what went wrong)."""
    tables = Tables()
    with INPUTS[name]() as files, tempfile.TemporaryDirectory(prefix="goheapx-presses-") as folder:
        home = pathlib.Path(folder)
        known = known_of(files, home)
        presser = Presser(files, home)
        try:
            for view in views or tables.views:
                for what, typed in tables.presses(known):
                    if chosen(tables.views, what, view):
                        yield f"{name}, {view}, {what}", presser.complaint_of(tables.opens(view, known), typed)
        finally:
            presser.close()


def of_part(name):
    """Those of an input that `make check` does: each press in one view, and another one in each input."""
    yield from complaints(name, lambda views, what, view: views[chance(f"{name} {what}") % len(views)] == view)


def all_of(name, view):
    try:
        return list(complaints(name, views=[view]))
    except harness.Skip as skip:
        return [(f"{name}, {view}", f"skipped: {skip}")]


def main():
    options = argparse.ArgumentParser(description="Every key and command in every view.")
    options.add_argument("--build", default="sanitize", help="of which build")
    options.add_argument("words", nargs="*", help="inputs, or views")
    chosen = options.parse_args()
    harness.BUILD = harness.ROOT / "build" / chosen.build
    harness.PROGRAM = str(harness.BUILD / "tests" / "goheapx")
    names = [name for name in INPUTS if name in chosen.words] or list(INPUTS)
    views = [view for view in Tables().views if view in chosen.words] or Tables().views
    failed, count = 0, 0
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for results in pool.map(all_of, *zip(*itertools.product(names, views))):
            count += len(results)
            for what, complaint in results:
                if complaint:
                    failed += 1
                    print(f"{what}: {complaint}", flush=True)
            print(f"presses: {count}, {failed} failed, {results[-1][0]}", flush=True)
    print(f"{count} presses, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
