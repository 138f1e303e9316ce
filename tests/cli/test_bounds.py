"""--max-bytes and --skip: an answer that was cut is the beginning of the whole one, and the rest can be asked for."""

import json
import re

from executables import dump_of, exe_of
from harness import ONE, equal, run, test, unpacked

BOUNDS = (256, 300, 333, 512, 1000, 2048, 5000, 20_000)
TOLD = re.compile(r"goheapx: ([\d,]+) (row|line)s? (?:is|are) left out, [\d.,]+ [KM]?B, as --max-bytes says(?:; --skip (\d+) shows what follows)?\.")


def is_beginning(part, whole):
    """Of a list its first items, of an object some members; the last item may be the beginning of one."""
    if isinstance(whole, list):
        return isinstance(part, list) and len(part) <= len(whole) and part[:-1] == whole[:max(len(part) - 1, 0)] and (
            not part or is_beginning(part[-1], whole[len(part) - 1]))
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(key in whole and is_beginning(part[key], whole[key]) for key in part)
    return part == whole


def asked():
    dump = unpacked(ONE)
    address = json.loads(run("list", "objects", dump, "--json", "--limit", "1").out)[0]["address"]
    return [("list", "types", dump), ("list", "objects", dump, "--where", "size > 8000"), ("info", dump), ("show", dump, address),
            ("path", dump, address), ("why", dump, address), ("list", "owners", dump, "--depth", "2"), ("top", dump, "--limit", "9999"),
            ("sql", dump, "SELECT type, count(*), max(address) FROM objects GROUP BY type"), ("find", dump, "main")]


@test(builds=["gcc"])
def what_is_cut_is_a_beginning_and_valid():
    for words in asked():
        whole = json.loads(run(*words, "--json", expect=0).out)
        size = len(json.dumps(whole))
        for bound in BOUNDS:
            result = run(*words, "--json", "--max-bytes", str(bound), expect=0)
            assert len(result.out) <= bound, (words, bound, len(result.out))
            part = json.loads(result.out)
            assert is_beginning(part, whole), (words, bound, result.out)
            equal(bool(TOLD.search(result.err)), part != whole, (words, bound, result.err))
            assert part == whole or len(result.out) > min(bound, size) / 20 or bound < 3000, (words, bound, result.out)


@test(builds=["gcc"])
def parts_together_are_the_whole():
    for words in asked():
        is_page = words[0] in ("info", "show", "path", "why")
        for form in ("--csv", "--jsonl", "--json") if not is_page else ((),):
            whole = run(*words, *([form] if form else []), expect=0).out
            parts, skip, calls = [], 0, 0
            while skip is not None and calls < 500:
                result = run(*words, *([form] if form else []), "--max-bytes", "12000", "--skip", str(skip), expect=0)
                lines = result.out.splitlines()
                if form == "--json":
                    lines = [json.dumps(row) for row in json.loads(result.out)]
                parts += lines[1:] if form == "--csv" and skip else lines
                told, calls = TOLD.search(result.err), calls + 1
                after = int(told[3]) if told and told[3] else None
                assert after is None or after > skip, (words, result.err)
                if told and not is_page:
                    count = len(lines) - (form == "--csv")
                    equal(after, skip + count, (words, form))
                skip = after
            if form == "--json":
                whole = "\n".join(json.dumps(row) for row in json.loads(whole))
            equal("\n".join(parts), "\n".join(whole.splitlines()), (words, form))


@test(builds=["gcc"])
def rows_left_out_are_counted():
    words = ("list", "types", unpacked(ONE))
    rows = json.loads(run(*words, "--json", expect=0).out)
    for form, head in (("--csv", 1), ("--jsonl", 0)):
        result = run(*words, form, "--max-bytes", "2K", expect=0)
        shown = len(result.out.splitlines()) - head
        equal(int(TOLD.search(result.err)[1].replace(",", "")), len(rows) - shown, form)
    part = run(*words, "--json", "--max-bytes", "2K", expect=0)
    equal(int(TOLD.search(part.err)[1].replace(",", "")), len(rows) - len(json.loads(part.out)), "JSON")
    equal(json.loads(run(*words, "--json", "--skip", "7", "--limit", "5", expect=0).out), rows[7:12], "skip and limit")
    equal(json.loads(run(*words, "--json", "--skip", "99999", expect=0).out), [], "skip all")


@test
def a_bound_is_a_size():
    dump = unpacked(ONE)
    for words, said in ((("--max-bytes", "x"), "8K"), (("--max-bytes", "3"), "256"), (("--skip", "-1"), "--skip")):
        result = run("list", "types", dump, *words)
        equal((result.status, result.out), (2, ""), words)
        assert said in result.err, result


def documents():
    """What prints JSON that is no list of rows, or several documents that are one."""
    dump, exe = dump_of("go1.19-drift-3"), exe_of("go1.19-drift-3")
    rows = json.loads(run("list", "objects", dump, "--json", "--limit", "3", "--sort=-size").out)
    addresses = [row["address"] for row in rows]
    return [("diff", dump_of("go1.19-drift-1"), dump, exe), ("path", dump, *addresses), ("path", dump, *addresses, "--limit", "1"),
            ("check", dump, *["--assert", "bytes() >= 0"] * 30), ("report", dump, exe, "--format", "json"), ("estimate", dump),
            ("processes",)]


@test(builds=["gcc"])
def documents_stay_json():
    for words in documents():
        json_of = () if words[0] == "report" else ("--json",)
        whole = json.loads(run(*words, *json_of).out)
        for bound in BOUNDS:
            result = run(*words, *json_of, "--max-bytes", str(bound))
            assert len(result.out) <= bound, (words, bound, len(result.out))
            part = json.loads(result.out)
            if words[0] != "processes":  # one may have come or gone meanwhile
                assert is_beginning(part, whole), (words, bound, result.out)
                equal("left out, " in result.err, part != whole, (words, bound, result.err))
        if words[0] not in ("processes", "report"):
            equal((run(*words, "--json", "--skip", "3").out, run(*words, "--json", "--skip", "3").status), ("", 2), "lines of JSON")


@test(builds=["gcc"])
def what_is_no_file_when_cut_is_refused():
    dump = unpacked(ONE)
    for words in (("export", dump, "--format", "hprof"), ("redact", dump, "-o", "-"), ("snapshot", "1", "-o", "-"), ("manual",),
                  ("schema",), ("completion", "bash"), ("skill",), ("index", dump), ("watch", "1"), ("mcp",), ("explore", dump)):
        result = run(*words, "--max-bytes", "1K")
        equal((result.status, result.out), (2, ""), words)
        assert f"{words[0]} does not take --max-bytes" in result.err, result
    for words in ("--format", "html"), ("--format", "md", "-o", "/nowhere/x.md"):
        result = run("report", dump, *words, "--max-bytes", "1K")
        equal((result.status, result.out), (2, ""), words)
        assert "--max-bytes bounds a report" in result.err, result


@test(builds=["gcc"])
def what_follows_a_cut_text_can_be_shown():
    """Of each command whose message says so."""
    dump = unpacked(ONE)
    for words in (("report", dump, "--format", "md"), ("diff", dump_of("go1.19-drift-1"), dump_of("go1.19-drift-3")), ("help",), ("help", "objects")):
        whole = run(*words).out.splitlines()
        told = TOLD.search(run(*words, "--max-bytes", "700").err)
        rest = run(*words, "--skip", told[3])
        equal(rest.out.splitlines(), whole[int(told[3]):], (words, rest.err))


@test
def the_explorer_takes_as_many_columns_as_a_query_may_have():
    """They do not all fit: as many as do are there, in their order."""
    names = [f"c{number}" for number in range(1, 33)]
    query = "SELECT " + ", ".join(f"{number} AS {name}" for number, name in enumerate(names, 1))
    screen = run(dump_of(ONE), "--size", "100x10", "-e", f'sql "{query}"', expect=0).out
    shown = next(line.split() for line in screen.splitlines() if line.split()[:1] == ["c1"])
    equal(shown, names[:len(shown)], "columns")
    assert 3 < len(shown) < len(names), screen
