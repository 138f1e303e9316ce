"""A second reader of V8's heap snapshots: Python's json, and the rules of DevTools for what retains. Slow
and by the letter: a node is retained by another if it cannot be reached without that."""

import json
import re
from collections import Counter, namedtuple

Node = namedtuple("Node", "type name id size edges")
Edge = namedtuple("Edge", "type name to strength")  # to: index of a node
NAMED = {"closure": "Function", "code": "(compiled code)", "regexp": "RegExp"}
PAIR = re.compile(r" pair in WeakMap \(table @(\d+)\)\Z")


class Snapshot:
    def __init__(self, text):
        data = json.loads(text.removeprefix("\ufeff"))
        meta, strings = data["snapshot"]["meta"], data["strings"]
        rows = list(zip(*[iter(data["nodes"])] * len(meta["node_fields"])))
        links = iter(zip(*[iter(data["edges"])] * len(meta["edge_fields"])))
        self.nodes = []
        for row in rows:
            node = dict(zip(meta["node_fields"], row))
            edges = [dict(zip(meta["edge_fields"], next(links))) for _ in range(node["edge_count"])]
            assert min(row) >= 0, "V8 writes no negative numbers here"
            types = meta["node_types"][meta["node_fields"].index("type")]
            self.nodes.append(Node(types[node["type"]], strings[node["name"]], node["id"],
                                   node["self_size"], edges))
        for index, node in enumerate(self.nodes):
            node.edges[:] = [self._edge(index, edge, meta, strings, len(meta["node_fields"]))
                             for edge in node.edges]
        self.groups = {0} | {i for i, node in enumerate(self.nodes)
                             if node.type == "synthetic" and not node.size}
        self.objects = {i: node for i, node in enumerate(self.nodes) if i not in self.groups}
        # Exports put the objects that no root reaches below a group of this name; V8 has none such.
        self.roots = [(group, edge) for group in sorted(self._groups_below_the_root())
                      if self.nodes[group].name != "(not reachable)"
                      for edge in self.nodes[group].edges if edge.to not in self.groups]
        self.references = {i: [edge for edge in node.edges if edge.to not in self.groups]
                           for i, node in self.objects.items()}
        self.page = self._flood([edge.to for edge in self._of_page()])
        self.reachable = self.reach()

    def _edge(self, source, edge, meta, strings, width):
        kind = meta["edge_types"][meta["edge_fields"].index("type")][edge["type"]]
        name = edge["name_or_index"]
        assert 0 <= edge["to_node"] < width * len(self.nodes) and edge["type"] >= 0
        assert name >= 0 or kind in ("element", "hidden")
        name = name % (1 << 32) if kind in ("element", "hidden") else strings[name]
        table = PAIR.search(name) if kind == "internal" else None
        strength = "weak" if kind == "weak" or (kind == "shortcut" and source) else "strong"
        if table and int(table[1]) == self.nodes[source].id:
            strength = "ephemeron"
        assert edge["to_node"] % width == 0
        return Edge(kind, name, edge["to_node"] // width, strength)

    def _groups_below_the_root(self):
        found, queue = {0}, [0]
        for group in queue:
            for edge in self.nodes[group].edges:
                if edge.to in self.groups and edge.to not in found and edge.strength == "strong":
                    found.add(edge.to)
                    queue.append(edge.to)
        return found

    def _of_page(self):
        """User roots: what these reach the page owns, and then no reference of anything else to it counts."""
        return [edge for group, edge in self.roots if edge.strength == "strong"
                and ((group == 0 and edge.type == "shortcut") or self.nodes[group].name == "(Document DOM trees)")]

    def _flood(self, queue, without=frozenset(), closed=frozenset()):
        queue = list(set(queue) - without - closed)
        found = set(queue)
        for index in queue:
            for edge in self.references[index]:
                if edge.strength == "strong" and edge.to not in found and edge.to not in without and edge.to not in closed:
                    found.add(edge.to)
                    queue.append(edge.to)
        return found

    def reach(self, without=frozenset()):
        page = self._flood([edge.to for edge in self._of_page()], without)
        return page | self._flood([edge.to for _, edge in self.roots if edge.strength == "strong"], without, self.page)

    def reach_all(self):
        """What weak roots and references lead to, too."""
        queue = list({edge.to for _, edge in self.roots})
        found = set(queue)
        for index in queue:
            fresh = {edge.to for edge in self.references[index]} - found
            found |= fresh
            queue += fresh
        return found

    def retained(self, *indices):
        return self.bytes(self.reachable - self.reach(without=set(indices)))

    def bytes(self, indices):
        return sum(self.nodes[index].size for index in indices)

    def type_of(self, index):
        node = self.nodes[index]
        named = node.type in ("object", "native") and node.name
        return node.name if named else NAMED.get(node.type, f"({node.type})")

    def types(self):
        counts, sizes = Counter(), Counter()
        for index in self.objects:
            counts[self.type_of(index)] += 1
            sizes[self.type_of(index)] += self.nodes[index].size
        return {name: (counts[name], sizes[name]) for name in counts}
