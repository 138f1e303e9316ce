"""What the tests written in Python share: how a test is declared, and how the program is run.

A test is a function under @test; @test(each=...) makes one of each value, which the function gets as
its argument. A test fails by any exception, usually an assert, and is skipped by `raise Skip(why)`.
Which program it runs is PROGRAM, of the ordinary build or of the one with ASan and UBSan.

The rule which tests run on which build: whether an answer is right is told on the ordinary build, and whether
memory is in order on the one with sanitizers. There run the unit tests, seeds and changes of the fuzzers (in `make
check` only there), tests/cli, tests/damage and tests/tmux, and of tests/dumps only dumps/test_every, which goes once
through every table, view, command and export on an input of each kind. What compares numbers with the truth (the
rest of tests/dumps, tests/names) would take the same ways through the code again, and so would golden screens
(`make check-all` draws them with sanitizers, too). What tests/cli assert is the same on both, so it runs on the one
with sanitizers, and on the ordinary one where that is not tested (`make mutate`); but on both run tests of
processes, which are read otherwise by another program, and those that try only a share with sanitizers (BOTH). A
test that is to run otherwise says so by `builds`.
"""

import functools
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import packs
import server

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTDATA = ROOT / "testdata"
UNPACKED = ROOT / "build" / "tests" / "dumps"
GRAPHS = UNPACKED.with_name("graphs")  # see tests/oracle/kept.py
CORPUS = ROOT.parent / "shared" / "corpus"  # what the repository does not have
REAL = CORPUS / "real"
DEADLINE = 300  # seconds: only a hang takes that long

sys.path.insert(0, str(ROOT / "tests" / "oracle"))

PROGRAM = os.environ.get("GOHEAPX", str(ROOT / "build" / "goheapx"))
SANITIZED = "sanitize" in PROGRAM
BUILD = ROOT / "build"  # the folder of the build that is tested

SMALL = sorted(p.name[: -len(".dump.xz")] for p in TESTDATA.glob("*-small*.dump.xz"))
SERVER = sorted(p.name[: -len(".dump.xz")] for p in TESTDATA.glob("*-server*.dump.xz"))
DUMPS = SMALL + SERVER
ONE = "go1.24.4-small"  # where one dump is enough
# With sanitizers, tests of each dump look at these only: the early layout, today's, big-endian words of
# 32 bits. dumps/test_every looks at dumps of every layout, byte order and word.
FEW = {"go1.3beta1-small", ONE, "go1.24.4-small-mips"}
LAYOUTS = FEW | {
    "go1.3.3-small", "go1.4.3-small", "go1.5.4-small", "go1.6.4-server", "go1.7.6-small",
    "go1.26.10-server",
}

# Dumps that are read by mostly the same code, some written some releases after others, for other processors, or
# larger. A file of tests of all DUMPS, or of all SMALL, takes one of a group and KINDS groups, another file others:
# that is `make check`. `make check-all`, and whoever names tests, runs all (see run.py).
ALIKE = [
    ("go1.3.3-small", "go1.4.3-small"),
    ("go1.5.4-small", "go1.5.4-server", "go1.6.4-server"),
    ("go1.7.6-small", "go1.10.8-server", "go1.15.15-server"),
    ("go1.19.8-small", "go1.19.8-server", "go1.21.13-small", "go1.22.12-small"),
    ("go1.22.12-small-noallocheaders", "go1.24.4-small-386", "go1.24.4-small-pie", "go1.24.4-small-s390x"),
    ("go1.25.12-small-greentea", "go1.26.10-server", "go1.27.3-small"),
]
KINDS = 4  # groups of those that are alike, or single dumps, that a file takes
READING = {"test_oracle", "test_truth"}  # files that take one of each group: all else depends on what they try

ORDINARY = {"dumps", "names"} | ({"golden"} if not os.environ.get("ALL") else set())
ONCE = {"cli"}  # folders whose tests assert the same on both builds
BOTH = ("gcc", "sanitize")
tested = BOTH  # builds whose program is tested

folder = module = ""  # of what is being imported
REGISTERED = []  # (name, function, arguments, builds) of the module that is being imported


class Skip(Exception):
    """The test cannot run here; the text says why."""


def test(function=None, *, each=None, builds=None, most=None):
    """Declares a test, and on which builds of the program it is run, see above. `make check` takes only so many of
    its values (0: it is left out), spread over all of them; `make check-all` takes all."""

    def declare(function):
        values = [None] if each is None else list(each)
        for index, value in enumerate(values):
            name = function.__name__ + ("" if each is None else f"[{value}]")
            left = not os.environ.get("ALL") and (
                is_left_out(value, each) if each in (DUMPS, SMALL) else not is_spread(index, len(values), len(values) if most is None else most))
            REGISTERED.append((name, function, None if each is None else (value,), [] if left else on(value, builds)))
        return function

    return declare(function) if function else declare


def is_spread(index, count, most):
    """Is this one of `most` among `count` that are equally far from each other, with the first?"""
    return index * most // count != (index - 1) * most // count


def is_left_out(dump, each):
    """Does this file leave a dump to `make check-all`? See ALIKE."""
    groups = [*ALIKE, *((name,) for name in DUMPS if not any(name in alike for alike in ALIKE))]
    taken = sorted(groups, key=lambda group: chance(group[0]))[: None if module in READING else KINDS]
    alike = [name for group in taken if dump in group for name in group if name in each]
    return not alike or dump != alike[chance(alike[0]) % len(alike)]


def chance(word):
    """Another number for each file of tests, always the same."""
    return zlib.crc32(f"{module} {word}".encode())


def on(value, builds):
    """The builds that a test is run on with this value."""
    if builds is None:
        once = folder in ONCE and not module.startswith("test_process") and "sanitize" in tested
        builds = ("gcc",) if folder in ORDINARY else ("sanitize",) if once else BOTH
    alike = "gcc" in builds and isinstance(value, str) and value in DUMPS and value not in FEW
    return [build for build in builds if build != "sanitize" or not alike]


# ---- Files


def write_once(path, content, since=0):
    """A file that tests make for each other, unless it is there and not older than `since`; content() is
    what it has."""
    if not path.exists() or path.stat().st_mtime < since:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(content())
        part.rename(path)
    return str(path)


def unpack(packed, path):
    """The path of a file as it was before compression. One of testdata may be in a pack."""
    if not packed.exists():
        packed = in_packs(packed) or packed
    if not packed.exists():
        raise Skip(lacking(packed))
    if packs.PLACE in packed.parents:
        return write_once(path, packed.read_bytes, packed.stat().st_mtime)
    if packed.suffix != ".xz":
        return str(packed)
    return write_once(path, lambda: lzma.open(packed).read(), packed.stat().st_mtime)


def in_packs(packed):
    """The same file where packs are unpacked, if one has it."""
    if TESTDATA in packed.parents:
        file = packs.unpacked() / packed.relative_to(TESTDATA).with_name(packed.name.removesuffix(".xz"))
        return file if file.exists() else None
    return None


def stored(name):
    """The path of an input, packed or not: in testdata or its packs, or in ../shared/corpus, which has in folders of
    the same names what is too large to be here."""
    for folder in (TESTDATA, packs.unpacked(), CORPUS):
        for file in (folder / name, folder / f"{name}.xz"):
            if file.exists():
                return file
    raise Skip(lacking(CORPUS / name))


def input_of(name):
    """The path of the same as it was before compression."""
    return unpack(stored(name), UNPACKED / name.replace("/", "-"))


def truth_in(name):
    """What is in a file of JSON that `stored` finds."""
    path = stored(name)
    return json.loads(lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes())


def lacking(path):
    """Why a test is skipped that reads what the repository does not have."""
    return f"there is no {path.name}" if CORPUS.exists() else "../shared/corpus is not there"


def unpacked(name):
    """The path of a dump of testdata as it was before compression."""
    return unpack(TESTDATA / f"{name}.dump.xz", UNPACKED / f"{name}.dump")


def has_no_symbol(name):
    """Is a variable of bss called by its place, with or without the package that uses it? Some of the runtime's
    are known by what stands in them."""
    known = r"runtime\.(all|semtable|m0|sched|fing|forcegc|sweep)|sync\.(all|old)Pools"
    return re.match(rf"(~?[\w.-]+ variable )?bss\+0x|{known}", name)


def real_files(name):
    """Path of a dump of a larger program, and what is true of it."""
    path = unpack(stored(f"real/{name}.dump"), UNPACKED / f"{name}.dump")
    return path, truth_in(f"real/{name}.truth.json")


@functools.lru_cache(maxsize=4)
def truth(name):
    """What the program that wrote the dump knew of itself."""
    with lzma.open(TESTDATA / f"{name}.truth.json.xz", "rt") as file:
        return json.load(file)


@functools.lru_cache(maxsize=2)
def oracle(name):
    """The dump as the reader in Python sees it: a Graph."""
    return graph_of(unpacked(name))


def graph_of(path, exe=None):
    """The same of any dump, and with its executable."""
    import kept

    return kept.graph_of(path, GRAPHS, exe)


# ---- Running

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
    "HOME": "/nonexistent",
    "XDG_CACHE_HOME": "/dev/null",  # no index is kept, unless a test wants one
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
    "ASAN_OPTIONS": "exitcode=99:detect_leaks=1:allow_user_segv_handler=1:handle_sigill=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:exitcode=99",
    "TSAN_OPTIONS": "exitcode=99",
}


class Result:
    """What a process has answered, or a session in its place."""

    def __init__(self, arguments, process):
        self.arguments = arguments
        self.status = process.returncode
        self.raw_out, self.raw_err = process.stdout, process.stderr
        self.out = process.stdout.decode("utf-8", "backslashreplace")
        self.err = process.stderr.decode("utf-8", "backslashreplace")

    def __str__(self):
        return (
            f"goheapx {' '.join(map(str, self.arguments))}: status {self.status}\n"
            f"{self.out[-2000:]}{self.err[-4000:]}"
        )


def run(*arguments, expect=None, environment=(), stdin=subprocess.DEVNULL, cwd=None, alone=True):
    """Runs the program without a terminal. expect: the exit status that is right. A question about a file, with
    nothing of its own around it, is asked a server where `alone` is False, and does not start a process then."""
    words = [str(argument) for argument in arguments]
    if not alone and not environment and cwd is None and may_be_asked(words):
        process = ask(words, None if stdin == subprocess.DEVNULL else stdin.read().decode())
    else:
        process = subprocess.run(
            [PROGRAM, *words],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**ENVIRONMENT, **dict(environment)},
            timeout=DEADLINE,
            cwd=cwd,
            check=False,
        )
    result = Result(arguments, process)
    assert result.status >= 0, f"killed by signal {-result.status}: {result}"
    assert result.status != 99 and "runtime error:" not in result.err, f"sanitizer: {result}"
    if expect is not None:
        assert result.status == expect, f"expected status {expect}: {result}"
    return result


servers = {}  # goheapx serve, by their program: what a process has asked about stays read, see `alone`


def may_be_asked(words):
    """Is this about a file, and not about a process?"""
    return words[0] not in ("snapshot", "watch", "mcp", "serve", "explore") and any(map(os.path.isfile, words))


def ask(words, text=None):
    """What a server of this program answers, like a process."""
    if PROGRAM not in servers:
        servers[PROGRAM] = server.Server(PROGRAM, ENVIRONMENT)
    try:
        status, out, err = servers[PROGRAM].ask(words, text, DEADLINE)
    except Exception as error:  # whatever it is, the next question finds another server
        broken = servers.pop(PROGRAM).process
        broken.kill()
        broken.wait()
        raise AssertionError(f"goheapx serve: {error}: {words}") from error
    return subprocess.CompletedProcess(words, status, out, err)


def asked_seconds():
    """Processor seconds of servers that run."""
    return sum(one.seconds() for one in servers.values())


@functools.lru_cache(maxsize=2)
def indexed(*files):
    """The environment in which an index of a dump is found, for many questions about single objects."""
    folder = UNPACKED.with_name("indexed") / "".join(os.path.basename(file) for file in files)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    environment = {"XDG_CACHE_HOME": str(folder)}
    run("index", *files, environment=environment, expect=0)
    return environment


def answer(*arguments, expect=0, environment=()):
    """What the program prints with --json. On stderr is nothing but the state of the files that
    info tells, in one line, and not a word when they are whole."""
    words = list(map(str, arguments))
    question = question_of(words)
    text = known.get((question, expect))
    if text is None:
        result = run(*words, "--json", expect=expect, environment=environment, alone=False)
        check_messages(result, words)
        text = result.out
        if question and len(text) < KNOWN_LENGTH:
            if len(known) >= KNOWN_MOST:
                del known[next(iter(known))]
            known[question, expect] = text
    return json.loads(text)


# Several tests of a dump, in one process after the other, ask for the same: its goroutines, what info says.
KNOWN_LENGTH, KNOWN_MOST = 1 << 22, 100
known = {}


@functools.cache
@functools.lru_cache(maxsize=1)
def forms():
    """{name: schema} of every table and every form of one, of rare tables, too."""
    about = json.loads(run("schema", "--all", expect=0).out)["$defs"]
    return {form.get("title", name): form for name, rows in about.items() for form in rows.get("anyOf", [rows])}


def usage_of(table):
    """The argument of a table or of a form, such as "ADDR [K]", as help says it; "": it takes none."""
    told = re.search(r"^goheapx list \S+ DUMP(.*)$", run("help", table, expect=0).out, re.M)[1]
    return re.sub(r" --(tree|list|group .*)$", "", told).strip()


def question_of(words):
    """What an answer depends on, if it is about a file, and no process: else None."""
    kept = [word for word in words if word.startswith((str(UNPACKED), str(TESTDATA))) and os.path.isfile(word)]
    if not kept or words[0] not in ("info", "list") or "--index" in words or words[words[0] == "list":][1:2] != kept[:1]:
        return None
    states = [os.stat(word) for word in kept]
    return PROGRAM, *words, *((state.st_ino, state.st_mtime_ns, state.st_size) for state in states)


def check_messages(result, words):
    """See answer; words: what the program was asked."""
    if result.err:
        dump = next(word for word in words if os.path.isfile(word))
        exe = words[words.index("--exe") :][:2] if "--exe" in words else []
        told = result if words[0] == "info" else run("info", dump, *exe, "--json", expect=0, alone=False)
        state = json.loads(told.out)["state"]
        assert state and result.err == f"goheapx: {dump}: {state}.\n", result


def answers(*arguments, expect=0):
    """The answers of `path` for each object: a list of them, where there are several."""
    told = answer(*arguments, expect=expect)
    several = len([argument for argument in arguments if str(argument)[:1] != "-"]) > 3
    return told if several else [told]


def queries(statements, *arguments, environment=()):
    """What each query of SQL answers, all of them asked in one process."""
    with tempfile.TemporaryFile() as file:
        file.write(";\n".join(statements).encode())
        file.seek(0)
        result = run("sql", *arguments, "--json", stdin=file, environment=environment, expect=0, alone=False)
    check_messages(result, ["sql", *map(str, arguments)])
    told = values_of(result.out)
    equal(len(told), len(statements), "how many answers there are")
    return told


def values_of(text):
    """Values of JSON, each with a newline behind it."""
    values, at = [], 0
    while at < len(text):
        value, end = json.JSONDecoder().raw_decode(text, at)
        values.append(value)
        at = end + 1
    return values


def human(size):
    for unit, bytes_of in (("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_of:
            return f"{size / bytes_of:.1f} {unit}"
    return f"{size} B"


def overwrite(path, content):
    """In place, as `cat >` does."""
    with open(path, "r+b") as file:
        file.write(content)
        file.truncate()


def equal(got, want, what):
    """Asserts that two values are equal, and names them when they are not."""
    if got != want:
        raise AssertionError(f"{what}: the program says {short(got)}, right is {short(want)}")


def short(value):
    text = repr(value)
    return text if len(text) < 400 else text[:300] + f"... ({len(text)} characters)"
