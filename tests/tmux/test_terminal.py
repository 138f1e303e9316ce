"""The explorer in a real terminal: it starts, gives back what it took, and lives through what happens
to terminals."""

import contextlib
import os
import pathlib
import re
import signal
import stat
import tempfile

import gclog
import harness
import writer
from harness import ONE, SERVER, TESTDATA, equal, overwrite, run, test, unpacked
from live import PARK, may_look, parked
from terminal import Terminal, bottom

PACKED = str(TESTDATA / f"{ONE}.dump.xz")


@test
def start_and_quit_restore_the_terminal():
    with Terminal() as terminal:
        terminal.command("echo before")
        terminal.wait("\nbefore")
        settings = terminal.settings()
        terminal.start(unpacked(ONE))
        terminal.wait("Overview")
        equal(terminal.ask("alternate_on"), "1", "alternate_on")
        terminal.send("q")
        terminal.check_restored(settings)
        screen = terminal.wait("\nbefore")
        assert "Overview" not in screen, screen
        terminal.command("echo status=$?")
        terminal.wait("status=0")


@test(each=("TERM", "HUP", "INT", "QUIT", "XCPU", "ALRM", "USR1", "USR2"))
def a_signal_ends_it_and_restores_the_terminal(name):
    with Terminal() as terminal:
        settings = terminal.settings()
        process = terminal.start(unpacked(ONE))
        terminal.wait("Overview")
        os.kill(process, getattr(signal, f"SIG{name}"))
        terminal.wait_for(lambda: not terminal.process(), "end of the process")
        terminal.check_restored(settings)


@test
def resizing_draws_anew_at_every_size():
    with Terminal() as terminal:
        terminal.start(unpacked(ONE))
        terminal.wait("Overview")
        for width, height in ((120, 40), (80, 24), (40, 10), (10, 3), (1, 1), (200, 60)):
            terminal.tmux("resize-window", "-x", str(width), "-y", str(height))
            terminal.wait_for(
                lambda: terminal.ask("pane_width") == str(width), f"a width of {width}"
            )
        # The bottom line with its keys is on the last row of the new size.
        terminal.wait(lambda screen: "help" in "".join(screen.split("\n")[59:]), "row 60")
        assert "Overview" in terminal.screen(), terminal.screen()


@test
def keys_wait_for_the_view_that_they_are_for():
    with Terminal() as terminal:
        terminal.start(str(TESTDATA / f"{SERVER[-1]}.dump.xz"))
        terminal.type("5/~string data\r\r")  # before there are types
        terminal.wait("objects of type ~string data")
        terminal.type(":types\r/~map\r\r")
        terminal.wait("objects of type ~map")


@test(builds=["gcc"])
def keys_wait_for_the_search_that_they_are_for():
    """In so many rows it takes longer than the moment that the key which begins it waits."""
    leaves = 300_000
    with Terminal() as terminal:
        log = terminal.tmp / "star.gclog"
        gclog.write(log, gclog.star(leaves))
        terminal.start(str(log))
        terminal.type("4")
        terminal.wait("all objects")
        terminal.type(f"/{leaves + 1:#x}\r\r")
        terminal.wait(f"object {leaves + 1:#x}")


@test
def what_gives_a_view_up_does_not_wait():
    with Terminal() as terminal:
        settings = terminal.settings()
        terminal.start(str(TESTDATA / f"{SERVER[-1]}.dump.xz"))
        terminal.type("5G4")
        terminal.wait("all objects")
        terminal.type("5:q\r")
        terminal.check_restored(settings)


@test
def clicks_sort_by_a_head_and_press_the_keys_of_the_bottom_line():
    def click(column, row):  # as terminals tell of one, from 0
        for button in (" ", "#"):  # pressed, let go
            terminal.type(f"\033[M{button}{chr(33 + column)}{chr(33 + row)}")

    with Terminal() as terminal:
        terminal.start(unpacked(ONE))
        terminal.type("5")
        terminal.wait_filled("▼bytes")
        heads = terminal.screen().split("\n")[3]
        click(heads.index("objects"), 3)
        terminal.wait("▼objects")
        click(heads.index("bytes"), 3)
        terminal.wait("▼bytes")
        click(terminal.screen().split("\n")[23].index("help"), 23)
        terminal.wait("What is on this screen")
        terminal.send("Left")
        terminal.wait("▼bytes")
        terminal.send("Escape")
        terminal.wait(lambda screen: "── Overview" in screen, "the overview")


@test(builds=["gcc"])
def the_wait_for_the_next_snapshot_is_told():
    may_look()
    with parked(PARK[0], "quiet") as process, Terminal() as terminal:
        terminal.start(str(process.pid), "--yes", "--every", "3s")
        terminal.wait(lambda screen: re.search("Snapshot 1 of 2 is taken; the next one in [12] s", screen), "the wait")
        terminal.wait("Overview")
        assert "is taken" not in terminal.screen(), terminal.screen()


@test
def trees_are_left_as_they_were():
    with Terminal() as terminal:
        terminal.start(unpacked(ONE))
        terminal.type("6")
        terminal.wait_filled("▸ bss+0x58 ")
        terminal.type("/bss+0x58\r ")
        terminal.wait("▾ bss+0x58 ")
        terminal.type("5")
        terminal.wait("types of objects")
        terminal.type("6")
        terminal.wait("▾ bss+0x58 ")
        terminal.type("5:where\r")  # a command begins anew
        terminal.wait("▸ bss+0x58 ")


@test
def a_report_is_written_while_one_looks_on():
    with Terminal() as terminal, tempfile.TemporaryDirectory() as folder:
        terminal.start(unpacked(ONE))
        terminal.type("7")
        terminal.wait_filled("bss+0x520")
        terminal.type(f":report {folder}/a.md\r5")
        terminal.wait_for(lambda: (pathlib.Path(folder) / "a.md").exists(), "the file")
        terminal.wait("types of objects")
        terminal.type(f":report {folder}/b.md\r:q\r")
        terminal.wait_for(lambda: not terminal.process(), "end")
        assert "bss+0x520" in (pathlib.Path(folder) / "a.md").read_text()


@test
def a_dump_is_exported_while_one_looks_on():
    """Tab knows the formats, before the file only; an end in between leaves nothing."""
    with Terminal() as terminal, tempfile.TemporaryDirectory() as folder:
        terminal.start(unpacked(ONE))
        terminal.wait("could be saved")
        terminal.complete(":export heaps", ":export heapsnapshot")
        terminal.type(f" {folder}/a\r5")
        terminal.wait_for(lambda: (pathlib.Path(folder) / "a").exists(), "the file")
        terminal.wait("types of objects")
        want = run("export", "--format", "heapsnapshot", unpacked(ONE), expect=0).raw_out
        equal((pathlib.Path(folder) / "a").read_bytes(), want, "the file")
        terminal.type(f":export hprof {folder}/a\r")
        terminal.wait("is there already")
        terminal.type(f":redact {folder}/c\r")
        terminal.wait("is written.")
        os.unlink(f"{folder}/c")
        terminal.type(f":export {folder}/b.sqlite\r:q\r")
        terminal.wait_for(lambda: not terminal.process(), "end")
        assert os.listdir(folder) in (["a"], ["a", "b.sqlite"], ["b.sqlite", "a"]), os.listdir(folder)


@test
def tab_completes_names_of_files():
    """Where a command takes one; as in a shell, and hostile names are not offered."""
    with Terminal() as terminal, tempfile.TemporaryDirectory() as folder:
        for name in ("heap report.html", "héap.json", ".hidden", "a;b", "red\x1b[31m", "bell\a", "two\nlines"):
            pathlib.Path(folder, name).touch()
        pathlib.Path(os.fsencode(folder).decode(), os.fsdecode(b"latin\xe9")).touch()
        pathlib.Path(folder, "sub").mkdir()
        pathlib.Path(folder, "sub", "only.md").touch()
        terminal.start(unpacked(ONE))
        terminal.wait("could be saved")
        for typed, want in (("report {}/hé", "/héap.json"), ("write {}/heap", "/heap report.html"), ("write {}/heap r", "/heap report.html"),
                            ("export hprof {}/su", "/sub/"), ("export {}/sub/", "/sub/only.md"), ("source {}/.h", "/.hidden")):
            terminal.complete(":" + typed.format(folder), want)
            terminal.send("C-u", "Escape")
            terminal.wait(lambda screen: "? help" in screen)
        terminal.type(f":report {folder}/")
        terminal.send("Tab")
        screen = terminal.wait("héap.json")
        shown = re.split(r"\s{2,}", screen.split("help")[0].strip().split("\n")[-2].strip())
        equal(sorted(shown), sorted([".hidden", "heap report.html", "héap.json", "sub/"]), "candidates")
        terminal.send("C-u", "Escape")
        terminal.wait(lambda screen: bottom(screen) and bottom(screen)[0] != ":", "the end of the prompt")
        terminal.complete(":export heaps", ":export heapsnapshot")


@test
def what_is_copied_is_in_the_clipboard_of_the_terminal():
    with Terminal() as terminal:
        terminal.tmux("set", "-s", "set-clipboard", "on")
        terminal.start(unpacked(ONE))
        terminal.type("6")
        terminal.wait_filled("the heap by path")
        for text in ("a", "ab", "abc", "abcd", "[*].name 世界"):
            terminal.command(f":copy {text}")
            terminal.wait(f"Copied {text.split()[0]}")
            terminal.wait_for(lambda: terminal.tmux("show-buffer") == text, text)
        terminal.type("4")
        terminal.wait_filled("all objects")
        address = terminal.screen().split("\n")[4].split()[0]
        terminal.type("y")
        terminal.wait(f"Copied {address}")
        terminal.wait_for(lambda: terminal.tmux("show-buffer") == address, address)
        terminal.command(":q")
        terminal.wait_for(lambda: not terminal.process(), "end of the process")


def at_the_question(terminal, settings):
    """A command of the shell has ended; the terminal is as it was before the program."""
    screen = terminal.wait("[Enter goes back to the explorer]")
    equal(terminal.settings(), settings, "settings")
    equal(terminal.ask("alternate_on"), "0", "alternate_on")
    equal(terminal.ask("mouse_any_flag"), "0", "mouse_any_flag")
    return screen


@test
def lists_go_through_pipes_and_commands_to_the_shell():
    with Terminal() as terminal:
        settings = terminal.settings()
        terminal.start(unpacked(ONE))
        terminal.type("2")
        terminal.wait_filled("grouped by identical stack")
        terminal.send("|")
        terminal.command(f"cat >{terminal.home}/list; echo piped $?")
        assert "piped 0" in at_the_question(terminal, settings)
        terminal.send("Enter")
        terminal.wait("grouped by identical stack")
        equal(terminal.ask("alternate_on"), "1", "alternate_on")
        # What they cost, by which they are ordered, may not be there yet.
        fields = sorted(line.split()[:2] for line in (terminal.home / "list").open())
        want = harness.run("list", "groups", unpacked(ONE)).out.splitlines()
        equal(fields, sorted(line.split()[:2] for line in want), "the list")
        terminal.type(":|false")  # which reads nothing
        terminal.send("Enter")
        at_the_question(terminal, settings)
        terminal.send("Enter")
        terminal.wait("The command ended with status 1.")
        terminal.type(":!echo $((6 * 7)); echo \"a;b\"")
        terminal.send("Enter")
        terminal.wait("\n42\na;b\n")  # the question of the command before is still above it
        at_the_question(terminal, settings)
        terminal.send("Enter")
        terminal.wait("grouped by identical stack")
        terminal.command(":!echo begun; sleep 1000")
        terminal.wait("\nbegun\n")
        terminal.send("C-z")
        terminal.send("C-c")
        at_the_question(terminal, settings)
        terminal.send("C-c")  # once more than was needed
        terminal.send("Enter")
        terminal.wait("The command ended with status 130.")
        terminal.send("Q")
        terminal.check_restored(settings)


@test
def a_click_leaves_the_program_awake():
    """A button that is let go is an event of its own, which is of no use: what comes after it, such as
    another size, must be seen at once."""
    with Terminal(width=100, height=40) as terminal:
        terminal.start(unpacked(ONE))
        terminal.type("4")
        terminal.wait("all objects")
        for button in (" ", "#", '"', "#"):  # pressed, let go; the same of the right one
            terminal.type(f"\033[M{button}*-")
        terminal.wait(lambda _: terminal.ask("mouse_any_flag") == "1", "the mouse")
        terminal.tmux("resize-window", "-x", "80", "-y", "24")
        terminal.wait(
            lambda screen: "MB" in screen.split("\n")[0][:80] and "Overview" in screen.split("\n")[1]
            and "help" in screen.rstrip().split("\n")[-1],
            "all of the smaller screen",
        )


@test
def stopped_and_continued_it_is_where_it_was():
    with Terminal() as terminal:
        settings = terminal.settings()
        terminal.start(unpacked(ONE))
        terminal.wait("Overview")
        terminal.command(":objects")
        before = terminal.wait_filled("0xc000")
        terminal.send("C-z")
        terminal.wait("Stopped")
        terminal.check_restored(settings)
        terminal.command("fg")
        terminal.wait(lambda screen: screen == before, "screen before ^Z")
        terminal.send("Q")
        terminal.check_restored(settings)


@test
def the_c_locale_gets_ascii():
    with Terminal(LC_ALL="C") as terminal:
        terminal.start(unpacked(ONE))
        for view in ("overview", "objects", "goroutines", "help"):
            terminal.command(f":{view}")
            terminal.wait(lambda screen: view in screen.lower() and ":" + view not in screen, view)
            equal(terminal.screen().isascii(), True, f"ASCII in {view}")


def coloured(screen):
    """Does a captured screen select a colour? 30-37, 38, 40-47, 48, 90-97."""
    parts = [part.split("m")[0].split(";") for part in screen.split("\x1b[")[1:]]
    return any(
        number.isdigit() and (30 <= int(number) <= 38 or 40 <= int(number) <= 48 or int(number) > 89)
        for numbers in parts
        for number in numbers[:1] + numbers[1:]
    )


@test
def colours_are_used_unless_no_color_is_set():
    for environment, expected in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal(**environment) as terminal:
            terminal.start(unpacked(ONE))
            terminal.wait("Overview")
            terminal.wait("help")
            equal(coloured(terminal.screen("-e")), expected, f"colours with {environment}")


@test
def a_dumb_terminal_is_refused_politely():
    with Terminal() as terminal:
        terminal.command(f"TERM=dumb {harness.PROGRAM} {unpacked(ONE)}; echo status=$?")
        screen = terminal.wait("status=2")
        assert "goheapx: " in screen, screen


@test(builds=["gcc"])
def terminals_that_the_system_does_not_know_are_taken_for_xterm():
    """As in a container, or on a server older than the terminal; the locale is named, but not there."""
    for name in ("xterm-kitty", "wezterm", "of-no-such-kind"):
        with Terminal() as terminal:
            terminal.command(f"TERM={name} TERMINFO_DIRS=/dev/null LC_ALL=xx_YY.utf-8 {harness.PROGRAM} {unpacked(ONE)}")
            screen = terminal.wait("could be saved")
            assert "──" in screen, screen
            if name == "of-no-such-kind":
                terminal.wait('"of-no-such-kind" are unknown here: used as xterm-256color')


@test
def an_unpacked_dump_has_no_name_and_is_private():
    with Terminal() as terminal:
        process = terminal.start(PACKED)
        seen = []
        terminal.wait_for(lambda: seen.extend(unnamed(process)) or seen or maps_unnamed(process), "temporary file")
        for mode in seen:
            equal(stat.S_IMODE(mode), 0o600, "mode of the temporary file")
        terminal.wait("Overview")
        equal(list(terminal.tmp.iterdir()), [], "names in TMPDIR")
        os.kill(process, signal.SIGKILL)
        terminal.wait_for(lambda: not terminal.process(), "end of the process")
        equal(list(terminal.tmp.iterdir()), [], "names in TMPDIR after SIGKILL")
        equal(
            [p.name for p in TESTDATA.iterdir() if "dump" in p.name and p.suffix != ".xz"], [],
            "files written beside the dump",
        )


def unnamed(process):
    """Modes of files that are deleted, or never had a name, and that the process has open: while it unpacks."""
    modes = []
    for fd in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            if os.readlink(fd).endswith("(deleted)"):
                modes.append(os.stat(fd).st_mode)
    return modes


def maps_unnamed(process):
    """Has it mapped such a file? It stays mapped once the descriptor is closed."""
    return "(deleted)" in pathlib.Path(f"/proc/{process}/maps").read_text(encoding="utf-8")


@test
def a_dump_that_shrinks_while_it_is_open_does_no_harm():
    """Another process truncates the file: its lost bytes are zeros instead of SIGBUS."""
    with Terminal() as terminal:
        dump = terminal.home / "shrinks.dump"
        dump.write_bytes(pathlib.Path(unpacked(ONE)).read_bytes())
        settings = terminal.settings()
        terminal.start(str(dump))
        terminal.wait("10,734 objects")  # all of it has been read once
        os.truncate(dump, 5000)
        for line, state in (
            ("objects", "reachable"), ("goto 0xc000700000", "The dump file has changed"), ("accounts", "HEAP"),
        ):
            terminal.command(":" + line)
            terminal.wait(state)
        terminal.send("Q")
        terminal.check_restored(settings)


@test
def a_dump_that_was_overwritten_is_opened_anew():
    """In the view that is open; what is no dump any more is said, and what was read stays."""
    with Terminal() as terminal:
        dump = terminal.home / "x.dump"
        dump.write_bytes(writer.tiny())
        settings = terminal.settings()
        terminal.start(str(dump))
        terminal.wait("11 objects")
        terminal.command(":objects")
        terminal.wait("0xc000000010")
        overwrite(dump, pathlib.Path(unpacked(ONE)).read_bytes())
        terminal.send("j")
        terminal.wait("[changed]")
        terminal.command(":reopen")
        screen = terminal.wait("10,734 objects")
        terminal.wait("0xc000000110")
        assert "[changed]" not in terminal.screen(), screen
        overwrite(dump, b"no dump at all" * 100)
        terminal.command(":reopen")
        terminal.wait("does not begin like a heap dump")
        assert terminal.process(), "it has ended"
        terminal.send("Q")
        terminal.check_restored(settings)


@test
def without_a_terminal_it_says_what_to_do_instead():
    result = harness.run(unpacked(ONE), expect=2)
    assert "goheapx info" in result.err or "--script" in result.err, result
    assert b"\x1b" not in result.raw_out + result.raw_err, result


@test
def what_exceeds_the_size_of_files_is_no_signal():
    """Unpacking into a limit fails with a sentence; the terminal has not even been touched."""
    with Terminal() as terminal:
        settings = terminal.settings()
        packed = TESTDATA / f"{ONE}.dump.xz"
        terminal.command(f"(ulimit -f 16; {harness.PROGRAM} {packed}); echo status=$?")
        screen = terminal.wait("status=2")
        assert "File too large" in screen, screen
        terminal.check_restored(settings)


@test
def what_is_looked_at_is_kept_before_it_is_left():
    with Terminal(200, 50) as terminal:
        settings, kept = terminal.settings(), terminal.home / "kept.index"
        terminal.command(f"export XDG_CACHE_HOME={terminal.home}")
        terminal.start(unpacked(ONE), "--index", str(kept))
        terminal.wait("frees")
        terminal.command(":where")
        terminal.wait("the heap by path")
        terminal.wait_for(lambda: kept.exists() and b"where-retained/alive" in kept.read_bytes(), "kept")
        before = kept.stat().st_ino
        terminal.send("Q")
        terminal.check_restored(settings)
        equal(kept.stat().st_ino, before, "the index, which is written anew under another name")
