"""By which function a goroutine is called: its program's own before what that calls, and for those of
the runtime what they do, not how they wait."""

from harness import DUMPS, answer, oracle, test, unpacked


@test(each=DUMPS)
def goroutines_are_called_by_what_they_do(name):
    stacks = {g.id: [frame.name for frame in g.frames] for g in oracle(name).dump.goroutines}
    for row in answer("list", "goroutines", unpacked(name)):
        names, function = stacks[row["id"]], row["function"]
        assert function in names or not names, (function, names)
        own = [frame for frame in names if frame.startswith("main.") and ".gowrap" not in frame]
        if own:
            assert function == own[0], (function, names)
        else:
            assert not function or not function.startswith(("runtime.gopark", "runtime.chan")), (function, names)
