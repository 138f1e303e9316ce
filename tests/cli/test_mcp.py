"""goheapx mcp: an agent asks over the standard input and output."""

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from executables import dump_of, exe_of
from harness import CORPUS, DEADLINE, ONE, PROGRAM, ROOT, Skip, answer, equal, forms, run, test
from mcp_client import Client
from server import children

CASES = ["c-shared-1.24", "cleanup-1.26", "map-collections-1.22", "pass-context-children-1.24", "pass-http-1.24",
         "pass-slack-1.26", "pass-substrings-1.26", "slice-window-1.22", "syncmap-1.22", "values-in-maps-1.26"]
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18")


def opened(texts=True):
    client = Client(PROGRAM)
    client.call("open", dump=dump_of(ONE), exe=exe_of(ONE), texts=texts)
    return client


@test
def versions_that_both_know_are_used():
    with Client(PROGRAM) as client:
        for asked, used in (*((version, version) for version in VERSIONS), ("1999-01-01", VERSIONS[-1]), (7, VERSIONS[-1])):
            equal(client.ask("initialize", protocolVersion=asked)["protocolVersion"], used, asked)
        equal(client.ask("ping"), {}, "ping")


@test
def tools_are_those_of_the_registries():
    with Client(PROGRAM) as client:
        tools = {tool["name"]: tool for tool in client.ask("tools/list")["tools"]}
        assert client.longest <= 8192, client.longest
    equal(tools["list"]["inputSchema"]["properties"]["table"]["enum"],
          list(json.loads(run("schema", expect=0).out)["$defs"]), "tables")
    for name in ("open", "findings", "list", "show", "path", "why", "find", "retained_set", "sql", "diff", "report", "what_if",
                 "note", "verdict"):
        schema = tools[name]["inputSchema"]
        assert set(schema["required"]) <= set(schema["properties"]) and schema["examples"], tools[name]
        assert set(schema["examples"][0]) <= set(schema["properties"]), tools[name]


@test(each=[True, False])
def tools_answer_as_commands_do(texts):
    """A command reads the dump anew; an agent's session has read it once, and has every stage."""
    dump, exe, hide = dump_of(ONE), exe_of(ONE), [] if texts else ["--hide"]
    address = answer("list", "objects", dump, "--exe", exe, "--sort", "-retained_bytes", "--limit", "1")[0]["address"]
    query = "SELECT type, count(*) FROM objects GROUP BY type ORDER BY 2 DESC LIMIT 3"
    with opened(texts) as client:
        for (tool, arguments), words in (
            (("list", {"table": "types", "limit": 5, "sort": "-bytes"}), ("list", "types", dump, "--limit", "5", "--sort", "-bytes")),
            (("list", {"table": "fields", "argument": address, "skip": 1, "limit": 2}),
             ("list", "fields", dump, address, "--skip", "1", "--limit", "2")),
            (("list", {"table": "objects", "where": "size > 9000", "columns": "address,size"}),
             ("list", "objects", dump, "--where", "size > 9000", "--columns", "address,size")),
            (("list", {"table": "goroutines", "group": "wait_reason"}), ("list", "goroutines", dump, "--group", "wait_reason")),
            (("path", {"address": address}), ("path", dump, address)),
            (("sql", {"query": query}), ("sql", dump, query)),
            (("retained_set", {"of": address}), ("list", "retained-set", dump, address)),
            (("what_if", {"cuts": [address]}), ("what-if", dump, address)),
        ):
            text, notes, bad = client.call(tool, **arguments, max_bytes=4_000_000)
            fresh = run(*words, "--exe", exe, "--json", *hide, expect=0)
            equal((json.loads(text), notes, bad), (json.loads(fresh.out), fresh.err, False), tool)
        for tool in ("show", "why"):
            text, notes, bad = client.call(tool, address=address, max_bytes=4_000_000)
            equal((text, bad), (run(tool, dump, address, "--exe", exe, "--json", *hide, expect=0).out, False), tool)


@test(builds=["gcc"], each=[True, False])
def every_table_is_as_a_fresh_process_lists_it(texts):
    """Those without an argument, compared with an earlier dump or not."""
    dump, exe, hide = dump_of(ONE), exe_of(ONE), [] if texts else ["--hide"]
    tables, compared = list(forms()), 0
    for since in [], [dump_of("go1.22.12-small")], [dump]:
        with Client(PROGRAM) as client:
            client.call("open", dump=dump, exe=exe, since=since, texts=texts)
            for table in tables if len(since) < 1 else ("types", "packages", "where", "findings", "owners", "goroutines"):
                options = ["--exe", exe, *hide, *(word for old in since for word in ("--since", old))]
                fresh = run("list", table, dump, *options, "--limit", "50", "--max-bytes", "100000", "--json")
                if "takes an argument" in fresh.err or "is no table of" in fresh.err:
                    continue
                text, notes, bad = client.call("list", table=table, limit=50, max_bytes=100_000)
                said = notes[: len(fresh.err)]  # an agent reads what else the head of the table says
                equal((text, said), ("" if bad else fresh.out, fresh.err), (table, since))
                assert fresh.status if bad else fresh.status < 2, (table, fresh)
                compared += not bad
    assert compared > 40, compared


@test
def answers_are_bounded_and_go_on():
    with opened() as client:
        rows, skip = [], 0
        while skip is not None:
            text, notes, bad = client.call("list", table="objects", where="size > 3000", skip=skip)
            rows += json.loads(text)
            said = "; skip " in notes
            skip = int(notes.partition("; skip ")[2].split()[0]) if said else None
            assert not said or len(rows) == skip, notes
        assert client.calls > 3 and client.longest <= 8192, (client.calls, client.longest)
        equal(rows, answer("list", "objects", dump_of(ONE), "--exe", exe_of(ONE), "--where", "size > 3000"), "rows")
        for tool, arguments in (("findings", {}), ("report", {}), ("find", {"text": "main"}), ("list", {"table": "where"}),
                                ("show", {"address": rows[0]["address"]}), ("why", {"address": rows[0]["address"]})):
            assert not client.call(tool, **arguments)[2], tool
        assert client.longest <= 8192, client.longest


@test
def what_is_wrong_is_an_error_with_a_sentence():
    with Client(PROGRAM) as client:
        for tool, arguments, said in (
            ("list", {"table": "types"}, "call open first"), ("open", {"dump": "/nothing"}, "There is no file /nothing"),
            ("open", {"dump": str(os.getpid())}, "There is no file"), ("open", {}, "A path must be a text"),
            ("nothing", {}, "There is no tool"),
        ):
            text, notes, bad = client.call(tool, **arguments)
            assert bad and said in text + notes, (tool, text, notes)
        client.call("open", dump=dump_of(ONE))
        for tool, arguments, said in (
            ("list", {}, "The argument table is missing"), ("list", {"table": "nothing"}, "There is no table"),
            ("list", {"table": ["types"]}, "must be a text"), ("show", {"address": "--exe=/etc/passwd"}, "is no address"),
            ("list", {"table": "-o", "argument": "/tmp/x"}, "There is no table"), ("sql", {"query": "DROP TABLE objects"}, ""),
            ("diff", {}, "open with since"), ("what_if", {"cuts": [1]}, "must be a list of texts"),
            ("what_if", {"cuts": ["x"] * 99}, "words"), ("list", {"table": "types", "limit": {}}, "must be"),
        ):
            text, notes, bad = client.call(tool, **arguments)
            assert bad and said in text + notes, (tool, arguments, text, notes)


@test(builds=["gcc"])
def a_name_that_is_not_there_is_an_error():
    """Neither [] nor null, which would say that it holds nothing."""
    with opened() as client:
        for tool, arguments, said in (
            ("list", {"table": "fields", "argument": "0x10"}, "No object of the dump"), ("show", {"address": "0x10"}, "No object of the dump"),
            ("list", {"table": "stack", "argument": "999999"}, "has no goroutine 999999"),
            ("list", {"table": "objects", "argument": "type=main.Nothing"}, "No object or variable has the type main.Nothing"),
            ("list", {"table": "values", "argument": "type=main.Nothing"}, "contains no values of type main.Nothing"),
            ("list", {"table": "goroutines", "argument": "creator=main.nothing"}, "There are no goroutines started by main.nothing"),
            ("path", {"address": "0x10"}, "No object of the dump"), ("why", {"address": "main.nothing"}, "main.nothing"),
            ("retained_set", {"of": "goroutine 999999"}, "999999"), ("what_if", {"cuts": ["main.nothing"]}, "main.nothing"),
            ("note", {"on": "0x10", "text": "x"}, "No object of the dump"),
        ):
            result = client.ask("tools/call", name=tool, arguments=arguments)
            texts = [content["text"] for content in result["content"]]
            equal((result["isError"], len(texts)), (True, 1), (tool, texts))
            assert said in texts[0], (tool, texts)
        text, _, bad = client.call("find", text="there is no such text")
        equal((json.loads(text), bad), ([], False), "a search that finds nothing has an answer")


@test
def messages_that_are_none_are_told():
    with Client(PROGRAM) as client:
        for line, code in ((b"{", -32700), (b"[]", -32600), (b"7", -32600), (b'{"id":1}', -32600), (b"\xff\xfe{}", -32700),
                           (b'{"id":[],"method":"ping"}', -32600), (b'{"id":null,"method":"ping"}', -32600),
                           (b'{"id":3,"method":"x"}', -32601), (b'{"id":3,"method":"ping","params":[]}', -32602),
                           (b'{"id":3,"method":"tools/call"}', -32602), (b"[" * 5000, -32700),
                           (b'"' + b"x" * 5_000_000 + b'"', -32700)):
            client.raw(line + b"\n")
            equal(client.receive()["error"]["code"], code, line[:60])
        for number in ("1.5", "-7", '"a\\u0000b"', "9007199254740993"):
            client.raw(f'{{"id":{number},"method":"ping"}}\n'.encode())
            got = client.receive()
            assert "result" in got or got["id"] is None, got
        client.raw(b'[{"id":1,"method":"ping"},{"id":2,"method":"ping"}]\n')
        equal([client.receive()["id"], client.receive()["id"]], [1, 2], "two at once")


@test
def changed_messages_never_end_the_server():
    chance = random.Random(7)
    seeds = [json.dumps(message).encode() for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "list", "arguments": {"table": "types", "limit": 1}}},
        {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})]
    lines = []
    for _ in range(int(os.environ.get("CHANGES", "500"))):
        line = bytearray(chance.choice(seeds))
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(line))
            line[at:at + chance.randrange(3)] = bytes(chance.choice(b'{}[]",:\\0x\xff\x00 ') for _ in range(chance.randrange(3)))
        lines.append(bytes(line).replace(b"\n", b" "))
    done = subprocess.run([PROGRAM, "mcp"], input=b"\n".join(lines) + b'\n{"id":"last","method":"ping"}\n', capture_output=True,
                          timeout=600, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    equal((done.returncode, done.stderr, {"jsonrpc": "2.0", "id": "last", "result": {}} in answers), (0, b"", True), "end")
    assert all(("result" in one) != ("error" in one) or one["method"] == "notifications/progress" for one in answers)
    assert sum("error" in one for one in answers) > len(lines) / 2, len(answers)


@test(builds=["gcc"])
def texts_of_the_heap_are_off_unless_asked_for():
    text = b"node-128"
    assert text in pathlib.Path(dump_of(ONE)).read_bytes(), "the dump has no such text"
    for texts in (False, True):
        with Client(PROGRAM) as client:
            client.call("open", dump=dump_of(ONE), exe=exe_of(ONE), **({"texts": True} if texts else {}))
            found, notes, _ = client.call("find", text=text.decode())
            rows = json.loads(found or "[]")
            equal(bool(rows), texts, (found, notes))
            value = client.call("show", address=rows[0]["address"])[0] if rows else ""
            equal(text.decode() in value or text.decode() in found, texts, "shown")
            told = [client.ask("tools/call", name=tool, arguments=arguments) for tool, arguments in (
                ("list", {"table": "values", "argument": "type=string", "limit": 200, "max_bytes": 100_000}), ("findings", {}))]
            equal(all(one["_meta"]["untrusted"] is texts for one in told), True, "marked")
            assert texts or text.decode() not in json.dumps(told), "hidden"


@test(builds=["gcc"])
def neither_answers_nor_errors_have_keys_unless_texts_are_asked_for():
    """Each tool is told of an entry that a map does not have: the error names some that it has."""
    key, wrong = re.compile(r"session-[0-9]{4}"), 'main.gCache["x"]'
    assert key.search(pathlib.Path(dump_of(ONE)).read_bytes().decode("latin-1")), "the dump has no such key"
    told = {True: set(), False: set()}  # tools that tell a key
    with tempfile.TemporaryDirectory() as state:
        run("note", dump_of(ONE), 'main.gCache["session-0020"]', "by a person", "--exe", exe_of(ONE),
            environment={"XDG_STATE_HOME": state}, expect=0)
        for texts in told:
            with Client(PROGRAM, env={**os.environ, "XDG_STATE_HOME": state}) as client:
                client.call("open", dump=dump_of(ONE), exe=exe_of(ONE), texts=texts)
                for tool in client.ask("tools/list")["tools"]:
                    name, schema = tool["name"], tool["inputSchema"]
                    kinds = {argument: schema["properties"][argument]["type"] for argument in schema["required"]}
                    arguments = {argument: [wrong] if kind == "array" else wrong for argument, kind in kinds.items()}
                    for more in ({"table": "fields", "argument": wrong}, {"table": "notes"}) if name == "list" else ({"verdict": "leak"},):
                        if name in ("open", "help"):
                            continue
                        answered = client.ask("tools/call", name=name, arguments=arguments | (more if name in ("list", "verdict") else {}))
                        told[texts] |= {(name, more.get("table"))} if key.search(json.dumps(answered)) else set()
    names = {name for name, _ in told[True]}
    assert {"note", "verdict", "path", "show", "what_if", "retained_set"} <= names and ("list", "notes") in told[True], told
    equal(told[False], set(), "tools that tell keys")


@test(builds=["gcc"])
def a_call_is_cancelled_and_others_are_answered_meanwhile():
    with opened() as client:
        slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n"
        client.send({"id": "slow", "method": "tools/call", "params": {
            "name": "sql", "arguments": {"query": SLOW}, "_meta": {"progressToken": "t"}}})
        told = client.receive()
        equal((told["method"], told["params"]["progressToken"]), ("notifications/progress", "t"), "progress")
        client.send({"id": "after", "method": "tools/call", "params": {"name": "list", "arguments": {"table": "roots", "limit": 1}}})
        client.send({"id": "ping", "method": "ping"})
        client.send({"method": "notifications/cancelled", "params": {"requestId": "slow"}})
        ids = []
        while len(ids) < 2:
            message = client.receive()
            ids += [message["id"]] if "id" in message else []
        equal(ids, ["ping", "after"], "answers")


@test
def a_nul_in_a_text_is_refused_by_its_id():
    with opened() as client:
        for tool, name in ("find", "text"), ("show", "address"), ("open", "dump"), ("sql", "query"):
            client.send({"id": tool, "method": "tools/call", "params": {"name": tool, "arguments": {name: "a\0b"}}})
            answer = client.receive()
            equal((answer["id"], answer["error"]["code"]), (tool, -32602), tool)


@test(builds=["gcc"])
def calls_that_wait_are_cancelled():
    """As many as may wait, behind one that takes long; those that are too many are refused."""
    with opened() as client:
        slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n"
        for number in range(70):
            client.send({"id": number, "method": "tools/call", "params": {"name": "sql", "arguments": {"query": SLOW}}})
        time.sleep(1)
        for number in range(70):
            client.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        client.send({"id": "last", "method": "ping"})
        answers = [client.receive()]
        while answers[-1]["id"] != "last":
            answers.append(client.receive())
        assert all("error" in answer and answer["id"] >= 64 for answer in answers[:-1]), answers
        equal(client.call("list", table="roots", limit=1)[2], False, "it goes on")


@test(builds=["gcc"])
def a_dump_that_is_replaced_is_told():
    with tempfile.TemporaryDirectory() as folder, Client(PROGRAM) as client:
        dump, other = (os.path.join(folder, name) for name in ("dump", "other"))
        shutil.copy(dump_of(ONE), dump)
        assert not client.call("open", dump=dump)[2], "opened"
        shutil.copy(dump_of("go1.19-drift-3"), other)
        os.rename(other, dump)
        text, notes, bad = client.call("list", table="types")
        assert bad and "call open again" in text + notes, (text, notes)
        assert not client.call("open", dump=dump)[2], "opened again"
        assert not client.call("list", table="types")[2], "listed"


@test(builds=["gcc"])
def what_is_no_regular_file_is_not_opened():
    """Neither a pipe, which nobody writes to, nor a device without an end; nor where one has come to stand for the dump."""
    with tempfile.TemporaryDirectory() as folder, Client(PROGRAM) as client:
        pipe, link, dump = (os.path.join(folder, name) for name in ("pipe", "link", "dump"))
        os.mkfifo(pipe)
        os.symlink("/dev/zero", link)
        for arguments in ({"dump": pipe}, {"dump": link}, {"dump": folder}, {"dump": dump_of(ONE), "exe": pipe},
                          {"dump": dump_of(ONE), "since": [link]}):
            text, notes, bad = client.call("open", **arguments)
            assert bad and "is no regular file" in text + notes, (arguments, text, notes)
        shutil.copy(dump_of(ONE), dump)
        assert not client.call("open", dump=dump)[2], "opened"
        os.unlink(dump)
        os.rename(pipe, dump)
        assert client.call("list", table="types")[2], "a pipe in place of the dump"


@test(builds=["gcc"])
def a_dash_is_a_text():
    with opened() as client:
        for tool, name in ("show", "address"), ("path", "address"), ("find", "text"):
            text, notes, _ = client.call(tool, **{name: "-"})
            assert "/proc/self" not in text + notes, (tool, text, notes)


SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n"


def the_only_child(pid):
    until = time.monotonic() + DEADLINE
    while len(children(pid, 1)) != 1 and time.monotonic() < until:
        time.sleep(0.02)
    (child,) = children(pid, 1)
    return child


@test(builds=["gcc"], each=["question", "session"])
def what_is_killed_is_an_error_of_that_call_alone(killed):
    with opened() as client:
        before = client.call("list", table="types", limit=3)
        session = the_only_child(client.process.pid)
        client.send({"id": 7, "method": "tools/call", "params": {"name": "sql", "arguments": {"query": SLOW}}})
        question = the_only_child(session)
        os.kill(question if killed == "question" else session, signal.SIGKILL)
        result = client.receive()["result"]
        assert result["isError"] and "ended by signal 9" in result["content"][-1]["text"], result
        equal(client.call("list", table="types", limit=3), before, "the next call")
        equal(the_only_child(client.process.pid) == session, killed == "question", "the session lives on")


@test(builds=["gcc"])
def a_session_that_is_stopped_holds_up_nobody():
    """Its question is cancelled: the server does not wait for the session to say so."""
    with opened() as client:
        before = client.call("list", table="types", limit=3)
        session = the_only_child(client.process.pid)
        client.send({"id": 7, "method": "tools/call", "params": {"name": "sql", "arguments": {"query": SLOW}}})
        the_only_child(session)
        os.kill(session, signal.SIGSTOP)
        client.send({"method": "notifications/cancelled", "params": {"requestId": 7}})
        client.send({"id": 8, "method": "ping"})
        equal(client.receive(), {"jsonrpc": "2.0", "id": 8, "result": {}}, "ping")
        equal(client.call("list", table="types", limit=3), before, "the next call")
        assert the_only_child(client.process.pid) != session, "another session"


@test(builds=["gcc"])
def a_dump_that_is_not_read_in_time_is_told():
    """Its session is stopped while it reads; if that was too late, once more."""
    for _ in range(20):
        with Client(PROGRAM, "--seconds", "1") as client:
            client.send({"id": 1, "method": "tools/call", "params": {"name": "open", "arguments": {"dump": dump_of("go1.26.10-server")}}})
            os.kill(the_only_child(client.process.pid), signal.SIGSTOP)
            result = client.receive()["result"]
        if "was not read within 1 seconds" in result["content"][-1]["text"]:
            break
    assert result["isError"] and "The dump was not read within 1 seconds: " in result["content"][-1]["text"], result


@test(builds=["gcc"])
def calls_leave_no_process_and_no_descriptor():
    with opened() as client:
        client.call("list", table="types")
        pids = client.process.pid, the_only_child(client.process.pid)
        count = [len(os.listdir(f"/proc/{pid}/fd")) for pid in pids]
        for _ in range(30):
            client.call("list", table="nothing")
        equal([len(os.listdir(f"/proc/{pid}/fd")) for pid in pids], count, "descriptors")
        equal((children(pids[0], 1), len(children(pids[1], 1)) <= 1), ([pids[1]], True), "processes")


@test(builds=["gcc"])
def who_is_killed_leaves_nothing():
    """The client, so that nobody reads; and the server."""
    for killed in ("client", "server"):
        client = opened()
        client.send({"id": 1, "method": "tools/call", "params": {"name": "sql", "arguments": {"query": SLOW}}})
        until = time.monotonic() + DEADLINE
        while not children(client.process.pid) and time.monotonic() < until:
            time.sleep(0.05)
        calls = children(client.process.pid)
        assert calls, "no call runs"
        if killed == "server":
            client.process.send_signal(signal.SIGKILL)
        client.process.stdout.close()
        client.process.stdin.close()
        client.process.wait(30)
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in calls) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(pathlib.Path(f"/proc/{pid}").exists() for pid in calls), killed


@test(builds=["gcc"], each=["dump", "since"])
def a_dump_that_changes_or_disappears_is_told(which):
    """The one that is read, and an earlier one that it is compared with."""
    with tempfile.TemporaryDirectory() as folder, Client(PROGRAM) as client:
        files = {name: shutil.copy(dump_of(ONE), os.path.join(folder, name)) for name in ("dump", "since")}
        changes = ((lambda path: os.utime(path, (1, 1)), "changed or replaced"), (os.unlink, "No such file"))
        for change, said in changes:
            assert not client.call("open", dump=files["dump"], since=[files["since"]])[2], "opened"
            assert not client.call("list", table="types")[2], "asked"
            change(files[which])
            for _ in range(2):
                text, notes, bad = client.call("list", table="types")
                assert bad and said in text + notes and files[which] in text + notes, (text, notes)


@test(builds=["gcc"])
def every_command_of_the_skill_answers():
    page = run("skill", expect=0).out
    commands = re.findall(r"^    (goheapx .*)$|`(goheapx [^`]*)`", page, re.M)
    dump, exe = dump_of(ONE), exe_of(ONE)
    places = {"DUMP": dump, "EXE": exe, "OLD": dump, "ADDRESS": "main.gBlob"}
    assert len(commands) > 12, commands
    for command in map("".join, commands):
        words = [places.get(word, word) for word in shlex.split(command)[1:]]
        result = run(*words)
        assert result.status in (0, 1) and (result.out or "growth" in words), (command, result)
        assert "--max-bytes" not in words or len(result.out) <= 8192, command
    equal(page.count("\n## "), 13, "questions, bounds, how to be sure")


@test(builds=["gcc"])
def an_agent_finds_what_the_cases_ask_for():
    """By a client without a model: of ten programs, in two calls each, of 20 KB."""
    tool = CORPUS.parent / "tools" / "cases.py"
    if not tool.exists():
        raise Skip("../shared is not there")
    done = subprocess.run([sys.executable, tool, ROOT / "tests" / "mcp_client.py", CORPUS / "cases", *CASES], capture_output=True,
                          text=True, timeout=900, check=False, env={**os.environ, "BY_AGENT": PROGRAM})
    assert "checks hold" in done.stdout, done
    equal(done.returncode, 0, done.stdout)


@test
def a_call_that_takes_too_long_is_ended_and_the_next_is_answered():
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c"
    with Client(PROGRAM, "--seconds", "3") as client:
        client.call("open", dump=dump_of(ONE), texts=True)
        text, notes, bad = client.call("sql", query=endless)
        assert bad and "longer than 3 seconds" in notes and not text, (text, notes)
        text, notes, bad = client.call("sql", query="SELECT 6 * 7 AS answer")
        assert not bad and "42" in text, (text, notes)
