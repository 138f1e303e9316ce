"""What was asked of the larger dumps (../shared/corpus/real), with the keys by which each answer is found: at
most two keys away from the overview, or a command line or two where the question names a thing. The screens
are those of 80x24; without the dumps these tests are skipped."""

import re

from executables import exe_of
from harness import equal, real_files, run, test

RAFT, WEB = "raftkv-go1.19", "webmetrics-go1.23"

# Dump, number of the question in its truth file, what is done on the overview, and what the screen then has:
# {answer} is the truth's, with commas; {size} are its retained bytes as people read them.
QUESTIONS = [
    (RAFT, 0, ["keys 2"], r"\n +{answer} .* chan receive .* main\.watchLoop\n"),
    (RAFT, 1, ["keys 5"], r"\n main\.Watcher +{answer} "),
    (RAFT, 2, ["objects type=github.com/hashicorp/raft.Raft", "column .localID", "column .raftState.state"],
     r"\n 0x\w+ +\S+ +{answer} +2\n"),  # raft.Leader
    (RAFT, 3, ["goto main.cluster.Nodes[0].FSM.Watchers[7].C"],
     r"── object {answer} ─(.|\n)*receiver +goroutine \d+ main\.watchLoop"),
    (RAFT, 4, ["collections"], r"(\n main\.cluster\S+\.FSM\.Data +map\[string\]\[\]byte +{answer} [^\n]*){3}"),
    (RAFT, 5, ["goto main.cluster.Nodes[0].FSM.Watchers"], r"map\[int\]\*main\.Watcher(.|\n)*\n retained +{size},"),
    (RAFT, 6, ["goto main.cluster.Nodes[0].FSM.Data"], r"map\[string\]\[\]byte(.|\n)*\n retained +{size},"),
    (RAFT, 7, ["goto main.cluster.Nodes[0].Cache"], r"raft\.LogCache(.|\n)*\n retained +{size},"),
    (WEB, 0, ["keys 5"], r"\n \S*prometheus\.counter +{answer} "),
    (WEB, 1, ["keys 2"], r"\n +{answer} .* http\.\(\*persistConn\)\.writeLoop\n"),
    (WEB, 2, ["keys 2"], r"\n +{answer} .* IO wait .* main\.\(\*Gateway\)\.report\n"),
    (WEB, 3, ["keys 5"], r" retained\n \[\]byte "),
    (WEB, 4, [], r"\n +13\.2 MB +17\.3% +main\.gw\.Metrics\.Request\S*metricMap\.metrics"),
    (WEB, 5, ["goto main.gw.Metrics.Requests"], r"prometheus\.CounterVec(.|\n)*\n retained +{size},"),
    (WEB, 6, ["objects", "filter size >= 256k", "group sum(size)"], r"\n +121 +62\.3 MB"),
]


def human(size):
    for unit, bytes_of in (("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_of:
            return f"{size / bytes_of:.1f} {unit}"
    return f"{size} B"


@test
def every_question_has_its_keys():
    for name in (RAFT, WEB):
        _, known = real_files(name)
        equal([number for dump, number, _, _ in QUESTIONS if dump == name], list(range(len(known["questions"]))), name)


@test(each=[f"{name} {number}" for name, number, _, _ in QUESTIONS], builds=["gcc"])
def is_found_by_its_keys(case):
    (keys, pattern), = [(keys, pattern) for name, number, keys, pattern in QUESTIONS if f"{name} {number}" == case]
    name, number = case.split()
    path, known = real_files(name)
    answer = known["questions"][int(number)]["answer"]
    if isinstance(answer, dict):
        size = answer.get("retained_bytes", answer.get("bytes"))
        assert number != "6" or name != WEB or (answer["blocks"], human(size)) == (121, "62.3 MB"), answer
    pattern = pattern.replace("{answer}", f"{answer:,}" if isinstance(answer, int) else re.escape(str(answer)))
    pattern = pattern.replace("{size}", re.escape(human(size)) if isinstance(answer, dict) else "")
    screen = run("-e", "\n".join(["wait all", "overview", *keys, "screen"]), path, "--exe", exe_of(name), expect=0).out
    assert re.search(pattern, screen), f"{known['questions'][int(number)]}\n{pattern}\n{screen}"
