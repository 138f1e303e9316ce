"""The line of source of a row, in an editor that says what it was given."""

import os
import stat

from executables import exe_of
from harness import ONE, equal, test, unpacked
from terminal import Terminal

# Its arguments, one a line, and whether it has the terminal; it stays until a key comes.
EDITOR = """#!/bin/bash
printf '%s\\n' "$@" >"$0.got"
[ -t 0 ] && [ -t 1 ] && echo "editor has the terminal"
read -rsn1 key
exit ${CODE:-0}
"""


def editor(terminal, name="editor"):
    path = terminal.home / name
    path.write_text(EDITOR)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def opened(terminal, path):
    """What the editor was given; it has ended, and the explorer is back."""
    terminal.wait("editor has the terminal")
    equal(terminal.ask("alternate_on"), "0", "alternate_on")
    terminal.send("x")
    terminal.wait_for(lambda: terminal.ask("alternate_on") == "1", "the explorer")
    return (path.parent / f"{path.name}.got").read_text().splitlines()


@test
def the_line_of_a_goroutine_a_frame_and_an_allocation():
    with Terminal() as terminal:
        settings = terminal.settings()
        script = editor(terminal)
        source = terminal.home / "work" / "small" / "small.go"
        source.parent.mkdir(parents=True)
        source.write_text("package main\n")
        terminal.command(f"cd {source.parent.parent}; unset VISUAL; export EDITOR={script}")
        terminal.start(unpacked(ONE), exe_of(ONE))
        terminal.type("2")
        terminal.wait_filled("grouped by identical stack")
        terminal.command(":goroutines")
        terminal.wait_filled("all goroutines")
        terminal.send("e")
        equal(opened(terminal, script), ["+647", "./small/small.go"], "main.main writes the dump")
        terminal.send("Enter")
        terminal.wait("debug.WriteHeapDump")
        terminal.type("jj")
        terminal.send("e")
        equal(opened(terminal, script), ["+647", "./small/small.go"], "the frame")
        terminal.command(":profiles")
        terminal.wait("allocation profiles")
        terminal.send("e")
        got = opened(terminal, script)
        equal((len(got), got[1]), (2, "./small/small.go"), "main.buildStatics")
        source.unlink()
        terminal.send("e")
        terminal.wait("/home/gopher/src/small/small.go:")
        terminal.wait("which is not here")
        os.mkfifo(source)  # never opened: it would wait for ever
        terminal.send("e")
        terminal.wait("which is not here")
        terminal.send("Q")
        terminal.check_restored(settings)


@test
def editors_with_words_of_their_own_and_none():
    with Terminal() as terminal:
        settings = terminal.settings()
        script = editor(terminal, "my editor")
        source = terminal.home / "a $(touch bad) b" / "src" / "small" / "small.go"
        source.parent.mkdir(parents=True)
        source.write_text("package main\n")
        terminal.command(f"cd '{source.parent.parent}'; export CODE=3 VISUAL=\"'{script}' --wait\"")
        terminal.start(unpacked(ONE), exe_of(ONE))
        terminal.wait("Overview")
        terminal.command(":profiles")
        terminal.wait("allocation profiles")
        terminal.send("e")
        got = opened(terminal, script)
        equal((got[0], got[2]), ("--wait", "./small/small.go"), "arguments")
        terminal.wait("The editor ended with status 3.")
        terminal.send("Q")
        terminal.check_restored(settings)
        terminal.command("clear; export VISUAL=no-such-editor")
        terminal.start(unpacked(ONE), exe_of(ONE))
        terminal.wait("Overview")
        terminal.command(":profiles")
        terminal.wait("allocation profiles")
        terminal.send("e")
        terminal.wait("could not be started")
        terminal.send("Q")
        terminal.check_restored(settings)
