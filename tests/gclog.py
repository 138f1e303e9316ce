"""Writes large GC logs of the .NET Compact Framework, always the same ones."""

import random

TYPES = ["System.String", "System.Byte[]", "App.Node", "App.Leaf", "System.Object[]"]


def mixed(count):
    """Objects in any order of their numbers, with two references each in the mean."""
    draw = random.Random(1)
    ids = list(range(0x10000, 0x10000 + 3 * count, 3))
    draw.shuffle(ids)
    for number in ids:
        to = "".join(f" {draw.choice(ids):x}" for _ in range(draw.choice((0, 0, 1, 2, 3, 6))))
        yield f"o {number:x} {draw.randrange(5) + 1:x} {draw.randrange(4, 200):x}{to}"
    for _ in range(1000):
        yield f"r {draw.choice(ids):x} {draw.randrange(6):x} {draw.choice((0, 0, 1, 2, 4)):x}"


def chain(count):
    for number in range(1, count + 1):
        yield f"o {number:x} 3 c" + (f" {number + 1:x}" if number < count else "")
    yield "r 1 4 0 3"


def star(leaves):
    yield "o 1 5 400 " + " ".join(f"{number + 2:x}" for number in range(leaves))
    for number in range(leaves):
        yield f"o {number + 2:x} 4 10"
    yield "r 1 4 0 3"


def write(path, records):
    with open(path, "w", encoding="ascii", newline="\r\n") as file:
        file.write("a 2 big.exe 1000\n")
        for number, name in enumerate(TYPES, 1):
            file.write(f"t {number:x} {name}\n")
        for record in records:
            file.write(record + "\n")
        file.write("c big.exe 1000\n")
