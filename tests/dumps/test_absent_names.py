"""Names that are not there, asked of each table that takes an argument, in each way to ask: an error that says what is
not there, never an empty answer. What is asked follows from what each table says of its argument."""

import functools
import re

from executables import dump_of, exe_of
from harness import ONE, PROGRAM, TESTDATA, UNPACKED, equal, forms, run, test, unpack, usage_of
from mcp_client import Client

# What stands for each word in capitals; other words of an argument are names of kinds.
NOTHING = {"ADDR": "0x10", "VARIABLE": "main.nosuch", "N": "987654", "NAME": "nosuch.Name", "STEPS": "main.nosuch.at", "X": "main.nosuch",
           "OWNER": "main.nosuch", "USE": "nosuch", "TYPE": "nosuch.Type", "PATH": "main.nosuch[*].x", "CUT": "main.nosuch", "GOID": "987654",
           "FUNCTION": "nosuch.function", "WORDS": "nosuch words", "KIND": "nosuch", "PACKAGE": "no/such", "CLASS": "nosuch", "ID": "987654",
           "PROFILE": "987654", "DUMP": "0x99", "K": "1", "DEPTH": "0"}
# An argument that is read as a whole, by its table; what has no answer of the kind is left out.
SPECIAL = {"grouped": ["nosuch of objects", "type of nosuch"], "find": [], "breakdown": ["process=987654", "dump=0x99", "allocator=nosuch"],
           "path-between": ["0x10 0x10", "main.nosuch main.nosuch"]}
INPUTS = {"spans": "core/go1.24-queued", "mappings": "core/go1.24-queued", "breakdown-reports": "chromium/allocators.json",
          "breakdown": "chromium/v2_table.json", "objects": ONE}


def files(table):
    name = INPUTS.get(table, ONE)
    if name.startswith("core/"):
        return [unpack(TESTDATA / f"{name}.{kind}.xz", UNPACKED / f"{name}.{kind}") for kind in ("core", "exe")]
    return [TESTDATA / name] if "/" in name else [dump_of(name), exe_of(name)]


@functools.cache
def arguments():
    """{table: nonsense}, from what help says: "objects [reachable|size=N|...]"."""
    found = {}
    for table in forms():
        usage = usage_of(table)
        if not usage:
            continue
        if table in SPECIAL:
            found[table] = SPECIAL[table]
            continue
        texts = ["nosuch.thing"]
        for word in re.split(r"[|\[\]. ]+", usage):
            name, sign, value = word.partition("=")
            if (sign and value in NOTHING) or name in NOTHING:
                texts.append(f"{name}={NOTHING[value]}" if sign else NOTHING[name])
        found[table] = [text for text in texts if not re.fullmatch(r"[01]|section=.*", text)]
    return found


@test
def tables_with_arguments_are_found():
    equal(len(arguments()) > 30, True, sorted(arguments()))
    assert {"path-tree", "objects", "goroutines", "layout"} <= set(arguments()), arguments()
    assert "type=nosuch.Name" in arguments()["objects"] and "size=987654" in arguments()["objects"], arguments()["objects"]


def names(said, text):
    """Whether a sentence says what is not there."""
    return "There is no such heap" in said or any(word in said for word in re.split(r"[= ]", text)[-1:] + re.split(r"[\[=. ]", text.split("=")[-1])[:1])


@test(each=[*INPUTS])
def nothing_is_an_error_in_every_way_to_ask(key):
    """`key`: one table of those that are asked of one input."""
    tables = [table for table in arguments() if files(table) == files(key)]
    dump, *exe = files(key)
    steps, wrong = [], []
    with Client(PROGRAM) as client:
        client.call("open", dump=str(dump), texts=True, **({"exe": str(exe[0])} if exe else {}))
        for table in tables:
            for text in arguments()[table]:
                steps.append((table, text))
                quoted = text.replace("'", "''")
                for tool, asked in (("list", {"table": table, "argument": text}),
                                    ("sql", {"query": f"""SELECT count(*) FROM "{table.replace('-', '_')}"('{quoted}')"""})):
                    result = client.ask("tools/call", name=tool, arguments=asked)
                    said = " ".join(content["text"] for content in result["content"])
                    if not result["isError"] or not names(said, text):
                        wrong.append((tool, table, text, said))
    for table, text in [(table, text) for table in tables for text in {*arguments()[table][:1], *arguments()[table][-1:]}]:
        result = run("list", table, dump, text, *exe, "--json")
        if not result.status or result.out.strip() not in ("", "[]") or not names(result.err, text):
            wrong.append(("command", table, text, result.status, result.out, result.err))
        result = run(dump, *exe, "-e", f"{table} {text}")
        if not result.status or not names(result.err, text):
            wrong.append(("explorer", table, text, result.status, result.out, result.err))
    equal(wrong, [], f"{len(steps)} names that are not there")
