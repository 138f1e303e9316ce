"""A reader of profile.proto, by its definition only."""

import gzip
from collections import Counter, namedtuple

Sample = namedtuple("Sample", "stack values labels")  # the leaf first; texts only
Line = namedtuple("Line", "function file line")


class Profile:
    def __init__(self, data):
        fields = list(messages(gzip.decompress(data)))
        self.strings = [value.decode("utf-8") for number, value in fields if number == 6]
        assert self.strings[0] == "", self.strings[0]
        self.types = [self._pair(value) for number, value in fields if number == 1]
        self.shown = next(self.strings[value] for number, value in fields if number == 14)
        self.time = next((value for number, value in fields if number == 9), 0)
        functions, self.locations = {}, {}
        for number, value in fields:
            if number == 5:
                part = dict(messages(value))
                functions[part[1]] = [self.strings[part.get(i, 0)] for i in (2, 4)]
                assert 3 not in part, "pprof would take a system name apart"
        for number, value in fields:
            if number == 4:
                part = dict(messages(value))
                line = dict(messages(part[4]))
                self.locations[part[1]] = Line(*functions[line[1]], line.get(2, 0))
        assert 0 not in self.locations and 0 not in functions
        self.samples = [self._sample(value) for number, value in fields if number == 2]

    def _pair(self, value):
        part = dict(messages(value))
        return self.strings[part[1]], self.strings[part[2]]

    def _sample(self, value):
        part = dict(messages(value))
        values = list(varints(part[2]))
        labels = [dict(messages(value)) for number, value in messages(value) if number == 3]
        assert len(values) == len(self.types), values
        return Sample([self.locations[i] for i in varints(part[1])], values,
                      {self.strings[label[1]]: self.strings[label[2]] for label in labels})

    def by_label(self, key, name):
        """Sums of a type of values by a label; "" where there is none."""
        at, sums = [kind for kind, _ in self.types].index(name), Counter()
        for sample in self.samples:
            sums[sample.labels.get(key, "")] += sample.values[at]
        return sums

    def total(self, name):
        at = [kind for kind, _ in self.types].index(name)
        return sum(sample.values[at] for sample in self.samples)


def varints(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0
    assert not shift, "cut"


def messages(data):
    """The fields of a message: (number, value), a number or bytes."""
    at = 0

    def varint():
        nonlocal at
        end = at
        while data[end] >= 0x80:
            end += 1
        start, at = at, end + 1
        return next(varints(data[start:at]))

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            assert key & 7 == 2, f"wire type {key & 7}"
            length = varint()
            assert at + length <= len(data), "cut"
            yield key >> 3, data[at : at + length]
            at += length
