"""What was asked of the larger dumps (../shared/corpus/real), answered by the keys that the manual's section
QUESTIONS has: two from the overview, or one and a line where the question names a thing. The screens are those
of 80x24; without the dumps these tests are skipped."""

import functools
import re

from executables import dump_of, exe_of
from harness import ONE, equal, real_files, run, test

RAFT, WEB = "raftkv-go1.19", "webmetrics-go1.23"

MANY = "What do goroutines wait for, how many, and where?"
TYPES = "Which types take most, and how many objects has each?"
HOLDS = "What does a variable, a field or an entry hold?"

# Dump, number of the question in its truth file, the question in the manual, what is typed in place of its
# examples (and further lines at the last prompt), and what the screen then has: {answer} is the truth's, with
# commas; {size} are its retained bytes as people read them.
QUESTIONS = [
    (RAFT, 0, MANY, [], r"\n +{answer} .* chan receive .* main\.watchLoop\n"),
    (RAFT, 1, TYPES, [], r"\n main\.Watcher +{answer} "),
    (RAFT, 2, "What is in a field of all objects of a type?", ["raft.Raft", ".localID", ".raftState.state"],
     r"\n 0x\w+ +\S+ +{answer} +2\n"),  # raft.Leader
    (RAFT, 3, HOLDS, ["main.cluster.Nodes[0].FSM.Watchers[7].C"],
     r"── object {answer} ─(.|\n)*receiver +goroutine \d+ main\.watchLoop"),
    (RAFT, 4, "Which maps, slices and channels are large?", [],
     r"(\n main\.cluster\S+\.FSM\.Data +map\[string\]\[\]byte +{answer} [^\n]*){3}"),
    (RAFT, 5, HOLDS, ["main.cluster.Nodes[0].FSM.Watchers"],
     r"map\[int\]\*main\.Watcher(.|\n)*\n retained +{size},"),
    (RAFT, 6, HOLDS, ["main.cluster.Nodes[0].FSM.Data"], r"map\[string\]\[\]byte(.|\n)*\n retained +{size},"),
    (RAFT, 7, HOLDS, ["main.cluster.Nodes[0].Cache"], r"raft\.LogCache(.|\n)*\n retained +{size},"),
    (WEB, 0, TYPES, [], r"\n \S*prometheus\.counter +{answer} "),
    (WEB, 1, MANY, [], r"\n +{answer} .* http\.\(\*persistConn\)\.writeLoop\n"),
    (WEB, 2, MANY, [], r"\n +{answer} .* IO wait .* main\.\(\*Gateway\)\.report\n"),
    (WEB, 3, TYPES, [], r" retained\n \[\]byte "),
    (WEB, 4, "What uses the memory, and what piles up?", [],
     r"\n +13\.2 MB +17\.3% +30,000 × \S+ +main\.gw\.M\S*\.metrics\[\*\]"),
    (WEB, 5, HOLDS, ["main.gw.Metrics.Requests"], r"prometheus\.CounterVec(.|\n)*\n retained +{size},"),
    (WEB, 6, "How many objects are large, and what do they take?", [], r"\n +121 +62\.3 MB"),
]


def human(size):
    for unit, bytes_of in (("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_of:
            return f"{size / bytes_of:.1f} {unit}"
    return f"{size} B"


@functools.lru_cache(maxsize=1)
def manual():
    """By question: pairs of keys and the example of what is typed behind them, or None."""
    section = run("manual", expect=0).out.split(".Sh QUESTIONS\n")[1].split(".El\n")[0]
    items = [item.split("\n") for item in section.split(".It ")[1:]]
    return {lines[0]: re.findall(r'^\.Ic "(.*)"(?:\n\.Li "(.*)")?$', "\n".join(lines[1:]), re.M) for lines in items}


def typed(line):
    return line.split(" ")[0] + "".join(f" Space {word}" for word in line.split(" ")[1:]) + " Enter"


def keys(question, lines):
    """What is typed for a question of the manual: `lines` for its examples, where there are any."""
    steps, lines, words = manual()[question], list(lines), []
    for step, example in steps:
        words.append(step)
        if example:
            words.append(typed(lines.pop(0) if lines else example))
    for line in lines:  # one more as the last
        words += [steps[-1][0].split()[-1], typed(line)]
    return " ".join(words)


@test
def every_question_has_its_keys():
    for name in (RAFT, WEB):
        _, known = real_files(name)
        equal([one[1] for one in QUESTIONS if one[0] == name], list(range(len(known["questions"]))), name)


@test(each=[f"{name} {number}" for name, number, *_ in QUESTIONS], builds=["gcc"])
def is_found_by_its_keys(case):
    (found,) = [one for one in QUESTIONS if f"{one[0]} {one[1]}" == case]
    name, number, question, lines, pattern = found
    path, known = real_files(name)
    answer = known["questions"][number]["answer"]
    if isinstance(answer, dict):
        size = answer.get("retained_bytes", answer.get("bytes"))
        assert number != 6 or name != WEB or (answer["blocks"], human(size)) == (121, "62.3 MB"), answer
    pattern = pattern.replace("{answer}", f"{answer:,}" if isinstance(answer, int) else re.escape(str(answer)))
    pattern = pattern.replace("{size}", re.escape(human(size)) if isinstance(answer, dict) else "")
    script = ["wait all", "overview", f"keys {keys(question, lines)}", "screen"]
    screen = run("-e", "\n".join(script), path, "--exe", exe_of(name), expect=0).out
    assert re.search(pattern, screen), f"{known['questions'][number]}\n{script}\n{pattern}\n{screen}"


@test
def at_most_two_keys_lead_to_an_answer_or_a_prompt():
    assert len(manual()) > 10, manual()
    for question, steps in manual().items():
        for step, _ in steps:
            assert 1 <= len(step.split()) <= 2, (question, step)


@test(each=[ONE], builds=["gcc"])
def all_keys_of_the_manual_lead_somewhere(name):
    """Whatever its examples are called in this dump."""
    here = {"main.cache.Nodes[0]": "main.gDeep.Items[1]", "main.User": "main.Session", ".Country": ".ID"}
    for question, steps in manual().items():
        lines = [here.get(example, example) for _, example in steps if example]
        script = ["wait all", "overview", f"keys {keys(question, lines)}", "screen"]
        screen = run("-e", "\n".join(script), dump_of(name), "--exe", exe_of(name), expect=0).out
        title = screen.split("\n")[2]
        assert question.startswith("What uses") or "Overview" not in title, f"{script}\n{screen}"
