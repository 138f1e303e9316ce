"""The config file on a terminal: first view, keys, colors, and what is wrong in it."""

import os

from harness import ONE, equal, test, unpacked
from terminal import Terminal, bottom


def configured(terminal, text):
    folder = terminal.home / ".config" / "goheapx"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config").write_text(text)


def colors(terminal):
    """The colors that a screen selects: numbers of SGR, those of 256 as "38;5;N"."""
    screen = terminal.screen("-e")
    words = [part.split("m")[0] for part in screen.split("\x1b[")[1:]]
    return {word for word in words if word.startswith(("3", "4", "9", "1"))}


@test
def the_first_view_and_keys_come_from_it():
    with Terminal() as terminal:
        configured(terminal, "# mine\nkey F5 types\nkey M-x goroutines\nobjects; sort size\n")
        terminal.start(unpacked(ONE))
        terminal.wait(lambda screen: "all objects" in screen and "▼size" in screen, "objects by size")
        terminal.send("F5")
        terminal.wait("types of objects")
        terminal.send("M-x")
        terminal.wait("all goroutines")
        terminal.send("BSpace", "BSpace", "BSpace")
        terminal.wait("MB heap")


@test
def a_mistake_is_told_once_and_the_rest_holds():
    with Terminal() as terminal:
        configured(terminal, "key F5 types\nnonsense\nobjects\n")
        terminal.start(unpacked(ONE))
        terminal.wait(lambda screen: "/config, line 2: There is no command" in screen.replace("\n", ""), "the line")
        terminal.wait("0xc000")
        terminal.send("j")
        terminal.wait_filled("0xc000")
        terminal.send("F5")
        terminal.wait("types of objects")


@test
def what_is_retained_is_set_once_the_dump_is_read():
    with Terminal(100, 24) as terminal:
        configured(terminal, "set retain all\n")
        terminal.start(unpacked(ONE))
        terminal.wait("what would be freed")
        terminal.send("7")
        screen = terminal.wait_filled("owners")
        assert "retained" in screen and "owned" not in screen, screen


@test
def a_pipe_in_its_place_does_not_stop_the_start():
    with Terminal() as terminal:
        configured(terminal, "")
        file = terminal.home / ".config" / "goheapx" / "config"
        file.unlink()
        os.mkfifo(file)
        terminal.start(unpacked(ONE))
        terminal.wait("cannot be used: it is not a")
        terminal.send("j")
        terminal.wait("Overview")


@test(each=(
    ("tmux-256color", "", "", "38;5;31"), ("tmux-256color", "15;0", "", "38;5;38"),
    ("tmux-256color", "0;15", "", "38;5;31"), ("tmux-256color", "0;15", "set background dark", "38;5;38"),
    ("tmux-256color", "", "color link 99", "38;5;99"), ("xterm", "15;0", "", "36"), ("xterm", "0;15", "", "34"),
    ("xterm", "0;15", "set background dark", "36"), ("xterm", "15;default", "color link yellow red", "33"),
))
def colors_follow_background_and_config(case):
    kind, known, config, link = case
    with Terminal(COLORFGBG=known) as terminal:
        configured(terminal, config)
        terminal.command(f"export TERM={kind}")
        terminal.start(unpacked(ONE))
        terminal.wait(lambda _: any(word == link or word.endswith(";" + link) for word in colors(terminal)),
                      f"{link} in {colors(terminal)}")


@test
def with_8_colors_and_an_unknown_background_only_safe_ones_are_used():
    """Of them only red (31) and magenta (35) can be read on black as well as on white."""
    with Terminal() as terminal:
        terminal.command("export TERM=xterm")
        terminal.start(unpacked(ONE))
        for view in ("overview", "objects", "where", "types"):
            terminal.command(f":{view}")
            terminal.wait(lambda screen: "help" in bottom(screen), view)
            numbers = {int(number) for word in colors(terminal) for number in word.split(";") if number.isdigit()}
            equal({n for n in numbers if 30 <= n <= 37 or 40 <= n <= 47} - {31, 35}, set(), f"colors of {view}")
