"""The worker that analyses and the thread that draws, watched by ThreadSanitizer."""

import harness
import writer
from harness import Skip, test
from terminal import Terminal


@test(builds=["thread"])
def the_explorer_is_used_while_it_analyses():
    if "FATAL" in harness.run("--version").err:
        raise Skip("ThreadSanitizer cannot run on this kernel")
    with Terminal(TSAN_OPTIONS="exitcode=99:log_path=races") as terminal:
        dump = terminal.home / "chain.dump"
        dump.write_bytes(writer.deep_chain(200_000))
        terminal.command(f"cd {terminal.home}; export XDG_CACHE_HOME=$PWD")
        terminal.start(str(dump), "--index", "kept.index")
        for line, state in (
            ("accounts", "HEAP"), ("set parts on", "each part"), ("set retain strong", "owned"),
            ("objects", "reachable"), ("set parts off", "one thing"), ("set retain all", "would be freed"), ("filter size > 1", "where size > 1"),
            ("find 0xc0", "found 0xc0"), ("types", "types of objects"), ("goroutines", "goroutine"),
            (f"path {writer.HEAP + 16:#x}", "alive"), ("sizes", "slot"), ("accounts", "unreachable"),
        ):
            terminal.type("jk")
            terminal.command(":" + line)
            terminal.wait(state)
        terminal.send("Q")
        terminal.wait_for(lambda: not terminal.process(), "end of the process")
        races = "".join(path.read_text() for path in terminal.home.glob("races*"))
        assert not races, races


@test(builds=["thread"])
def it_is_left_while_it_analyses():
    if "FATAL" in harness.run("--version").err:
        raise Skip("ThreadSanitizer cannot run on this kernel")
    with Terminal(TSAN_OPTIONS="exitcode=99:log_path=races") as terminal:
        settings = terminal.settings()
        dump = terminal.home / "chain.dump"
        dump.write_bytes(writer.deep_chain(200_000))
        terminal.command(f"cd {terminal.home}")
        terminal.start(str(dump))
        terminal.wait("Overview")
        terminal.send("Q")
        terminal.check_restored(settings)
        races = "".join(path.read_text() for path in terminal.home.glob("races*"))
        assert not races, races
