"""What was asked of the dumps of ../shared/corpus (real, series, cases), answered by the keys that the manual's
section QUESTIONS has: none or two from the first screen, and the lines that name a thing. The screens are those of
80x24; without the dumps these tests are skipped."""

import functools
import re

from executables import dump_of, exe_of, truth_of
from harness import CORPUS, ONE, Skip, equal, human, input_of, lacking, real_files, run, test, truth_in

RAFT, WEB = "raftkv-go1.19", "webmetrics-go1.23"

FIRST = "What uses the memory, and what piles up?"
CRASH = "Why did it crash, and where?"
MANY = "What do goroutines wait for, how many, and where?"
TYPES = "Which types take most, and how many objects has each?"
HOLDS = "What does a variable, a field or an entry hold?"
LARGE = "Which maps, slices and channels are large?"
OWNERS = "Who owns it?"
LOST = "Which goroutines can never wake up?"

# Dump, number of the question in its truth file, the question in the manual, what is typed in place of its
# examples, and what the screen then has: {answer} is the truth's, with commas; {size} are its retained bytes as
# people read them.
QUESTIONS = [
    (RAFT, 0, MANY, [], r"\n +{answer} .* chan receive .* main\.watchLoop\n"),
    (RAFT, 1, TYPES, [], r"\n main\.Watcher +{answer} "),
    (RAFT, 2, "What tells the objects of a type apart, and what is in one of their fields?",
     ["objects type=github.com/hashicorp/raft.Raft", ".raftState.state"],
     r" \.localID (.|\n)*\n 0x\w+ .*{answer} .* 2\n"),  # raft.Leader
    (RAFT, 3, HOLDS, ["main.cluster.Nodes[0].FSM.Watchers[7].C"],
     r"── object {answer} ─(.|\n)*receiver +goroutine \d+ main\.watchLoop"),
    (RAFT, 4, LARGE, [], r"(\n main\.cluster\S+\.FSM\.Data +map\[string\]\[\]byte +{answer} [^\n]*){3}"),
    (RAFT, 5, HOLDS, ["main.cluster.Nodes[0].FSM.Watchers"],
     r"map\[int\]\*main\.Watcher(.|\n)*\n retained +{size},"),
    (RAFT, 6, HOLDS, ["main.cluster.Nodes[0].FSM.Data"], r"map\[string\]\[\]byte(.|\n)*\n retained +{size},"),
    (RAFT, 7, HOLDS, ["main.cluster.Nodes[0].Cache"], r"raft\.LogCache(.|\n)*\n retained +{size},"),
    (WEB, 0, TYPES, [], r"\n \S*prometheus\.counter +{answer} "),
    (WEB, 1, MANY, [], r"\n +{answer} .*http\.\(\*persistConn\)\.writeLoop\n"),
    (WEB, 2, MANY, [], r"\n +{answer} .* IO wait .* main\.\(\*Gateway\)\.report\n"),
    (WEB, 3, TYPES, [], r" retained\n \[\]byte "),
    (WEB, 4, FIRST, [], r"\n +11\.0 MB +(14\.4% +|11\.0 MB +)*30,000 × \S+ +main\.gw\.M\S*\.metrics\[\*\]"),
    (WEB, 5, HOLDS, ["main.gw.Metrics.Requests"], r"prometheus\.CounterVec(.|\n)*\n retained +{size},"),
    (WEB, 6, "How many objects are large, and what do they take?", [], r"\n +121 +65,282,048\n"),
]

# Case, its file, the question in the manual, what is typed, and what the screen has. Texts are in the case's truth
# as they are on the screen; a pair is there in its first form, and on the screen as the second says (a pattern).
CASES = [
    ("c-shared-1.24", "core", FIRST, [], ["main.table", "300", "3.0 MB"]),
    ("cleanup-1.26", "core", FIRST, [], ["60 cleanups", "can never run", "1.6 MB"]),
    ("cleanup-1.26", "core", "Which finalizers and cleanups can never run?", [], ["60", "1.6 MB"]),
    ("coroutines-1.26", "dump", FIRST, [], ["200", "main.first", "1.8 MB"]),
    ("coroutines-1.26", "dump", LOST, [], [("200", r"── 200 goroutines that can never wake up")]),
    ("crash-reason-1.24", "core", CRASH, [],
     ["fatal error: concurrent map writes", "goroutine 5", "main.writer", "main.go:23", "SIGABRT"]),
    ("debug-file-1.24", "dump", FIRST, [], ["main.cache", "3.0 MB"]),
    ("generic-shape-1.26", "dump", TYPES, [], [("main.letter 80", r"\n ~main\.letter +80 "),
                                               ("main.job 200", r"\n main\.job +200 ")]),
    ("lock-static-1.26", "core", "What does each goroutine of a group wait on?", [], ["main.reg.mu", "250"]),
    ("lock-static-1.26", "core", "Is a lock locked, and how many wait for it?", ["main.reg.mu"],
     ["main.reg.mu", ("write-locked, 250 readers wait", r"is locked, 250 wait")]),
    ("map-collections-1.22", "dump", LARGE, [], ["9,000", ("db_queries_total 40", r"\.series .* 40 "),
                                                 ("http_in_flight 2", r"\.series .* 2 ")]),
    ("pass-cgo-handles-1.24", "dump", FIRST, [], ["cgo.handles", ("450", r"450 × "), "8.9 MB"]),
    ("pass-context-children-1.24", "dump", "Which contexts have children that nobody cancels?", [],
     [("main.server.sup.ctx, 3,000 children, 7.8 MB", r"\n main\.server\.sup\.ctx +3,000 +7\.8 MB")]),
    ("pass-http-1.24", "dump", MANY, [],
     [("60 idle persistConn.Read", r"\n +60 .*\(\*persistConn\)\.Read\n"),
      ("40 persistConn.readLoop in select", r"\n +40 .* select .*\(\*persistConn\)\.readLoop\n"),
      ("100 writeLoop", r"\n +100 .*\(\*persistConn\)\.writeLoop\n")]),
    ("pass-slack-1.26", "dump", "Which capacity is not used?", [],
     [("queue 49,988 x 64 B", r"\n main\.h\.queue +1 +12 +50,000 +3\.1 MB"),
      ("buffers 1,301,440 B", r"\n main\.h\.buffers.* 1\.2 MB\n"), ("bodies 149,120 B", r"\n main\.h\.bodies.* 145\.6 KB\n")]),
    ("pass-substrings-1.26", "dump", "Which arrays are kept alive for a small part of them?", [],
     ["main.index.objects", "44 B"]),
    ("pass-threads-1.26", "core", MANY, [], [("60 goroutines main.(*reader).wait", r"\n +60 .* main\.\(\*reader\)\.wait\n")]),
    ("pass-time-after-1.22", "dump", FIRST, [], ["20,001 timers", "4.0 MB"]),
    ("pass-time-after-1.22", "dump", "Which timers run, when do they fire, and what do they keep alive?", [],
     ["20,001", ("6 h", r"\n timer .* 6\.0 h ")]),
    ("pie-external-1.22", "dump", FIRST, [], ["main.cache", "300", "3.0 MB"]),
    ("pool-types-1.26", "core", OWNERS, [], ["main.logs.pool", "10.6 MB", "bytes.Buffer"]),
    ("race-1.22", "dump", FIRST, [], ["main.cache", "300", "3.0 MB"]),
    ("rss-cgo-1.26", "core", FIRST, [], [("48 MB", r"48\.0 MB .*main\.t\.arena"), ("24 MB", r"24\.0 MB .*main\.t\.file"),
                                         ("140 MB resident", r"of 140\.3 MB, malloc 63\.5 MB")]),
    ("rss-cgo-1.26", "core", "Which memory of the process is not Go's, and what points there?", [],
     ["main.t.arena", "main.t.file", "table.dat"]),
    ("runtime-words-goroutines-1.26", "dump", FIRST, [], [("60,000 goroutines that have ended", r"60,\d+ goroutines have ended")]),
    ("slice-window-1.22", "dump", LARGE, [], [("100 queued", r"\n main\.events\.queue .* 100 ")]),
    ("slice-window-1.22", "dump", "Where is a text?", ["find event-00050"],
     [("before the start of main.events.queue", r"main\.events\.queue\(before \[0\]\)")]),
    ("stale-wait-1.26", "core", FIRST, [], [("main.walk", r"\n +8\.0 MB +8\.0 MB +stack of one goroutine +main\.walk\n")]),
    ("stale-wait-1.26", "core", MANY, [], [("main.walk", r"\n +1 +8\.0 MB {20,}main\.walk\n")]),
    ("syncmap-1.22", "dump", LARGE, [], [("main.p.deleted: 1,800 entries, 6.1 MB", r"\n main\.p\.deleted +sync\.Map +1,800 .* 6\.1 MB\n")]),
    ("timers-owner-1.26", "dump", OWNERS, [], [("3,000 timers", r"7\.0 MB .*timers, most call context\.With(.|\n)*3,000 × time\.Timer")]),
    ("values-in-maps-1.26", "dump", HOLDS, ["main.db.byID[1234]"], ["user1234@example.com", ("Age:54", r"\n .* Age +int +54\n")]),
    ("values-in-maps-1.26", "dump", "How many values have that in a field?", ["values main.db.byID", ".Age = 42"],
     [("; 40", r"── 40 of 2,000 ─")]),
    ("version-boringcrypto-1.22", "core", FIRST, [], ["main.cache", "300", "3.0 MB"]),
    ("version-redhat-1.22", "core", FIRST, [], ["main.cache", "3.0 MB"]),
]
# What is opened with the dump, where that is not app.
EXES = {"c-shared-1.24": ["--exe", "libtable.so"], "debug-file-1.24": ["--exe", "app.all", "--debug-file", "app.debug"]}


@functools.lru_cache(maxsize=1)
def manual():
    """By question: pairs of keys and the example of what is typed behind them, or None; and how many keys it says
    that these are."""
    section = run("manual", expect=0).out.split(".Sh QUESTIONS\n")[1].split(".El\n")[0]
    items = ["\n".join(item.split("\n")) for item in section.split(".It ")[1:]]
    return {item.split("\n")[0]: (re.findall(r'^\.Ic "(.*)"(?:\n\.Li "(.*)")?$', item, re.M),
                                  int(re.findall(r"^\.Pq (\d)", item, re.M)[0])) for item in items}


def typed(line):
    return " Space ".join(line.split(" ")) + " Enter"


def keys(question, lines):
    """What is typed for a question of the manual: `lines` for its examples, where there are any."""
    steps, lines, words = manual()[question][0], list(lines), []
    for step, example in steps:
        words.append(step)
        if example:
            words.append(typed(lines.pop(0) if lines else example))
    assert not lines, f"{question}: {lines} are left"
    return " ".join(words)


def screen_of(question, lines, *files):
    """The screen of 80x24 after the keys of a question, from the first one on. Nothing is printed before it: a
    script that prints loses the message of the last line."""
    pressed = keys(question, lines)
    script = ["wait all", "overview"] + [f"keys {pressed}"] * (pressed != "")
    return run("-e", "\n".join(script), "--size", "80x24", *files, expect=0).out


@test
def every_question_has_its_keys():
    for name in (RAFT, WEB):
        _, known = real_files(name)
        equal([one[1] for one in QUESTIONS if one[0] == name], list(range(len(known["questions"]))), name)
    if not (CORPUS / "cases").exists():
        raise Skip(lacking(CORPUS / "cases"))
    equal({name for name, *_ in CASES}, {case.parent.name for case in (CORPUS / "cases").glob("*/truth.json")}, "cases")


@test(each=[f"{name} {number}" for name, number, *_ in QUESTIONS], builds=["gcc"])
def is_found_by_its_keys(case):
    (found,) = [one for one in QUESTIONS if f"{one[0]} {one[1]}" == case]
    name, number, question, lines, pattern = found
    path, known = real_files(name)
    answer = known["questions"][number]["answer"]
    if isinstance(answer, dict):
        size = answer.get("retained_bytes", answer.get("bytes"))
        assert number != 6 or name != WEB or (answer["blocks"], size) == (121, 65282048), answer
    pattern = pattern.replace("{answer}", f"{answer:,}" if isinstance(answer, int) else re.escape(str(answer)))
    pattern = pattern.replace("{size}", re.escape(human(size)) if isinstance(answer, dict) else "")
    screen = screen_of(question, lines, path, "--exe", exe_of(name))
    assert re.search(pattern, screen), f"{known['questions'][number]}\n{keys(question, lines)}\n{pattern}\n{screen}"


def case_file(name, file):
    return input_of(f"cases/{name}/{file}")


@test(each=[f"{i} {case[0]}" for i, case in enumerate(CASES)], builds=["gcc"])
def is_found_of_a_case(number):
    name, kind, question, lines, words = CASES[int(number.split(" ")[0])]
    exe = [word if word[0] == "-" else case_file(name, word) for word in EXES.get(name, ["--exe", "app"])]
    truth = truth_in(f"cases/{name}/truth.json")
    told = f"{truth['question']} {truth['expected']}"
    screen = screen_of(question, lines, case_file(name, f"app.{kind}"), *exe)
    for word in words:
        known, pattern = word if isinstance(word, tuple) else (word, re.escape(word).replace(r"\ ", r"\s+"))
        assert known in told, f"{known} is not in {told}"
        assert re.search(pattern, screen), f"{told}\n{keys(question, lines)}\n{pattern}\n{screen}"


@test(each=["go1.19", "go1.27"], builds=["gcc"])
def what_a_series_asks_is_found(version):
    """What grew is on the first screen, and by its key; how many goroutines are lost, by theirs."""
    dumps = [dump_of(f"{version}-drift-{number}") for number in (1, 2, 3)]
    files = dumps[2], "--exe", exe_of(f"{version}-drift-1"), "--since", dumps[0], "--since", dumps[1]
    told = truth_of(f"{version}-drift")["dumps"]
    leaked = sum(one["leaked"] for one in told[2]["goroutines"])
    for question, pattern in ((FIRST, r"\+ .* 400 > 800 > 1,200 +main\.sessions\n"),
                              ("What has grown since an earlier dump?", r"\n main\.sessions +1,200 +800 ")):
        screen = screen_of(question, [], *files)
        assert re.search(pattern, screen), screen
    assert f"── {leaked} goroutines that can never" in screen_of(LOST, [], *files), leaked


@test
def at_most_two_keys_lead_to_an_answer():
    assert len(manual()) > 20, manual()
    for question, (steps, number) in manual().items():
        equal(sum(len(step.split()) for step, _ in steps), number, f"keys of {question}")
        assert number <= 2, question


@test(each=[ONE], builds=["gcc"])
def all_keys_of_the_manual_lead_somewhere(name):
    """Whatever its examples are called in this dump, which has no mappings."""
    here = {"main.cache.Nodes[0]": "main.gDeep.Items[1]", "objects type=main.User": "objects type=main.Session",
            ".Country": ".ID", "values main.cache": "values main.gCache", ".Country = SE": ".ID = session-0042",
            "main.cache.mu": "main.gCache"}
    for question, (steps, number) in manual().items():
        lines = [here.get(example, example) for _, example in steps if example]
        if "mappings" in lines:
            continue
        screen = screen_of(question, lines, dump_of(name), "--exe", exe_of(name))
        title = screen.split("\n")[2]
        assert number == 0 or "Overview" not in title, f"{question}\n{screen}"
