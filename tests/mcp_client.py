#!/usr/bin/env python3
"""A client of goheapx mcp. As a program it stands for goheapx: a command line that a tool can answer is asked as a call
of that tool, so that whatever runs goheapx can ask through an agent's door."""

import json
import os
import subprocess
import sys

OPTIONS = {"--where": "where", "--group": "group", "--columns": "columns", "--sort": "sort", "--limit": "limit", "--depth": "depth"}
OPERAND = {"path": "address", "show": "address", "why": "address", "find": "text", "sql": "query"}


class Client:
    """A server that runs, and what it has answered: `calls` and the `longest` message."""

    def __init__(self, program, *options, **more):
        self.process = subprocess.Popen([program, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more)
        self.calls = self.longest = self.bytes = 0
        self.greeting = self.ask("initialize", protocolVersion="2025-06-18", capabilities={},
                                 clientInfo={"name": "tests", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def send(self, message):
        self.raw(json.dumps(message).encode() + b"\n")

    def raw(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        self.longest = max(self.longest, len(line))
        self.bytes += len(line)
        return json.loads(line)

    def ask(self, method, /, **params):
        self.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == 1, answer
        return answer["result"]

    def call(self, name, /, **arguments):
        """(text, notes, whether it is an error) of a call."""
        self.calls += 1
        result = self.ask("tools/call", name=name, arguments=arguments)
        texts = [content["text"] for content in result["content"]]
        return ([""] + texts if result["isError"] else texts + [""])[:2] + [result["isError"]]


def asked(words):
    """(operands, arguments of options), or None where no tool takes an option."""
    operands, arguments, words = [], {}, list(words)
    while words:
        word = words.pop(0)
        if word in OPTIONS or word == "--exe":
            arguments[OPTIONS.get(word, "exe")] = words.pop(0)
        elif word == "--since":
            arguments.setdefault("since", []).append(words.pop(0))
        elif word.startswith("-") and word != "--json":
            return None
        else:
            operands += [word] if word != "--json" else []
    return operands, arguments


def main(program, words):
    known = asked(words)
    if not known or not known[0] or known[0][0] not in (*OPERAND, "list", "info", "diff", "what-if", "retained"):
        os.execv(program, [program, *words])
    (command, *operands), arguments = known
    table = [operands.pop(0)] if command == "list" else []
    opened = {"texts": True} | {key: arguments.pop(key) for key in ("exe", "since") if key in arguments}
    if command == "diff":
        opened["since"] = [operands.pop(0)]
    if len(operands) > 1 and os.path.isfile(operands[1]):
        opened["exe"] = operands.pop(1)
    most = {"max_bytes": 20_000}
    with Client(program) as client:
        text, notes, bad = client.call("open", dump=operands.pop(0), **opened, **most)
        if command == "list" and not bad:
            text, notes, bad = client.call("list", table=table[0], **({"argument": " ".join(operands)} if operands else {}),
                                           **arguments, **most)
        elif command == "what-if" and not bad:
            text, notes, bad = client.call("what_if", cuts=operands, **arguments, **most)
        elif command != "info" and not bad:
            text, notes, bad = client.call(command, **({OPERAND[command]: operands[0]} if operands else {}), **arguments, **most)
    sys.stdout.write(text)
    sys.stderr.write(notes)
    return 2 if bad else 0


if __name__ == "__main__":
    sys.exit(main(os.environ["BY_AGENT"], sys.argv[1:]))
