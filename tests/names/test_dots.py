"""The linker writes dots in the last part of a package's path as %2e: people read and write dots."""

import os
import pathlib
import tempfile

from executables import exe_of
from harness import ONE, answer, equal, run, test, unpacked

# Of the same length each: a function and, in the table of symbols, the variable that holds its channel.
CHANGED = {b"main.gHoldsLocal": b"x.in/y%2ev3.gLoc", b"main.gBlock": b"y/b%2ev.gBk"}
FUNCTION, VARIABLE = "x.in/y.v3.gLoc", "y/b.v.gBk"


def changed(path, folder):
    content = pathlib.Path(path).read_bytes()
    for name, other in CHANGED.items():
        content = content.replace(name, other)
    made = pathlib.Path(folder) / os.path.basename(path)
    made.write_bytes(content)
    return str(made)


@test
def names_have_dots_everywhere():
    with tempfile.TemporaryDirectory() as folder:
        dump, exe = changed(unpacked(ONE), folder), changed(exe_of(ONE), folder)
        files = (dump, "--exe", exe)
        (row,) = [row for row in answer("list", "goroutines", *files) if row["function"] == FUNCTION]
        known = answer("list", "goroutines", *files, "--where", f"function = {FUNCTION}")
        equal([r["id"] for r in known], [row["id"]], "found by its name")
        goroutine = str(row["id"])
        outputs = [
            run("list", table, dump, *arguments, "--exe", exe, *form).out
            for table, arguments in (("goroutines", ()), ("groups", ()), ("frames", (goroutine,)), ("stack", (goroutine,)),
                                     ("profiles", ()), ("roots", ()), ("where", ()), ("owners", ()), ("creators", ()))
            for form in ((), ("--json",), ("--csv",))
        ]
        screens = run("-e", f"wait all; goroutine {goroutine}; screen; groups; screen; roots {VARIABLE}; screen; where",
                      *files).out
        named = 0
        for text in (*outputs, screens):
            assert "%2e" not in text, text[max(0, text.index("%2e") - 200):][:400]
            named += FUNCTION in text
        assert named >= 10, named
        rows = answer("list", "roots", dump, VARIABLE, "--exe", exe)
        assert len(rows) == 1, rows
        equal(rows, answer("list", "roots", dump, VARIABLE.replace("b.v", "b%2ev"), "--exe", exe), "as the linker has it")
        address = answer("show", dump, VARIABLE, "--exe", exe)["address"]
        equal(address, answer("show", unpacked(ONE), "main.gBlock", "--exe", exe_of(ONE))["address"], "the channel")
