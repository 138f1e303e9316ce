"""What the explorer counts has the number of its noun."""

import pathlib
import re
import tempfile

import writer
from core_files import core
from harness import ONE, ROOT, equal, run, test, unpacked as dump


@test
def one_is_not_many():
    """A heap with one object that nothing holds."""
    content = writer.HEADER + writer.params()
    content += writer.record(1, writer.HEAP, writer.words(0, 0), [])
    content += writer.memstats() + writer.record(0)
    with tempfile.TemporaryDirectory() as folder:
        dump = pathlib.Path(folder) / "one.dump"
        dump.write_bytes(content)
        screen = run("-e", "overview", dump).out
        assert " 1 object, 16 B\n" in screen.split("\n")[0] + "\n", screen
        for form in (screen, run("info", dump).out, run("-e", "size 200x50; overview", dump).out):
            many = re.findall(r"(?m)(?:^|[ (])1 +(?:more )?[a-z]+s\b(?! of\b).*", form)
            equal([line for line in many if not re.match(r" *1 +(?:is|has|was)", line)], [], "nouns")
        result = run("-e", "objects; row 2", dump, expect=1)
        assert "There is 1 row here" in result.err, result


@test
def words_of_other_tools_lead_to_a_view():
    """Each word opens a view, or says in one line what it lacks; it is a table's name on the command line, too."""
    for word, title in (("histogram", "types of objects"), ("leaks", "findings"), ("summary", "Overview"),
                        ("gc-roots", "all roots"), ("containment", "the heap by path"), ("strings", "string data"),
                        ("maps", "collections: map"), ("channels", "collections: chan"), ("dominator-tree", "owners"),
                        ("gc roots", "all roots"), ("dominator tree", "owners"), ("root classes", "owners by the strength")):
        out = run(dump(ONE), "-e", word, expect=0).out
        assert title in out, (word, out)
    assert "core files and snapshots of processes have" in run(dump(ONE), "-e", "rss", expect=1).err
    for word, title in (("malloc", "mapped memory: malloc"), ("smaps", "mapped memory"), ("globals", "global variables")):
        assert title in run(core("go1.24-modes-cgopie"), "-e", word, expect=0).out, word
    table = run("list", "types", dump(ONE), "--csv", expect=0).out
    assert run("list", "histogram", dump(ONE), "--csv", expect=0).out == table


@test
def words_of_vi_leave_and_move():
    """:q! :wq :x leave without a word; :$ and :0 go to the ends of a list."""
    for word in ("q!", "wq", "x", "exit", "keys ZZ", "keys Z Z", "keys F10"):
        result = run(dump(ONE), "-e", "objects", "-e", word, "-e", "types; screen", expect=0)
        assert "types of objects" not in result.out and not result.err, (word, result.out, result.err)
    [first, last, again] = (run(dump(ONE), "--marks", "-e", "objects", "-e", steps, expect=0).out.split("── all objects")[-1]
                            for steps in ("first", "$", "$; 0"))
    assert first == again != last, "the ends of the list"


@test
def the_palette_finds_by_name_sentence_and_word():
    for words, found in (("retainer", "retainers"), ("ALIVE path", "path ADDR"), ("resident", "rss"), ("", "ask palette")):
        out = run(dump(ONE), "--size", "80x200", "-e", f"palette {words}", expect=0).out
        assert found in out, (words, out)
    assert "No command is about that" in run(dump(ONE), "-e", "palette no-such-word", expect=1).err


@test
def help_begins_with_jobs():
    """help says in 60 lines of 80 columns how to begin, and what each subcommand is for."""
    lines = run("help", expect=0).out.split("\n")
    for job in ("PID", "CORE", "DUMP", "DUMP DUMP"):
        assert any(line.startswith("  goheapx") and job in line for line in lines[:8]), (job, lines)
    for job in ("report", "check", "diff", "snapshot", "watch", "redact", "mcp", "skill", "schema"):
        assert any(line.startswith(f"  {job} ") for line in lines), (job, lines)
    assert any(line.startswith("  --hide ") for line in lines), lines
    assert len(lines) <= 61 and max(map(len, lines)) <= 80, (len(lines), max(lines, key=len))
    options = run("help", "options", expect=0).out
    assert "--only-exe" in options and "--seconds N" in options and run("help", "no-such", expect=2).err, options


@test
def commands_of_two_words():
    """A command of two words is typed with a blank; its old name with a hyphen is still taken, and so is help for it."""
    for two, old in (("page down", "page-down"), ("window bottom", "window-bottom"), ("half down", "half-down"), ("sort next", "sort-next"),
                     ("scroll down 2", "scroll-down 2"), ("toggle all", "open-all")):
        before = "owners" if "toggle" in two else "objects"
        [new, former, still] = (run(dump(ONE), "--marks", "-e", f"{before}; {word}", expect=0).out for word in (two, old, "sort"))
        equal(new, former, two)
        assert new != run(dump(ONE), "--marks", "-e", before, expect=0).out, (two, new, still)
    assert "shows the screenful before" in " ".join(run(dump(ONE), "-e", "help page", expect=0).out.split())
    assert "Shows the screenful before" in run(dump(ONE), "-e", "help page up", expect=0).out
    assert "The command page needs one of: down, up" in run(dump(ONE), "-e", "page", expect=1).err
    first = (ROOT / "README.md").read_text().split("\n")[:24]
    for job in ("goheapx 1234 ", "snapshot", "watch", "redact", "mcp"):
        assert any(line.startswith("\tgoheapx") and job in line for line in first), (job, first)
