"""What the documents say is what the program does: README.md and the guide show its real output, the manual page is the
one that it prints, and the manual's examples run. `make golden` rewrites what has changed."""

import os
import re
import shlex
import shutil
import tempfile

from harness import ONE, ROOT, TESTDATA, equal, run, test, unpacked

MANUAL = ROOT / "man" / "goheapx.1"
SHOWN = {"README.md": 5, "doc/explorer.md": 3, "doc/shell.md": 1, "man/find-a-leak.md": 10}  # how many examples each has
REWRITE = bool(os.environ.get("REWRITE"))


def same_text(saved, now, name):
    """Names the first line that differs."""
    for number, (line, right) in enumerate(zip(saved.splitlines(), now.splitlines()), 1):
        if line != right:
            raise AssertionError(f"{name}:{number} has {line!r}, right is {right!r}; see make golden")
    equal(len(saved), len(now), f"length of {name}")


@test(builds=["gcc"])
def golden_manual_is_what_the_program_prints():
    printed = run("manual", expect=0).out
    if REWRITE:
        MANUAL.write_text(printed)
    same_text(MANUAL.read_text(), printed, "man/goheapx.1")
    equal(re.findall(r"^@.*|^\.\\\".*", printed, re.M), [], "places for lists, and comments, that are left over")


def real(block):
    """A block of a document, with what the commands in it print now."""
    lines = [line for line in block.splitlines() if line.startswith("$ goheapx ")]
    shown = []
    for line in lines:
        result = run(*shlex.split(line)[2:], cwd=TESTDATA, expect=0)
        shown.append(f"{line}\n{result.out}")
    return "".join(shown)


@test(each=SHOWN, builds=["gcc"])
def golden_document_shows_real_output(name):
    document = ROOT / name
    text = document.read_text()
    now = re.sub(
        r"(?<=^```console\n)(.*?)(?=^```$)", lambda block: real(block[0]), text, flags=re.M | re.S
    )
    if REWRITE:
        document.write_text(now)
        return
    equal(text.count("```console"), SHOWN[name], "examples")
    assert name != "README.md" or text.count("\n") <= 200, "README.md has 200 lines at most"
    same_text(text, now, name)


@test
def the_examples_of_the_manual_run():
    page = MANUAL.read_text()
    examples = re.findall(r"^\.Dl (goheapx .*)$", page, re.M)
    assert len(examples) >= 5, "the manual has hardly any examples"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(unpacked(ONE), f"{folder}/svc.dump")
        for example in examples:
            # The address and the goroutine of an example stand for those of this dump.
            example = example.replace("0xc000012340", "0xc000193140").replace(" 17 ", " 30 ")
            result = run(*shlex.split(example)[1:], cwd=folder, expect=0)
            assert result.out, result
        equal(os.listdir(folder), ["svc.dump"], "files in the dump's folder")
