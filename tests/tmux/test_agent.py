"""goheapx DUMP --listen and goheapx mcp --attach: what an agent looks at is on a person's screen."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import stat
import subprocess
import time

from executables import dump_of, exe_of
from harness import ONE, PROGRAM, Skip, answer, equal, run, test
from mcp_client import Client
from terminal import Terminal, bottom

TYPING = 4.5  # seconds after a key, until an agent switches views again


@contextlib.contextmanager
def watched(*options, width=100):
    """(a terminal with an explorer that listens, the path of its socket)"""
    with Terminal(width, 24) as terminal:
        terminal.runtime = terminal.home / "run"
        terminal.runtime.mkdir(mode=0o700)
        terminal.environment["XDG_RUNTIME_DIR"] = str(terminal.runtime)
        terminal.command(f"export XDG_RUNTIME_DIR={terminal.runtime}")
        pid = terminal.start(dump_of(ONE), exe_of(ONE), "--listen", "--fresh", *options)
        terminal.wait(lambda screen: "main.gBlob keeps" in screen and "mcp --attach" in screen and bottom(screen).endswith(".sock"),
                      "the socket, and no more work")
        yield terminal, terminal.runtime / f"goheapx-{pid}.sock"


def attached(terminal, *options):
    return Client(PROGRAM, "--attach", *options, env=terminal.environment)


def connected(path):
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(10)
    peer.connect(str(path))
    return peer


def asked(path, line):
    """The answer to a line, which the explorer gives even to one that is none."""
    for _ in range(40):
        with connected(path) as peer:
            with contextlib.suppress(BrokenPipeError):  # it was refused before
                peer.sendall(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
            with peer.makefile() as file:
                got = json.loads(file.readline())
        if not got.get("busy"):
            return got
        time.sleep(0.25)
    raise AssertionError("the explorer is busy for ever")


@test(builds=["gcc"])
def what_an_agent_opens_is_on_the_screen_with_its_reason():
    largest, *_ = answer("list", "objects", dump_of(ONE), "--exe", exe_of(ONE), "--sort", "-retained_bytes", "--limit", "1")
    address = largest["address"]
    with watched() as (terminal, path):
        equal((stat.S_IMODE(path.stat().st_mode), stat.S_ISSOCK(path.stat().st_mode)), (0o600, True), "mode")
        with attached(terminal) as client:
            tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in client.ask("tools/list")["tools"]}
            equal({name for name, properties in tools.items() if "reason" in properties},
                  {"show", "list", "path", "why", "retained_set", "findings"}, "tools with a reason")
            assert client.longest <= 8192, client.longest
            for tool, arguments, title in (
                ("show", {"address": address}, f"object {address}"), ("path", {"address": address}, f"why {address} is alive"),
                ("why", {"address": address}, f"why {address}, in words"), ("findings", {}, "findings, the worst first"),
                ("list", {"table": "fields", "argument": address}, f"fields of {address}"),
                ("list", {"table": "objects", "where": "size > 9000"}, "where size > 9000"),
                ("retained_set", {"of": address}, f"{address}, by type"),
            ):
                result = client.ask("tools/call", name=tool, arguments=arguments | {"reason": f"The {tool} of it"})
                equal(result["_meta"]["screen"], "The person sees this", (tool, result))
                reason = f" agent: The {tool} of it"
                terminal.wait(lambda screen, title=title, reason=reason: title in screen and bottom(screen).startswith(reason), title)
            terminal.send("BSpace")
            terminal.wait(lambda screen: "Overview ──" in screen and "agent:" not in screen, "where the person was")
            time.sleep(TYPING)
            client.call("list", table="roots", reason="\x1b[31mred\x07\n" + "long " * 100)
            shown = r"agent: \x1b[31mred\x07\nlong long"
            screen = terminal.wait(lambda screen: shown in screen and "…" in screen, shown)
            assert screen.count("long") < 50, screen
            text, notes, bad = client.call("open", dump=dump_of(ONE))
            assert bad and "has opened the dump" in text + notes, (text, notes)
        terminal.send("Q")
        terminal.wait_for(lambda: not path.exists(), "the end of the socket")


@test(builds=["gcc"])
def what_the_explorer_cannot_show_is_told_without_its_texts():
    """Its errors name keys of maps; and a reason or a condition that is too long for it is no end of it."""
    for texts in (False, True):
        with watched() as (terminal, _), attached(terminal, *(["--allow-texts"] if texts else [])) as client:
            for tool, arguments in (("show", {"address": 'main.gCache["x"]'}), ("retained_set", {"of": 'main.gCache["x"]'})):
                told = json.dumps(client.ask("tools/call", name=tool, arguments=arguments))
                equal("session-0" in told, texts, (tool, told))
                assert texts or "The explorer cannot show this" in told, told
            for reason in ("long " * 20_000, "ä" * 70_000, "\n" * 100_000):
                result = client.ask("tools/call", name="list", arguments={"table": "roots", "limit": 1, "reason": reason})
                assert not result["isError"] and "The person" in result["_meta"]["screen"], (result, reason[:5])
            result = client.ask("tools/call", name="list",
                                arguments={"table": "roots", "limit": 1, "where": " or ".join(["kind = other"] * 6_000)})
            assert "too long for the explorer" in result["_meta"]["screen"], result


@test(builds=["gcc"])
def the_keys_of_the_person_come_first():
    with watched() as (terminal, path), attached(terminal, str(path)) as client:
        terminal.settle()
        result = client.ask("tools/call", name="list", arguments={"table": "roots", "reason": "Look at these"})
        assert "by a key" in result["_meta"]["screen"], result
        screen = terminal.wait("agent: Look at these (A shows it)")
        assert "Overview ──" in screen, screen
        terminal.send("j")
        terminal.wait(lambda screen: "A agent" in bottom(screen), "the key's hint")
        terminal.type(":typ")
        time.sleep(TYPING)
        client.call("list", table="goroutines", reason="While a line is typed")
        terminal.type("es")
        terminal.wait(lambda screen: bottom(screen) == ":types", "the line")
        terminal.send("Enter")
        terminal.wait(lambda screen: "types of objects" in screen, "types")
        terminal.send("A")
        screen = terminal.wait(lambda screen: "all goroutines" in screen and "agent: While" in screen, "goroutines")
        terminal.send("BSpace")
        terminal.wait(lambda screen: "types of objects" in screen and "A agent" not in screen, "types again")
        time.sleep(TYPING)
        client.call("list", table="roots", reason="Nobody types")
        client.call("list", table="goroutines", reason="Nobody types")
        terminal.wait(lambda screen: "all goroutines" in screen and "agent: Nobody" in screen, "goroutines")
        terminal.send("Escape")
        terminal.wait(lambda screen: "types of objects" in screen, "one step back")


@test(builds=["gcc"])
def only_views_are_shown():
    with watched() as (terminal, path):
        file = terminal.home / "written"
        for command in (f"write {file}", f"export {file}", f"!touch {file}", f"|tee {file}", f"shell touch {file}", "quit", "close",
                        "Q", "note x", "verdict leak", f"types; write {file}", f"types; !touch {file}", "set color off", "keys Q",
                        "source /etc/passwd", "reopen", "cut main.cache", "", ";", "x" * 3000, "types\nquit", "types\x1b", "7"):
            got = asked(path, {"command": command, "reason": "r"})
            assert not got["ok"] and got["error"], (command, got)
        for command in ("types", "objects; filter size > 100; sort size", "goto main.gBlob", "help"):
            equal(asked(path, {"command": command})["ok"], True, command)
        equal(asked(path, {"command": "overview"})["dump"], os.path.realpath(dump_of(ONE)), "dump")
        terminal.wait("Overview ──")
        assert not file.exists() and not (terminal.home / ".local/state/goheapx/notes").exists()


@test(builds=["gcc"])
def peers_of_every_kind_never_stop_the_explorer():
    with watched() as (terminal, path):
        for line in (b"{\n", b"[]\n", b"7\n", b"\n", b"\xff\xfe\n", b'{"command": 7, "reason": []}\n', b"[" * 60000 + b"\n",
                     b'{"command": "types"} x\n', b'{"command": "types"}' * 4000):
            assert "ok" in asked(path, line), line[:60]
        deaf = [connected(path) for _ in range(2)]
        for peer in deaf:
            peer.setblocking(False)
            with contextlib.suppress(OSError):
                for _ in range(50):
                    peer.send(b'{"command": "types"}\n' * 1000)
        many = []
        for _ in range(100):
            peer = socket.socket(socket.AF_UNIX)
            peer.setblocking(False)
            with contextlib.suppress(OSError):
                peer.connect(str(path))
                peer.send(b'{"command": "ty')
            many.append(peer)
        terminal.send("3")
        terminal.wait("all roots")
        for options in ((), ("--allow-texts",)):
            with attached(terminal, *options) as client:
                equal(bool(json.loads(client.call("find", text="node-128")[0] or "[]")), bool(options), "texts of the heap")
        equal(asked(path, {})["ok"], True, "a place is free again")
        for peer in deaf + many:
            peer.close()
        equal(asked(path, {})["ok"], True, "afterwards")
        terminal.send("1")
        terminal.wait("Overview ──")
        used = sum(map(int, pathlib.Path(f"/proc/{terminal.process()}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
        time.sleep(1)
        after = sum(map(int, pathlib.Path(f"/proc/{terminal.process()}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
        assert after - used < 20, f"{after - used} ticks in a second in which nothing happens"


@test(builds=["gcc"])
def whoever_is_killed_the_other_goes_on():
    with watched() as (terminal, path):
        client = attached(terminal)
        equal(client.call("list", table="roots", reason="x")[2], False, "a call")
        client.process.kill()
        client.__exit__()
        terminal.send("3")
        terminal.wait("all roots")
        with attached(terminal, str(terminal.process())) as client:
            equal(client.call("list", table="roots", limit=1)[2], False, "a call")
            os.kill(terminal.process(), signal.SIGKILL)
            terminal.wait_for(lambda: not terminal.process(), "end")
            for said in ("Connection refused", "Connection refused"):
                text, notes, bad = client.call("list", table="roots", limit=1)
                assert bad and said in text + notes, (text, notes)
            equal(client.ask("ping"), {}, "ping")
        with attached(terminal) as client:
            assert "No explorer of yours listens" in "".join(client.call("findings")[:2])


@test(builds=["gcc"], each=("TERM", "HUP", "INT"))
def the_socket_is_removed_by_signals(name):
    with watched() as (terminal, path):
        assert path.exists()
        os.kill(terminal.process(), getattr(signal, "SIG" + name))
        terminal.wait_for(lambda: not terminal.process(), "end")
        assert not path.exists()


@test(builds=["gcc"])
def without_a_runtime_folder_there_is_one_of_the_users_own():
    with Terminal(100, 24) as terminal:
        terminal.command("unset XDG_RUNTIME_DIR")
        folder = terminal.tmp / f"goheapx-{os.geteuid()}"
        pid = terminal.start(dump_of(ONE), "--listen")
        terminal.wait("mcp --attach")
        equal((stat.S_IMODE(folder.stat().st_mode), [one.name for one in folder.iterdir()]), (0o700, [f"goheapx-{pid}.sock"]), "folder")
        terminal.send("Q")
        terminal.wait_for(lambda: not list(folder.iterdir()), "the end of the socket")
        folder.chmod(0o770)
        terminal.command(f"{PROGRAM} {dump_of(ONE)} --listen")
        terminal.wait("is not a folder of your own")


@test(builds=["gcc"])
def another_user_is_not_answered():
    if os.geteuid():
        raise Skip("only root can be somebody else")
    with watched() as (terminal, path):
        code = ("import socket,sys; s=socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1]);"
                "s.sendall(b'{}\\n'); print(s.recv(99))")
        for mode, said in ((0o600, "Permission"), (0o666, "")):
            for folder in (terminal.home, terminal.runtime):
                folder.chmod(0o755)
            path.chmod(mode)
            done = subprocess.run(["python3", "-c", code, path], user=65534, capture_output=True, text=True, check=False, cwd="/")
            assert '"ok"' not in done.stdout and said in done.stderr, done
        equal(asked(path, {})["ok"], True, "the user is")


@test(builds=["gcc"])
def options_that_do_not_fit_are_refused():
    for words, said in ((("mcp", "123"), "with --attach only"), ((dump_of(ONE), "--listen", "-e", "types"), "on a terminal"),
                        (("list", "types", dump_of(ONE), "--listen"), "does not take --listen")):
        got = run(*words)
        assert got.status == 2 and said in got.err, got


@test(builds=["gcc"])
def notes_of_an_agent_are_marks_of_the_person():
    with watched() as (terminal, path), attached(terminal) as client:
        first, *_ = answer("list", "objects", dump_of(ONE), "--limit", "1")
        client.call("list", table="objects", reason="All of them")
        terminal.wait("all objects")
        text, notes, bad = client.call("verdict", on=first["address"], verdict="leak", why="never emptied")
        assert not bad and "leak: never emptied" in text, (text, notes)
        terminal.wait(lambda screen: f"!{first['address']}" in screen, "the mark")
        terminal.command(":note")
        terminal.wait(f"object {first['address']}: leak: never emptied")
