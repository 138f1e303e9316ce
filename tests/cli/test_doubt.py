"""Sentences of absence: where a file is cut or damaged they say so, and what they deny is only what was read. Of the
whole file the same sentences have no doubt."""

import json
import os
import pathlib
import re

from executables import built_from, exe_of
from harness import ONE, TESTDATA, UNPACKED, answer, equal, forms, run, test, unpacked

DOUBT = re.compile(r"(dump is cut before the end of its|file is cut|file is damaged)")


def first_of(kind):
    return answer("list", "records", unpacked(ONE), kind, "--limit", "1")[0]["offset"]


def cut_at(offset, name):
    return beginning(unpacked(ONE), offset, name)


def beginning(dump, size, name):
    """Its first bytes as a file, which several tests may ask for at a time."""
    path = UNPACKED / f"doubt-{name}.dump"
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(pathlib.Path(dump).read_bytes()[:size])
    part.replace(path)
    return path


def pair():
    """The whole dump, and the same without its variables."""
    return unpacked(ONE), cut_at(first_of("bss"), "roots")


UNREACHED = r"unreachable|[Nn]o root that was read|[Nn]othing .*keeps it alive"


@test
def what_no_root_that_was_read_leads_to_is_not_denied():
    whole, cut = pair()
    lone = answer("list", "unreachable", whole)[0]["object"]
    for words in (("why", "DUMP", lone), ("path", "DUMP", lone), ("show", "DUMP", lone), ("list", "path", "DUMP", lone),
                  ("list", "dominated", "DUMP", lone), ("list", "root-classes", "DUMP"), ("info", "DUMP"),
                  ("export", "DUMP", lone, "--format", "dot"), ("export", "DUMP", lone, "--format", "dot-dominators"),
                  ("DUMP", "-e", f"path {lone}"), ("DUMP", "-e", f"dominator {lone}"), ("DUMP", "-e", f"object {lone}")):
        for dump in (whole, cut):
            told = run(*(str(dump) if word == "DUMP" else word for word in words))
            said = " ".join((told.out + told.err).split())
            equal(" that was read" in said, dump == cut, f"what was read: {words}: {said}")
            equal(bool(DOUBT.search(re.sub(r"The file is truncated at byte [0-9,]+: the record", "", said))), dump == cut and words[1] != "root-classes",
                  f"doubt: {words}: {said}")
            if dump == cut:
                assert "root in the dump" not in said and ": nothing keeps it alive" not in said.lower(), said


@test
def what_else_keeps_an_object_alive_is_not_denied():
    whole, cut = pair()
    held = next(row["object"] for row in answer("list", "slots", cut, "17") if row["object"])
    for dump in (whole, cut):
        equal("What else keeps it alive, or is kept by it, cannot be told" in run("why", dump, held).out, dump == cut, dump)


# Names of nothing, and what names them.
NAMES = (("show", "main.nosuch"), ("show", "main.nosuch[*]"), ("show", "type=nosuch.T"), ("list", "roots", "main.nosuch"),
         ("list", "objects", "owned=nosuch"), ("list", "objects", "at=nosuch"), ("list", "owned-set", "nosuch"))


@test(each=NAMES)
def a_name_may_be_in_what_is_missing(words):
    """Without the executable no name of a variable is known, and that is said, too."""
    for dump in pair():
        place = 2 if words[0] == "list" else 1
        for exe in ((), ("--exe", exe_of(ONE))):
            said = run(*words[:place], dump, *words[place:], *exe).err
            equal("he dump is cut before the end of its roots" in said,
                  "doubt-" in str(dump), said)
            if "is no address" in said or "is no global variable" in said:
                equal("the program's executable is not there, which names variables" in said, not exe, said)


@test
def what_is_lost_behind_the_roots_is_no_doubt_of_them():
    """The dump ends in its allocation profile: that of the roots nothing is missing is known."""
    whole, cut = unpacked(ONE), cut_at(first_of("profile") + 1000, "profile")
    assert not answer("info", cut)["whole"]
    lone = answer("list", "unreachable", whole)[0]["object"]
    for words in (("path", lone), ("why", lone), ("show", "main.nosuch")):
        first = lambda dump: run(words[0], dump, *words[1:]).err.splitlines()[-1:] if words[0] != "why" else \
            run(words[0], dump, *words[1:]).out.split(". ")[1:]
        equal(first(cut), first(whole), words)
    assert "cut before the end of its allocation profile" in run("list", "profile", cut, "1").err


def kinds(dump, *more):
    return {row["kind"] for row in answer("list", "findings", dump, *more)}


@test(builds=["gcc"])
def what_is_used_by_what_is_missing_is_not_called_unused():
    """All of both arrays is in use, by variables. Of the dump without these, only a goroutine is known that uses parts."""
    dump, exe, _ = built_from(pathlib.Path(__file__).parent.parent / "dumps" / "partsused.go")
    end = answer("list", "records", dump, "data")[0]["offset"]
    cut = beginning(dump, end, "parts")
    typed = ("--exe", exe)
    assert any("main.item" in row["type"] for row in answer("list", "types", cut, *typed)), "the goroutine has no types"
    for path in (dump, cut):
        equal([row["size"] for row in answer("list", "pinned", path, *typed) if row["size"] > 4096], [], path)
        equal(kinds(path, *typed) & {"unused parts", "outside slices"}, set(), path)
        said = run("list", "pinned", path, *typed).err
        equal("Which parts are in use cannot be told: the dump is cut before the end of its roots" in said, path == cut, said)
        said = run("list", "findings", path, *typed).err
        equal("Unused parts of arrays and most lost goroutines are not known" in said, path == cut, said)
        for text in ("pinned() < 100", "findings() < 100"):
            run("check", path, *typed, "--assert", text, "--lenient", expect=2 if path == cut else 0)


CUTS = {ONE: 9, "v8/registry.heapsnapshot": 4, "netcf/weird.gclog": 1, "chromium/allocators.json": 1}


@test(each=CUTS)
def tables_without_rows_deny_only_what_was_read(name):
    """What a table has of the whole file is in doubt where the file is cut before the end of what it comes from."""
    go, denied = name == ONE, 0
    whole = unpacked(ONE) if go else TESTDATA / name
    size = first_of("goroutine") + 5000 if go else pathlib.Path(whole).stat().st_size * 2 // 5
    cut = beginning(whole, size, "tables-" + pathlib.Path(name).name)
    typed = ("--exe", exe_of(ONE)) if go else ()
    for table in forms():
        told = run("list", table, cut, *typed)
        if told.status > 1 or told.out.count("\n") > 1 or not answer_of(table, whole, typed):
            continue
        denied += 1
        assert DOUBT.search(told.err.partition("shows details.")[2]) or "cannot be told" in told.err, (table, told.err)
    assert denied >= CUTS[name], denied


@test
def what_has_grown_may_have_been_there_before():
    whole, cut = pair()
    for older in (whole, cut):
        said = run("list", "growth", whole, "--since", older).err
        equal("may have been there before: of an earlier dump, the dump is cut" in said, older == cut, said)


def answer_of(table, dump, more):
    result = run("list", table, dump, *more, "--limit", "1", "--json")
    return result.status == 0 and json.loads(result.out)
