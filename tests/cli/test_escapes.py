"""Nothing of an input leaves the process as it is where it could do harm: on a terminal, in a
spreadsheet, in the reader of JSON."""

import csv
import io
import json
import re
import tempfile
import unicodedata

import unicode
import writer
from harness import ROOT, Skip, equal, run, test
from survive import file_of

TABLE = ROOT / "src" / "base" / "unicode_table.h"
# Turning, hiding, not assigned, private, C1, and marks on marks.
ODD = "\u061c\u202e\u2066\u180e\u3164\ue000\u0378\ufe0f\x9b2J\x7fe\u0301\u0301\u0301\u0301\U000e0041"


@test(builds=("gcc",))
def the_table_is_what_unicode_says():
    table = TABLE.read_text(encoding="ascii")
    version = re.search(r"Unicode (\S+)\.", table).group(1)
    if version != unicodedata.unidata_version:
        raise Skip(f"this Python knows Unicode {unicodedata.unidata_version}, the table {version}")
    equal(table, unicode.table(), str(TABLE.relative_to(ROOT)))


def harmless(arguments, expect):
    """What is printed must be UTF-8 that a terminal only shows."""
    result = run(*arguments, expect=expect)
    text = (result.raw_out + result.raw_err).decode("utf-8").replace("\r\n", "\n")
    for character in text.replace("\n", ""):
        assert character.isprintable(), f"{arguments} prints {character!r}"
        assert unicode.kind(ord(character)) != unicode.HIDDEN, f"{arguments}: {character!r}"
    assert "e" + "\u0301" * 3 not in text, f"{arguments}: three marks"
    return text


@test
def names_of_a_dump():
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file:
        for arguments in (
            ["info", file.name], ["list", "goroutines", file.name], ["list", "frames", file.name, "1"],
            ["list", "types", file.name], ["list", "roots", file.name], ["top", file.name],
        ):
            for style in ([], ["--json"], ["--csv"]):
                harmless(arguments + style, 0)
        text = harmless([file.name, "-e", "overview", "-e", "screen", "-e", "goroutines"], 0)
        assert "\\xd8\\x9c" in text, text


@test
def words_of_a_person():
    word = "\x1b[31m\x1b]0;title\x07\u061c"
    with file_of(writer.tiny()) as file, tempfile.NamedTemporaryFile("w") as script:
        script.write(f"{word}\n")
        script.flush()
        harmless([file.name, "--script", script.name], 1)
        harmless([file.name, "-e", f"filter {word}"], 1)
        for arguments in (
            ["list", word, file.name], ["list", "objects", file.name, "--sort", word],
            ["show", file.name, word],
            ["list", "layout", file.name, word], [word], [f"--{word}"], ["help", word],
            ["check", file.name, "--assert", word], ["export", "--format", word, file.name],
        ):
            text = harmless(arguments, None)
            assert text.startswith("goheapx: "), text


@test
def exported_names_are_those_of_the_dump():
    """JSON has an escape for each character, so that its reader gets what was there."""
    with file_of(writer.tiny(name=ODD)) as file:
        text = harmless(["export", "--format", "chromium-heap", file.name], 0)
    frames = [e["args"]["stackFrames"] for e in json.loads(text)["traceEvents"]
              if e["name"] == "stackFrames"]
    names = [frame["name"] for frame in frames[0].values()]
    assert any(ODD in name for name in names), names


FORMULAS = ['=HYPERLINK("x")', "+1+1", "-2+3", "@SUM(A1)"]


@test
def spreadsheets_take_texts_as_texts():
    for formula in FORMULAS:
        with file_of(writer.tiny(name=formula, reason=formula)) as file:
            rows = list(csv.DictReader(io.StringIO(
                run("list", "goroutines", file.name, "--csv", expect=0).out)))
            told = json.loads(run("list", "goroutines", file.name, "--json", expect=0).out)
        functions = {row["function"] for row in told}
        assert formula in functions, functions
        for row in rows:
            for name, cell in row.items():
                assert not re.match(r"[=+\-@\t\r]", cell), f"{name}: {cell!r}"
        equal({row["function"].removeprefix("'") for row in rows}, functions, "functions")


@test
def an_answer_of_status_1_is_json_too():
    with file_of(writer.tiny()) as file:
        for arguments, want in (
            (["show", file.name, "0x1"], None), (["why", file.name, "0x1"], None),
            (["path", file.name, "0x1"], []), (["list", "referrers", file.name, "0x1"], []),
            (["list", "frames", file.name, "999999"], []),
            (["find", file.name, "not in there"], []),
        ):
            result = run(*arguments, "--json", expect=1)
            equal(json.loads(result.out), want, f"{arguments}")


@test
def a_word_that_is_nearly_a_name():
    with file_of(writer.tiny()) as file:
        for arguments, meant in (
            (["lst", file.name], "the subcommand list"), (["list", "objcts", file.name], "objects"),
            (["list", "objects", file.name, "--sort", "sze"], "size"),
            (["--jsn", file.name], "--json"),
            (["export", "--format", "chromium-heep", file.name], "chromium-heap"),
        ):
            result = run(*arguments, expect=2)
            assert f"perhaps {meant} is meant" in result.err, result
        for command, meant in (("serch x", "search"), ("ovverview", "overview"), ("obj", None)):
            result = run("-e", command, file.name, expect=1)
            equal("perhaps" in result.err, meant is not None, result.err)
            assert not meant or f", perhaps {meant} is meant: ?" in result.err, result
    result = run("/nonexistent/svc.dump", expect=2)
    equal(result.err, 'goheapx: There is no file "/nonexistent/svc.dump".\n', "message")
