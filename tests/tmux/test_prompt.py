"""The command line of the explorer: editing, completion, history across runs, and what goes wrong."""

import os

from executables import exe_of
from harness import ONE, equal, test, unpacked
from terminal import Terminal, bottom, is_running


def opened(terminal):
    terminal.start(unpacked(ONE))
    terminal.wait("Overview")


@test
def editing_keys_work():
    with Terminal() as terminal:
        opened(terminal)
        terminal.type(":0xc000700000")
        terminal.send("C-a")
        terminal.type("goto ")
        terminal.wait(lambda screen: bottom(screen).startswith(":goto 0xc000700000"), "the line")
        terminal.send("C-e", "BSpace", "C-u")
        terminal.wait(lambda screen: bottom(screen) == ":", "an empty line")
        terminal.type("obX")
        terminal.send("Left", "Right", "BSpace")
        terminal.command("jects")
        terminal.wait("0xc000")


@test
def escape_control_c_and_control_g_cancel():
    with Terminal() as terminal:
        opened(terminal)
        for key in ("Escape", "C-c", "C-g"):
            terminal.type(":quit")
            terminal.wait(lambda screen: bottom(screen).startswith(":quit"), "the line")
            terminal.send(key)
            terminal.wait(lambda screen: ":quit" not in bottom(screen), f"the end of it by {key}")
        terminal.wait("Overview")


@test
def tab_completes_commands():
    with Terminal() as terminal:
        opened(terminal)
        terminal.complete(":gorou", ":goroutine")


@test
def tab_completes_fields_and_keys():
    with Terminal() as terminal:
        terminal.start(unpacked(ONE), "--exe", exe_of(ONE))
        terminal.command(":types")
        terminal.wait("main.Session")
        terminal.complete(":goto main.gDeep.It", "main.gDeep.Items")
        terminal.complete("[1].ByName[", '.ByName["k"]')


@test
def the_prompt_for_places_goes_there():
    with Terminal() as terminal:
        terminal.start(unpacked(ONE), "--exe", exe_of(ONE))
        terminal.command(":types")
        terminal.wait("main.Session")
        terminal.type("=main.gDeep.It")
        terminal.send("Tab")
        terminal.wait(lambda screen: bottom(screen).startswith("go to: main.gDeep.Items"), "the field")
        terminal.command("[1]")
        terminal.wait("main.gDeep.Items[1]")
        terminal.wait("main.Deep2")
        terminal.type("=")
        terminal.send("Up")
        terminal.wait(lambda screen: bottom(screen).startswith("go to: main.gDeep.Items[1]"), "the line before")


@test
def tab_completes_where_nothing_has_been_typed():
    """The fields of the object that the cursor is on, and all else that may stand there."""
    with Terminal() as terminal:
        terminal.start(unpacked(ONE), "--exe", exe_of(ONE))
        terminal.command(":objects type=main.Session")
        terminal.wait("0xc000")
        for begun in ("c", ":column ", ":group ", "&.", "&len(", "&len(.", ":filter .", "="):
            terminal.type(begun)
            terminal.send("Tab", "Tab", "Left", "Tab")
            terminal.wait(lambda screen: "help" not in bottom(screen), "a prompt")
            terminal.send("Escape")  # alone: with a letter behind it, it would be another key
            terminal.wait(lambda screen: "help" in bottom(screen), lambda: f"the end of {begun}")
        terminal.complete("clen(.T", "len(.Tags")


@test
def tab_completes_columns_by_the_fields_of_the_object():
    with Terminal() as terminal:
        terminal.start(unpacked(ONE), "--exe", exe_of(ONE))
        terminal.command(":objects type=main.Session")
        terminal.wait("0xc000")
        terminal.complete("clen(.T", "len(.Tags")
        terminal.send("C-u")
        terminal.complete(".Tags[", '.Tags["user"]')
        terminal.send("Enter")
        terminal.wait(" u12")


@test
def the_palette_asks_for_words_and_remembers_them():
    with Terminal() as terminal:
        opened(terminal)
        terminal.send("C-p")
        terminal.wait(lambda screen: bottom(screen).startswith("about:"), "the question")
        terminal.command("histo")
        terminal.wait("commands about histo")
        terminal.send("C-p", "Up")
        terminal.wait(lambda screen: bottom(screen).startswith("about: histo"), "the line before")


@test
def history_is_kept_across_runs():
    with Terminal() as terminal:
        opened(terminal)
        terminal.command(":goto 0xc000700000")
        terminal.wait("0xc000700000")
        terminal.send("Q")
        terminal.wait_for(lambda: not terminal.process(), "end")
        opened(terminal)
        terminal.send(":", "Up")
        terminal.wait(lambda screen: bottom(screen).startswith(":goto 0xc000700000"), "old line")


@test
def a_pipe_in_the_place_of_the_history_is_let_alone():
    """Whoever writes into one waits for a reader."""
    with Terminal() as terminal:
        folder = terminal.home / ".local" / "state" / "goheapx"
        folder.mkdir(parents=True)
        os.mkfifo(folder / "history")
        opened(terminal)
        terminal.command(":goto 0xc000700000")
        terminal.send("Q")
        terminal.wait_for(lambda: not terminal.process(), "end")


@test
def what_is_wrong_is_said_and_nothing_lost():
    with Terminal() as terminal:
        opened(terminal)
        terminal.command(":objects")
        # A long message covers the last lines, half of the screen at most.
        before = terminal.wait_filled("0xc000").rstrip("\n").split("\n")[:12]
        for line in ("nonsense", "goto", "goto xyz", "goto 0x1", "sort nothing", "goto 0x" + "f" * 40):
            terminal.command(":" + line)
            terminal.wait(lambda screen: bottom(screen).strip() and bottom(screen)[0] != ":", line)
            equal(terminal.screen().rstrip("\n").split("\n")[:12], before, f"the screen after {line}")


@test
def utf8_is_edited_by_character():
    with Terminal() as terminal:
        opened(terminal)
        terminal.type("/größe€")
        terminal.wait(lambda screen: bottom(screen).startswith("/größe€"), "the line")
        terminal.send("BSpace")
        terminal.wait(lambda screen: bottom(screen) == "/größe", "one character less")
        terminal.send("Escape")


@test
def a_search_shows_its_row_while_it_is_typed():
    with Terminal() as terminal:
        opened(terminal)
        terminal.command(":objects")
        terminal.wait("all objects")
        first = terminal.screen().split("\n")[4].split()[0]
        terminal.type("/gHoldsL")
        terminal.wait(lambda screen: bottom(screen) == "/gHoldsL" and "main.gHoldsLocal" in screen, "the row")
        terminal.send("Escape")
        terminal.wait(lambda screen: screen.split("\n")[4].split()[0] == first and " Enter follow" in screen,
                      "the rows from before")
        terminal.type("/no such type")
        terminal.wait(lambda screen: bottom(screen) == "/no such type", "the text")
        terminal.send("Enter")
        terminal.wait("Nothing here contains no such type")
        terminal.type("/gHoldsL")
        terminal.send("Enter")
        terminal.wait(lambda screen: "main.gHoldsLocal" in screen and "earching" not in screen, "the row, and no message")


@test
def the_columns_are_shown_to_sort_by_one():
    with Terminal() as terminal:
        opened(terminal)
        terminal.command(":types")
        terminal.wait("types of objects")
        terminal.type("s")
        terminal.wait(lambda screen: bottom(screen) == "sort by:" and " retained" in screen and " objects " in screen,
                      "the columns")
        terminal.type("ty")
        terminal.wait(lambda screen: bottom(screen) == "sort by: ty"
                      and screen.rstrip("\n").split("\n")[-2].strip() == "type", "one of them")
        terminal.send("Tab", "Enter")
        terminal.wait("▲")
        terminal.send("F6")
        terminal.type("objects")
        terminal.send("Enter")
        terminal.wait("▼objects")


@test
def zz_and_f10_leave():
    for keys in (("Z", "Z"), ("F10",)):
        with Terminal() as terminal:
            opened(terminal)
            process = terminal.process()
            terminal.send(*keys[:1])
            if keys[1:]:
                terminal.wait("Z again leaves the explorer")
                terminal.send("x")
                terminal.wait("Zx does nothing here")
                terminal.send(*keys)
            terminal.wait_for(lambda: not is_running(process), "the end")
