"""Where the explorer was left with a dump is where it begins again."""

import os

from harness import ONE, equal, test, unpacked
from terminal import Terminal


def begin(terminal, *options, dump=None):
    terminal.start(dump or unpacked(ONE), *options)
    terminal.wait("Overview")


def do(terminal, *lines):
    for line in lines:
        terminal.type(":" + line)
        terminal.send("Enter")


def leave(terminal):
    terminal.send("Q")
    terminal.wait_for(lambda: not terminal.process(), "end")


def files(terminal):
    return list((terminal.home / ".local" / "state" / "goheapx" / "places").iterdir())


@test
def view_order_filter_cursor_and_marks_are_restored():
    with Terminal(100, 30) as terminal:
        begin(terminal)
        terminal.wait("could be saved")
        do(terminal, "types")
        terminal.wait_filled("types of objects")
        do(terminal, "row 3; mark a", "objects; sort retained_bytes; filter size > 100; row 5", "what")
        terminal.wait("5 of")
        do(terminal, "redraw")
        before = terminal.wait_filled("where size > 100")
        leave(terminal)
        begin(terminal)
        terminal.wait("where size > 100")
        do(terminal, "what")
        terminal.wait("5 of")
        do(terminal, "redraw")
        equal(terminal.wait_filled("where size > 100"), before, "the screen")
        do(terminal, "jump a", "what")
        terminal.wait("3 of 210")
        leave(terminal)
        begin(terminal, "--fresh")
        terminal.wait("could be saved")


@test
def open_rows_are_restored():
    with Terminal(100, 30) as terminal:
        begin(terminal)
        terminal.wait("could be saved")
        do(terminal, "where; row 2; toggle")
        before = terminal.wait("▾")
        leave(terminal)
        begin(terminal)
        after = terminal.wait("▾")
        equal(after.splitlines()[:20], before.splitlines()[:20], "the rows")


@test
def of_two_explorers_the_marks_of_both_are_kept():
    with Terminal() as terminal:
        begin(terminal)
        do(terminal, "types")
        terminal.wait("types of objects")
        do(terminal, "mark a")
        leave(terminal)
        file, = files(terminal)
        file.write_text(file.read_text() + "b\tlist\troots\t2\t0\t0\t\n")  # as another one did meanwhile
        begin(terminal)
        terminal.wait("types of objects")
        do(terminal, "mark c")
        leave(terminal)
        equal(sorted(line.split("\t")[0] for line in file.read_text().splitlines()[1:]), ["'", "a", "b", "c", "here"], "places")


DAMAGED = (
    "here\tlist\tobjects\t99999999999999999999\t99999\t-5\t\n", "here\tnosuch\t\t0\t0\t0\t\n", "x", "\x1b[31m\n", "\t\t\t\t\t\t\n",
    "here\tlist\tnosuch\t0\t0\t0\t\n", "here\tlist\t\t0\t0\t0\t\n", "here\tobject\t0x1\t0\t0\t0\t\n",
    "here\tlist\tobjects\t0\t0\t0\t0 quit \\n0 !ls\\n\n", "here\tlist\tobjects\t0\t0\t0\t0 group type\\n\n",
    "here\ttree\twhere\t0\t0\t0\t99999 toggle \\n5 toggle \\n0 filter (((\\n\n", "here\ttree\tobjects\t0\t0\t0\t3 toggle \\n\n",
    "here\tlist\twhere\t0\t0\t0\t3 toggle \\n3 sort nosuch\\n\n", "here\tlist\tobjects\t0\t0\t0\t0 sort retained\\\n",
    "here\tpath\t0xc000000000\t7\t0\t0\t9 next-path 5\\n0 apart \\n\n", "here\twaiting\t\t0\t0\t0\t\n", "here\thex\t0xc000000000\t0\t0\t0\t0 right \\n\n",
)


@test(each=range(len(DAMAGED) + 4))
def a_damaged_file_does_no_harm(number):
    with Terminal() as terminal:
        begin(terminal)
        leave(terminal)
        file, = files(terminal)
        if number < len(DAMAGED):
            file.write_text("goheapx place 1\n" + DAMAGED[number])
        elif number == len(DAMAGED):
            file.write_text("goheapx place 2\nwhatever\n")
        elif number == len(DAMAGED) + 1:
            file.write_bytes(b"goheapx place 1\n" + b"\0x" * 200000)
        else:
            file.unlink()
            os.mkfifo(file) if number == len(DAMAGED) + 2 else file.mkdir()
        begin(terminal)
        do(terminal, "objects")
        terminal.wait_filled("0xc000")
        leave(terminal)
        if number == len(DAMAGED):
            equal(file.read_text(), "goheapx place 2\nwhatever\n", "the file of another version")
