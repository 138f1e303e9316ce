"""Writes heap snapshots as V8 does. `python3 tests/oracle/v8_writer.py` writes testdata/v8 anew."""

import json
import pathlib

NODE_TYPES = """hidden array string object code closure regexp number native synthetic concatenated_string
    sliced_string symbol bigint object_shape""".replace("\n", " ").split()
EDGE_TYPES = "context element property internal hidden shortcut weak".split()
INDEXED = ("element", "hidden")


class Writer:
    """Nodes are numbered from 0, the root; ids are odd, as V8's. Names are texts."""

    def __init__(self):
        self.nodes, self.edges, self.strings = [], [], ["<dummy>"]
        self.root = self.node("synthetic", "")
        self.gc = self.node("synthetic", "(GC roots)")
        self.edge(self.root, "element", 1, self.gc)

    def node(self, kind, name, size=0):
        self.nodes.append([kind, name, 2 * len(self.nodes) + 1, size])
        return len(self.nodes) - 1

    def edge(self, source, kind, name, to):
        self.edges.append((source, kind, name, to))

    def group(self, name):
        group = self.node("synthetic", name)
        self.edge(self.gc, "element", group, group)
        return group

    def pair(self, table, key, value):
        """An entry of a WeakMap, told from both sides."""
        ids = [self.nodes[index][2] for index in (key, value, table)]
        name = "{} / part of key (K @%d) -> value (V @%d) pair in WeakMap (table @%d)" % tuple(ids)
        self.edge(table, "internal", name.format(1), value)
        self.edge(key, "internal", name.format(2), value)

    def number(self, text):
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def data(self):
        """The sections, which a test may change before it writes them."""
        fields = ["type", "name", "id", "self_size", "edge_count", "detachedness"]
        meta = {
            "node_fields": fields,
            "node_types": [[name.replace("_", " ") for name in NODE_TYPES], "string"] + ["number"] * 4,
            "edge_fields": ["type", "name_or_index", "to_node"],
            "edge_types": [EDGE_TYPES, "string_or_number", "node"],
        }
        nodes, edges = [], []
        for index, (kind, name, number, size) in enumerate(self.nodes):
            own = [edge for edge in self.edges if edge[0] == index]
            nodes += [NODE_TYPES.index(kind), self.number(name), number, size, len(own), 0]
            for _, sort, label, to in own:
                label = label if sort in INDEXED else self.number(label)
                edges += [EDGE_TYPES.index(sort), label, to * len(fields)]
        return {
            "snapshot": {"meta": meta, "node_count": len(self.nodes), "edge_count": len(self.edges),
                         "trace_function_count": 0},
            "nodes": nodes, "edges": edges, "trace_function_infos": [], "trace_tree": [],
            "samples": [], "locations": [], "strings": self.strings,
        }

    def text(self):
        return json.dumps(self.data(), separators=(",", ":"))


def registry(sessions=20):
    """A Map in a variable of a module that only grows, and what is held in no strong way."""
    w = Writer()
    handles, stack = w.group("(Global handles)"), w.group("(Stack roots)")
    handler, context = w.node("closure", "onRequest", 64), w.node("object", "system / Context", 40)
    entries, table = w.node("object", "Map", 32), w.node("array", "", 16 + 8 * 3 * sessions)
    w.edge(handles, "internal", "19", handler)
    w.edge(handler, "internal", "context", context)
    w.edge(context, "context", "registry", entries)
    w.edge(entries, "internal", "table", table)
    for i in range(sessions):
        session, payload = w.node("object", "Session", 48), w.node("object", "Payload", 1000 + i)
        name = w.node("string", f"session-{i} \u001b[31m\n\"é\"", 24)
        w.edge(table, "internal", str(10 + 3 * i), session)
        w.edge(session, "property", "payload", payload)
        w.edge(session, "property", "user name", name)
        w.edge(payload, "element", i, name)
    request, node = w.node("object", "Request", 80), w.node("object", "Node", 24)
    w.edge(stack, "element", 0, request)
    w.edge(request, "property", "first", node)
    for _ in range(5):
        after = w.node("object", "Node", 24)
        w.edge(node, "property", "next", after)
        w.edge(after, "shortcut", "start", request)
        node = after
    ref, cached = w.node("object", "WeakRef", 24), w.node("object", "Cached", 5000)
    w.edge(request, "property", "cache", ref)
    w.edge(ref, "weak", "target", cached)
    w.edge(cached, "property", "data", w.node("native", "system / JSArrayBufferData", 5 << 32))
    weakmap, key, value = (w.node("object", name, 100) for name in ("WeakMap", "Key", "Value"))
    w.edge(request, "property", "notes", weakmap)
    w.edge(request, "property", "key", key)
    w.pair(weakmap, key, value)
    w.edge(handles, "weak", "7", w.node("object", "Handled", 16))
    w.node("object", "Garbage", 12)
    return w


if __name__ == "__main__":
    folder = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "v8"
    folder.mkdir(exist_ok=True)
    (folder / "registry.heapsnapshot").write_text(registry().text() + "\n")
