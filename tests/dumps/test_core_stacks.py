"""Stacks that cannot be read by the tables of the program: no pointer of them is lost."""

import random
import re
import struct
import tempfile

from cores import STRIPPED, changed, core_and_exe
from harness import answer, equal, test
from program import Program

NAME = "go1.19-park-plain-quiet"
REST = "[rest of the stack]"
# Of Go 1.19: fields of the goroutine and of its thread, and where its registers are in a core file.
STACK, M, SP, PC, STATUS = 0, 48, 56, 64, 144
PROCID, VDSO_SP, VDSO_PC = 72, 800, 808
RIP, RSP = 16 * 8, 19 * 8
RUNNING = 2
NOWHERE = 0x7FFF00001000  # where the kernel puts its code, which is not in the core file


class Running:
    """A goroutine that waits in main.deep, made to run on a thread of the core file."""

    def __init__(self, core, path):
        self.exe = core_and_exe(NAME)[1]
        self.core, self.path = core, path
        row = next(r for r in self.ask("goroutines") if r["function"] == "main.deep" and r["frames"] > 9)
        self.id, self.address = str(row["id"]), int(row["address"], 16)
        self.m, self.thread = next((int(r["address"], 16), core.thread(r["os_id"])) for r in self.ask("threads") if r["id"] == 3)
        self.frames, self.objects = self.told()
        self.sp, self.pc = core.word(self.address + SP), core.word(self.address + PC)
        core.put(self.address + STATUS, RUNNING, "<I")
        core.put(self.address + M, self.m)

    def ask(self, table, *words):
        return answer("list", table, self.path, *words, "--exe", self.exe)

    def told(self):
        """Its frames, and which objects these hold."""
        frames = self.ask("frames", self.id)
        objects = {r["object"] for r in self.ask("roots", "frame") if r["name"].startswith(f"goroutine {self.id} ")}
        return [(f["function"], f["sp"], f["size"]) for f in frames], objects

    def on(self, sp, pc):
        """Its thread is there."""
        for register, value in ((RSP, sp), (RIP, pc)):
            self.core.write(self.thread + register, struct.pack("<Q", value))

    def warnings(self):
        return [r["text"] for r in self.ask("warnings")]


def ends_with_the_rest(one, start):
    frames, objects = one.told()
    high = one.core.word(one.address + STACK + 8)
    equal(frames, [(REST, f"{start:#x}", high - start)], "frames")
    assert one.objects and one.objects <= objects, (one.objects, objects)
    told = [text for text in one.warnings() if "1 stack cannot be followed" in text]
    equal(len(told), 1, one.warnings())
    equal(answer("info", one.path, "--exe", one.exe)["whole"], True, "nothing is lost")


@test
def code_that_is_not_go_on_a_stack_loses_no_pointer():
    with changed("code", NAME) as (core, path):
        one = Running(core, path)
        one.on(one.sp, NOWHERE)
        ends_with_the_rest(one, one.sp)


@test
def a_stack_of_which_nothing_is_known_loses_no_pointer():
    with changed("nothing", NAME) as (core, path):
        one = Running(core, path)
        one.on(NOWHERE, NOWHERE)
        core.put(one.address + SP, 0)
        ends_with_the_rest(one, core.word(one.address + STACK))


@test
def a_call_of_the_kernel_s_code_is_walked_from_where_it_was_made():
    with changed("vdso", NAME) as (core, path):
        one = Running(core, path)
        one.on(NOWHERE, NOWHERE)
        core.put(one.address + SP, 0)
        core.put(one.m + VDSO_SP, one.sp)
        core.put(one.m + VDSO_PC, one.pc)
        equal(one.told(), (one.frames, one.objects), "frames and what they hold")
        equal(one.warnings(), [], "warnings")


@test
def a_walk_that_breaks_off_tells_the_rest():
    """The return address of the fifth frame leads nowhere."""
    with changed("broken", NAME) as (core, path):
        one = Running(core, path)
        one.on(NOWHERE, NOWHERE)
        _, sp, size = one.frames[4]
        end = int(sp, 16) + size
        core.put(end - 8, NOWHERE)
        frames, objects = one.told()
        equal(frames, one.frames[:5] + [(REST, f"{end:#x}", core.word(one.address + STACK + 8) - end)], "frames")
        assert one.objects <= objects, (one.objects, objects)
        assert any("1 stack cannot be followed" in text for text in one.warnings()), one.warnings()


RETURNS = re.compile(rb"(?:\x48\x83\xc4.|\x48\x81\xc4.{4})\xc3", re.DOTALL)  # ADDQ $size, SP; RET


@test
def a_thread_that_stands_at_a_return_is_walked_from_there():
    """The instruction before it has given up the frame."""
    with changed("returns", NAME) as (core, path):
        one = Running(core, path)
        rows = one.ask("frames", one.id)
        program = Program(one.exe, "go1.19")
        for depth, row in enumerate(rows):
            entry = int(row["entry_pc"], 16)
            end = min((other for other in program.entries if other > entry), default=entry)
            start = program.offset(entry)
            found = RETURNS.search(program.raw, start, start + end - entry)
            if found:
                break
        top = int(row["sp"], 16) + row["size"] - 8
        one.on(top, entry + found.end() - 1 - start)
        equal(one.told()[0], [(row["function"], f"{top:#x}", 8)] + one.frames[depth + 1 :], "frames")
        equal(one.warnings(), [], "warnings")


# ---- Executables whose tables are not where they seem to be, or cannot be

PLACE, ROOM = 0x70000000, 1 << 20  # of a table that is added to an executable
TYPES_END, BASE = 38, 40  # words of Go 1.26's module record: the end of the types, and what funcdata counts from


class Changed:
    """A stripped executable that a test changes."""

    def __init__(self):
        self.core, exe = core_and_exe(STRIPPED)
        self.file = tempfile.NamedTemporaryFile(suffix=".exe")
        self.program = Program(exe, "go1.26")
        self.raw = bytearray(self.program.raw)

    def put(self, address, form, value):
        struct.pack_into("<" + form, self.raw, self.program.offset(address), value)

    def add_table(self, content):
        """Loads it at PLACE, by a program header that only says whether the stack is executable."""
        start, count = struct.unpack_from("<Q", self.raw, 32)[0], struct.unpack_from("<H", self.raw, 56)[0]
        at = next(h for h in range(start, start + 56 * count, 56) if struct.unpack_from("<I", self.raw, h)[0] == 0x6474E551)
        end = -len(self.raw) % 4096 + len(self.raw)
        struct.pack_into("<IIQQQQQQ", self.raw, at, 1, 4, end, PLACE, PLACE, len(content), len(content), 4096)
        self.raw += bytes(end - len(self.raw)) + content

    def say_word(self, word, value):
        self.put(self.program.record + word * 8, "Q", value)

    def ask(self, table, *words):
        self.file.seek(0)
        self.file.write(self.raw)
        self.file.flush()
        return answer("list", table, self.core, *words, "--exe", self.file.name)

    def roots(self):
        return {(row["address"], row["object"]) for row in self.ask("roots", "frame")}


def noise(size):
    return random.Random("noise").randbytes(size)


@test(each=["zeros", "noise"])
def what_lies_behind_the_types_is_not_taken_for_stack_maps(kind):
    """The C linker may put a table of C code there, which is all zeros."""
    intact, other = Changed(), Changed()
    other.add_table(bytes(ROOM) if kind == "zeros" else noise(ROOM))
    other.say_word(TYPES_END, PLACE)
    equal(other.roots(), intact.roots(), "roots")
    equal(other.ask("warnings"), [], "warnings")


@test(each=["zeros", "noise"])
def where_no_stack_maps_are_found_no_pointer_is_lost(kind):
    intact, other = Changed(), Changed()
    other.add_table(bytes(ROOM) if kind == "zeros" else noise(ROOM))
    other.say_word(BASE, PLACE)
    missing = intact.roots() - other.roots()
    equal(missing, set(), "roots that are missing")
    told = other.ask("warnings")
    equal(["cannot be used" in row["text"] for row in told], [True], told)


@test(each=[1 << 60, 1 << 30, 3000])
def variables_of_one_function_that_cannot_be_cost_no_other_frame(count):
    """Its frames come first, and all of their words count."""
    intact, other = Changed(), Changed()
    goroutines = [(row["id"], row["frames"]) for row in intact.ask("goroutines")]
    entries = {intact.program.names[entry]: entry for entry in intact.program.entries}
    functions = (row["function"] for number, _ in goroutines for row in intact.ask("frames", str(number)))
    function = next(name for name in functions if intact.program.variables(entries[name]))
    other.put(other.program.place_of_variables(entries[function]), "Q", count)
    equal([(row["id"], row["frames"]) for row in other.ask("goroutines")], goroutines, "frames")
    before, held = intact.roots(), {row["address"]: row for row in other.ask("roots", "frame")}
    after = {(address, row["object"]) for address, row in held.items()}
    equal(before - after, set(), "roots that are missing")
    more = {held[address]["name"] for address, _ in after - before}
    assert all(f" {function} " in name for name in more), more
    told = other.ask("warnings")
    equal(["cannot be used" in row["text"] for row in told], [True], told)
