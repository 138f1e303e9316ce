"""The shell for SQL on a terminal: lines, completion, history across runs, and ^C."""

import os
import signal

from harness import ONE, equal, test, unpacked
from terminal import Terminal, bottom


def opened(terminal):
    terminal.start("sql", unpacked(ONE))
    terminal.wait(lambda screen: bottom(screen) == "sql>", "the prompt")


def run(terminal, line):
    terminal.type(line[:-1] + "\\;" if line.endswith(";") else line)  # which tmux would take
    terminal.send("Enter")


def answered(terminal, text):
    terminal.wait(lambda screen: text in screen and bottom(screen) == "sql>", text)


@test
def statements_go_over_lines_and_are_remembered():
    with Terminal() as terminal:
        before = terminal.settings()
        opened(terminal)
        run(terminal, "select 40 + 2")
        terminal.wait(lambda screen: bottom(screen) == "...>", "the prompt for the rest")
        run(terminal, "as answer;")
        answered(terminal, "    42")
        run(terminal, ".quit")
        terminal.check_restored(before)
        terminal.command("clear")
        opened(terminal)
        terminal.send("Up", "Enter")
        answered(terminal, "    42")
        terminal.send("C-d")
        terminal.check_restored(before)


@test
def tab_completes_tables_columns_words_and_commands():
    with Terminal() as terminal:
        opened(terminal)
        for typed, whole in (
            ("SEL", "SELECT"), (" * from path_t", "path_tree"), ("('x') m where m.exam", "m.example"),
            ("ord", "order"),
        ):
            terminal.complete(typed, whole)
        terminal.send("C-u")
        for typed, whole in (("select count(*) from whe", 'from "where"'), (".sch", ".schema"),
                             (".schema obj", ".schema objects"), ('from "whe', 'from "where"')):
            terminal.complete(typed, whole)
            terminal.send("C-u")
        run(terminal, ".mode csv")
        run(terminal, "select 1 as a, 'x,y' as b;")
        answered(terminal, '1,"x,y"')
        run(terminal, ".schema lost")
        answered(terminal, '"stack_bytes" BYTES, -- ')


@test
def control_c_ends_a_line_or_a_query_and_no_more():
    with Terminal() as terminal:
        opened(terminal)
        terminal.type("select nothing")
        terminal.wait("nothing")
        terminal.send("C-c")
        terminal.wait(lambda screen: "nothing^C" in screen and bottom(screen) == "sql>", "a new line")
        run(terminal, "select 1")
        terminal.wait(lambda screen: bottom(screen) == "...>", "the prompt for the rest")
        terminal.send("C-c")
        terminal.wait(lambda screen: bottom(screen) == "sql>", "a new statement")
        run(terminal, "select count(*) from objects a, objects b, objects c;")
        terminal.wait(lambda screen: bottom(screen).endswith("objects c;"), "the query")
        terminal.send("C-c")
        answered(terminal, "interrupted")
        run(terminal, "with recursive n(i) as (select 1 union all select i + 1 from n limit 2000000) "
                      "select i from n;")
        terminal.wait(lambda screen: bottom(screen)[:1].isdigit(), "numbers")
        terminal.send("C-c")
        run(terminal, "select 'still ' || 'here' as s;")
        answered(terminal, "still here")


@test
def what_is_wrong_is_shown_and_one_goes_on():
    with Terminal() as terminal:
        before = terminal.settings()
        opened(terminal)
        run(terminal, "select sise from objects;")
        answered(terminal, "no such column: sise, at character 8")
        run(terminal, ".tabels")
        answered(terminal, "perhaps .tables is meant")
        run(terminal, "drop table objects;")
        answered(terminal, "not authorized")
        process = terminal.process()
        terminal.type("select")
        terminal.wait(lambda screen: bottom(screen).endswith("select"), "the line")
        os.kill(process, signal.SIGTERM)
        terminal.check_restored(before)
        equal(terminal.process(), None, "process")
