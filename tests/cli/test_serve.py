"""goheapx serve: a line with what a command line prints, for each line with its words. An answer is that of a process
of its own, byte for byte."""

import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from core_files import HERE, MORE, core
from executables import dump_of, exe_of, files
from harness import DEADLINE, ENVIRONMENT, ONE, PROGRAM, TESTDATA, equal, forms, run, test
from server import Server, children

INPUTS = {
    "dump with its executable": lambda: files(ONE),
    "dump": lambda: (dump_of("go1.27-corner"),),
    "two dumps": lambda: (*files("go1.19-drift-3"), "--since", dump_of("go1.19-drift-1")),
    "core": lambda: (str(core(HERE[0])),),
    "stripped": lambda: (str(core(next(name for name in [*HERE, *MORE] if "stripped" in name))),),
    "V8": lambda: (str(TESTDATA / "v8/registry.heapsnapshot"),),
    ".NET": lambda: (str(TESTDATA / "netcf/two_domains.gclog"),),
    "Chromium": lambda: (str(TESTDATA / "chromium/odd.json"),),
    "hidden": lambda: (*files(ONE), "--hide"),
    "another executable": lambda: (dump_of(ONE), exe_of("go1.27-corner")),
    "nothing": lambda: ("/nothing.dump",),
}
ADDRESS = ("show", "why", "path", "retained", "what-if")
OTHERS = (["version"], ["help"], ["help", "list"], ["help", "objects"], ["schema", "types"], ["completion", "bash"], ["manual"], ["skill"],
          ["nothing", "at", "all"], ["--nothing"], ["list"], ["list", "types"], ["list", "types", "--columns"], ["cache", "list"])


def serving(**more):
    return Server(PROGRAM, ENVIRONMENT, **more)


def questions(files):
    """Every subcommand about a dump, and every table."""
    dump, *exe = files
    for table in forms():
        yield ["list", table, dump, *exe, "--limit", "20", "--json"]
    told = run("list", "objects", dump, *exe, "--columns", "address", "--csv", "--limit", "40").out.split()[1:]
    for address in told[::20]:
        for word in ADDRESS:
            yield [word, dump, address, *exe]
        for table in ("fields", "referrers", "references", "values"):
            yield ["list", table, dump, address, *exe, "--json"]
    for words in (["info", dump], ["info", dump, "--json"], ["top", dump], ["find", dump, "main"],
                  ["check", dump, "--assert", "bytes() >= 0"], ["check", dump, "--assert", "bytes() < 0"],
                  ["report", dump, "--format", "md"], ["report", dump, "--format", "json"], ["estimate", dump],
                  ["sql", dump, "SELECT type, count(*) FROM objects GROUP BY type ORDER BY 2 DESC, 1 LIMIT 9"],
                  ["sql", dump, "SELECT nothing FROM objects"], ["list", "types", dump, "--strict"], ["list", "types", dump, "--no-cache"],
                  ["list", "owners", dump, "--retain", "strong", "--depth", "2"], ["list", "objects", dump, "--parts", "--limit", "9"],
                  ["list", "types", dump, "--where", "nothing > 1"], ["list", "types", dump, "--group", "package"], ["show", dump, "0x10"],
                  ["list", "types", dump, "--max-bytes", "600"], ["diff", dump, dump], ["export", dump, "--format", "folded"],
                  ["export", dump, "--format", "nothing"], ["explore", dump, "-e", "types"], [dump, "-e", "overview"]):
        yield [*words, *exe]


@test(each=INPUTS, builds=["gcc"], most=5)
def an_answer_is_that_of_a_process(name):
    """The second answer, too, which is a session's that has read all before."""
    asked = answered = 0
    with serving() as server:
        for words in [*questions(INPUTS[name]()), *(OTHERS if name == "nothing" else ())]:
            own = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, check=False,
                                 timeout=DEADLINE)
            for time_asked in ("first", "second"):
                equal(server.ask(words), (own.returncode, own.stdout, own.stderr), (time_asked, words))
            asked += 1
            answered += own.returncode == 0
        assert len(children(server.process.pid, 1)) <= 4, "sessions with and without the executable, and of two dumps, and the blank one"
    assert asked > 80 and (answered > 5 or name == "nothing"), (asked, answered)


@test
def what_is_no_question_is_told():
    with serving() as server:
        for line, said in ((b"{", "line of JSON"), (b"7", "line of JSON"), (b"[1]", "is a text"), (b'{"id":3}', "an array"),
                           (b'["a\\u0000b"]', "NUL"), (b'{"id":3,"words":["version"],"in":7}', "is a text"), (b"\xff[]", "line of JSON"),
                           (json.dumps(["x"] * 5000).encode(), "an array"), (b"[" * 5000, "line of JSON"),
                           (b'["' + b"x" * 20_000_000 + b'"]', "too long")):
            answer = server.say(line)
            assert said in answer["error"] and answer.get("id") == (3 if b'"id"' in line else None), (line[:40], answer)
        for words in (["explore", dump_of(ONE)], [dump_of(ONE)], ["mcp"], ["serve"], ["watch", "goheapx"]):
            status, out, err = server.ask(words)
            equal((status, out), (2, b""), words)
            assert b"goheapx serve does not answer" in err, err
        for one in ("a", 7, None, ["x"], {"y": 1}):
            equal(server.say({"id": one, "words": ["version"]})["id"], one, "id")
        equal(server.ask(["sql", dump_of(ONE)], "SELECT 7;")[1], b"7\n7\n", "what is read from the standard input")


@test
def the_end_of_the_input_is_answered_before():
    lines = b'["version"]\n\n{"id":"last","words":["help","sql"]}'
    done = subprocess.run([PROGRAM, "serve"], input=lines, capture_output=True, env=ENVIRONMENT, timeout=DEADLINE, check=False)
    first, last = map(json.loads, done.stdout.splitlines())
    equal((done.returncode, done.stderr, first["out"], last["id"]), (0, b"", run("version").out, "last"), "answers")


@test
def bytes_that_are_no_text_survive():
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x")
        run("export", dump_of(ONE), "--format", "pprof", "-o", path, expect=0)
        own = subprocess.run([PROGRAM, "export", dump_of(ONE), "--format", "pprof"], capture_output=True, env=ENVIRONMENT, check=False)
        assert len(own.stdout) > 1000 and own.stdout.decode(errors="ignore").encode() != own.stdout
        for _ in range(2):
            equal(server.ask(["export", dump_of(ONE), "--format", "pprof"]), (0, own.stdout, own.stderr), "pprof")


def until(true):
    """Waits with a deadline."""
    end = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < end, "it never happens"
        time.sleep(0.01)


@test
def a_dump_that_changes_is_read_again():
    words = lambda dump: ["list", "types", dump, "--json"]
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        dump = os.path.join(folder, "x.dump")
        for name in (ONE, "go1.27-corner", ONE):
            shutil.copy(dump_of(name), dump + ".new")
            os.rename(dump + ".new", dump)  # as another file of that name
            for _ in range(3):
                equal(server.ask(words(dump))[1].decode(), run(*words(dump_of(name))).out, name)
        with open(dump, "r+b") as file:  # in its place
            file.write(pathlib.Path(dump_of("go1.27-corner")).read_bytes())
            file.truncate()
        equal(server.ask(words(dump))[1].decode(), run(*words(dump_of("go1.27-corner"))).out, "written to")
        shutil.copy(exe_of("go1.27-corner"), os.path.join(folder, "x.exe"))  # is found without being named
        for _ in range(3):
            equal(server.ask(words(dump))[1].decode(), run(*words(dump)).out, "an executable beside it")
        os.unlink(dump)
        status, out, err = server.ask(words(dump))
        assert (status, out) == (2, b"") and b"No such file" in err, err


@test
def notes_are_those_of_now():
    dump = dump_of(ONE)
    address = json.loads(run("list", "objects", dump, "--limit", "1", "--json").out)[0]["address"]
    with tempfile.TemporaryDirectory() as home, Server(PROGRAM, {**ENVIRONMENT, "HOME": home}) as server:
        for _ in range(3):
            equal(server.ask(["list", "notes", dump, "--json"])[0], 0, "no notes")
        for text in ("seen", "seen again"):
            equal(server.ask(["note", dump, address, text])[0], 0, text)
            assert text in server.ask(["list", "notes", dump, "--json"])[1].decode(), text


def session_of(server):
    """The process that has read a dump: below the server with the most memory of its own."""
    return max(children(server.process.pid, 1), key=lambda pid: int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[5]))


SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


def asked_without_end(server):
    """Asks what never ends. Returns its process, when it runs."""
    server.process.stdin.write(json.dumps(["sql", dump_of(ONE), SLOW]).encode() + b"\n")
    server.process.stdin.flush()
    running = lambda: [pid for one in children(server.process.pid, 1) for pid in children(one)]
    until(running)
    return running()[0]


@test
def a_question_that_is_killed_is_an_error_of_it_alone():
    words = ["list", "types", dump_of(ONE), "--json"]
    with serving() as server:
        right = [server.ask(words) for _ in range(3)][0]
        os.kill(asked_without_end(server), signal.SIGKILL)
        answer = json.loads(server.line(DEADLINE))
        assert "signal 9" in answer["error"], answer
        equal(server.ask(words), right, "the next question")
        os.kill(session_of(server), signal.SIGKILL)
        for _ in range(3):
            equal(server.ask(words), right, "without the session that was killed")
        for pid in children(server.process.pid, 1):
            os.kill(pid, signal.SIGKILL)
        equal(server.ask(["version"])[0], 0, "without any session")


@test(each=["TERM", "INT", "HUP", "KILL", "input", "output"])
def no_process_is_left(way):
    """However the server ends, while a question runs."""
    with tempfile.TemporaryFile() as errors:
        server = serving(stderr=errors)
        for _ in range(2):
            server.ask(["info", dump_of(ONE)])
        if way == "input":
            started = server.below()
            equal(server.end(), 0, "status")
        else:
            asked_without_end(server)
            started = server.below()
            if way == "output":
                server.process.stdout.close()
            else:
                server.process.send_signal(getattr(signal, "SIG" + way))
            equal(server.process.wait(DEADLINE), 0 if way == "output" else -getattr(signal, "SIG" + way), "status")
            server.process.stdin.close()
        assert len(started) >= 2, started
        until(lambda: not any(os.path.exists(f"/proc/{pid}/exe") and is_ours(pid) for pid in started))


def is_ours(pid):
    try:
        return os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(PROGRAM)
    except OSError:
        return False


@test
def what_is_kept_is_bounded():
    """Of more dumps than it keeps, the last used ones stay."""
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        kept, dumps = functools.partial(children, server.process.pid, 1), []
        for number in range(12):
            dumps += [shutil.copy(dump_of("go1.27-corner"), os.path.join(folder, f"{number}.dump"))]
            right = run("info", dumps[-1], "--json").out.encode()
            for _ in range(2):
                equal(server.ask(["info", dumps[-1], "--json"])[1], right, dumps[-1])
            assert len(kept()) <= 9, "eight dumps, and the session that has read nothing"
        last = kept()
        for dump in dumps[-8:]:
            server.ask(["info", dump, "--json"])
        equal(kept(), last, "the last eight dumps are still kept")
        server.ask(["info", dumps[0], "--json"])
        assert kept() != last, "the first was not"


