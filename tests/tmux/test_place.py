"""Where the explorer was left with a dump is where it begins again."""

import os
import shutil
import signal

from harness import ONE, answer, equal, test, truth, unpacked
from terminal import Terminal


def begin(terminal, *options, dump=None):
    terminal.start(dump or unpacked(ONE), *options)
    terminal.wait("Overview")


def do(terminal, *lines):
    for line in lines:
        terminal.command(":" + line)


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
        terminal.wait("3 of 208")
        leave(terminal)
        begin(terminal, "--fresh")
        terminal.wait("could be saved")


@test
def open_rows_are_restored():
    with Terminal(100, 30) as terminal:
        begin(terminal)
        terminal.wait("could be saved")
        do(terminal, "where; row 2; toggle")
        before = terminal.wait_filled("▾")
        leave(terminal)
        begin(terminal)
        after = terminal.wait_filled("▾")
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
        equal(sorted(line.split("\t")[0] for line in file.read_text().splitlines()[1:]), ["'", "a", "b", "c", "here", "of"], "places")


def tagged(terminal):
    """The addresses that :tagged lists."""
    do(terminal, "tagged")
    screen = terminal.wait_filled("0xc000")
    return {line.split()[0] for line in screen.splitlines() if line.startswith(" 0xc000")}


@test
def what_is_tagged_is_there_again():
    nodes = [truth(ONE)["Objects"][name]["addr"] for name in ("deep1", "deep2", "deep3")]
    with Terminal(100, 30) as terminal:
        begin(terminal)
        terminal.wait("could be saved")
        do(terminal, f"tag object={nodes[0]}", f"tag object={nodes[1]}")
        leave(terminal)
        begin(terminal)
        equal(tagged(terminal), set(nodes[:2]), "tagged")
        leave(terminal)
        file, = files(terminal)
        saved = file.read_text()
        begin(terminal)
        terminal.wait("objects at")
        do(terminal, f"tag object={nodes[2]}")
        # as another explorer did meanwhile
        file.write_text(saved.replace("\ntagged\t", "\ntagged\tsize=144 or "))
        leave(terminal)
        equal(file.read_text().count("\ntagged\t"), 1, "lines")
        line = next(line for line in file.read_text().splitlines() if line.startswith("tagged\t"))
        listed = answer("list", "objects", unpacked(ONE), line.split("\t")[1])
        sizes = answer("list", "objects", unpacked(ONE), "size=144")
        equal({row["address"] for row in listed}, {row["address"] for row in sizes} | set(nodes), "of both")
        begin(terminal)
        terminal.wait_filled(nodes[0])
        do(terminal, "untag")
        terminal.wait("Nothing is tagged")
        leave(terminal)
        assert "tagged" not in file.read_text().replace("objects tagged", "")


@test
def what_is_too_much_to_be_kept_is_said():
    with Terminal(100, 30) as terminal:
        begin(terminal)
        terminal.wait("could be saved")
        for first in (1000, 3000, 5000):
            script = terminal.home / str(first)
            script.write_text(f"tag {' or '.join(f'object={number:#x}00000000' for number in range(first, first + 2000))}\n")
            do(terminal, f"source {script}")
        do(terminal, "tag size=16")
        terminal.wait("Too much is tagged to be there in the next session")
        leave(terminal)
        begin(terminal)
        do(terminal, "tagged")
        terminal.wait("Nothing is tagged")


@test(each=["HUP", "TERM"])
def a_session_that_is_cut_off_is_continued(name):
    with Terminal(100, 30) as terminal:
        begin(terminal)
        terminal.wait("could be saved")
        do(terminal, "types")
        terminal.wait_filled("types of objects")
        do(terminal, "row 3", "what")
        terminal.wait("3 of 208")
        os.kill(terminal.process(), getattr(signal, f"SIG{name}"))
        terminal.wait_for(lambda: not terminal.process(), "end")
        begin(terminal)
        terminal.wait("types of objects")
        do(terminal, "what")
        terminal.wait("3 of 208")


@test
def the_last_dumps_are_offered():
    with Terminal(200, 40) as terminal:
        other = terminal.home / "b\u00e9.dump"
        shutil.copy(unpacked(ONE), other)
        for stamp, dump in ((1e9, unpacked(ONE)), (1.1e9, str(other))):
            begin(terminal, dump=dump)
            leave(terminal)
            for file in files(terminal):
                if f"of\t{dump}\n" in file.read_text():
                    os.utime(file, (stamp, stamp))
        terminal.start()
        offered = terminal.wait("letter of a dump")
        lines = {line[:2]: line for line in offered.split("\n")}
        assert lines["a "].endswith(str(other)) and lines["b "].endswith(unpacked(ONE)), offered
        terminal.send("b", "Enter")
        terminal.wait("Overview")
        terminal.wait(f"{ONE}.dump  go1.24.4")
        terminal.wait("could be saved")
        leave(terminal)
        other.unlink()
        terminal.command("clear")
        terminal.start()
        assert "to.dump" not in terminal.wait("letter of a dump")


@test
def the_files_of_the_oldest_dumps_are_removed():
    with Terminal() as terminal:
        begin(terminal)
        leave(terminal)
        file, = files(terminal)
        for number in range(600):
            older = file.with_name(f"{number:016x}")
            older.write_text("goheapx place 2\n")
            os.utime(older, (1e9 + number, 1e9 + number))
        begin(terminal)
        leave(terminal)
        names = {path.name for path in files(terminal)}
        equal(names, {file.name, *(f"{number:016x}" for number in range(101, 600))}, "the files")


DAMAGED = (
    "here\tlist\tobjects\t99999999999999999999\t99999\t-5\t\n", "here\tnosuch\t\t0\t0\t0\t\n", "x", "\x1b[31m\n", "\t\t\t\t\t\t\n",
    "here\tlist\tnosuch\t0\t0\t0\t\n", "here\tlist\t\t0\t0\t0\t\n", "here\tobject\t0x1\t0\t0\t0\t\n",
    "here\tlist\tobjects\t0\t0\t0\t0 quit \\n0 !ls\\n\n", "here\tlist\tobjects\t0\t0\t0\t0 group type\\n\n",
    "here\ttree\twhere\t0\t0\t0\t99999 toggle \\n5 toggle \\n0 filter (((\\n\n", "here\ttree\tobjects\t0\t0\t0\t3 toggle \\n\n",
    "here\tlist\twhere\t0\t0\t0\t3 toggle \\n3 sort nosuch\\n\n", "here\tlist\tobjects\t0\t0\t0\t0 sort retained\\\n",
    "here\tpath\t0xc000000000\t7\t0\t0\t9 next-path 5\\n0 apart \\n\n", "here\twaiting\t\t0\t0\t0\t\n", "here\thex\t0xc000000000\t0\t0\t0\t0 right \\n\n",
    "tagged\tnosuch\n", "tagged\t\n", "tagged\tsize=\\q\n", "tagged\tsize=(((\n", "tagged\tsize=16\ntagged\tsize=32\n",
)


@test(each=range(len(DAMAGED) + 4))
def a_damaged_file_does_no_harm(number):
    with Terminal() as terminal:
        begin(terminal)
        leave(terminal)
        file, = files(terminal)
        if number < len(DAMAGED):
            file.write_text("goheapx place 2\n" + DAMAGED[number])
        elif number == len(DAMAGED):
            file.write_text("goheapx place 3\nwhatever\n")
        elif number == len(DAMAGED) + 1:
            file.write_bytes(b"goheapx place 2\n" + b"\0x" * 200000)
        else:
            file.unlink()
            os.mkfifo(file) if number == len(DAMAGED) + 2 else file.mkdir()
        begin(terminal)
        do(terminal, "objects")
        terminal.wait_filled("0xc000")
        leave(terminal)
        if number == len(DAMAGED):
            equal(file.read_text(), "goheapx place 3\nwhatever\n", "the file of another version")
