"""A reader of .heapsnapshot, as DevTools reads it, and what its nodes retain."""

import json
from collections import namedtuple

Node = namedtuple("Node", "type name id size edges")  # edges: [Edge]
Edge = namedtuple("Edge", "type name to")


class Snapshot:
    def __init__(self, text):
        data = json.loads(text)
        assert list(data) == ["snapshot", "nodes", "edges", "strings"], list(data)
        assert text.rindex("]") > text.index('"strings"'), "texts are last"
        meta, strings = data["snapshot"]["meta"], data["strings"]
        width = len(meta["node_fields"])
        assert meta["node_types"][0].index("synthetic") == 9 and len(meta["edge_fields"]) == 3
        equal_counts = data["snapshot"]["node_count"], data["snapshot"]["edge_count"]
        assert equal_counts == (len(data["nodes"]) / width, len(data["edges"]) / 3), equal_counts
        assert all(0 <= number < 1 << 32 for part in ("nodes", "edges") for number in data[part])
        self.nodes, at = [], 0
        for start in range(0, len(data["nodes"]), width):
            kind, name, number, size, count = data["nodes"][start : start + 5]
            edges = []
            for edge in range(at, at + 3 * count, 3):
                sort, label, to = data["edges"][edge : edge + 3]
                sort = meta["edge_types"][0][sort]
                assert to % width == 0
                label = label if sort in ("element", "hidden") else strings[label]
                edges.append(Edge(sort, label, to // width))
            at += 3 * count
            self.nodes.append(Node(meta["node_types"][0][kind], strings[name], number, size, edges))
        assert at == len(data["edges"]), "edges are left"
        assert len({node.id for node in self.nodes}) == len(self.nodes), "ids"
        self.retained = self._retained()

    def _order(self):
        """Nodes that strong edges lead to, from the last finished to the first."""
        seen, order, stack = {0}, [], [(0, iter(self.nodes[0].edges))]
        while stack:
            node, edges = stack[-1]
            for edge in edges:
                if edge.type != "weak" and edge.to not in seen:
                    seen.add(edge.to)
                    stack.append((edge.to, iter(self.nodes[edge.to].edges)))
                    break
            else:
                order.append(node)
                stack.pop()
        return order[::-1]

    def _retained(self):
        """By dominators, as Cooper, Harvey and Kennedy find them."""
        order = self._order()
        place = {node: i for i, node in enumerate(order)}
        before = {node: [] for node in order}
        for node in order:
            for edge in self.nodes[node].edges:
                if edge.type != "weak":
                    before[edge.to].append(node)
        dominator, changed = {0: 0}, True
        while changed:
            changed = False
            for node in order[1:]:
                new = None
                for other in before[node]:
                    if other in dominator:
                        new = other if new is None else common(dominator, place, other, new)
                changed |= dominator.get(node) != new
                dominator[node] = new
        retained = {node: self.nodes[node].size for node in order}
        for node in reversed(order[1:]):
            retained[dominator[node]] += retained[node]
        return retained


def common(dominator, place, a, b):
    while a != b:
        while place[a] > place[b]:
            a = dominator[a]
        while place[b] > place[a]:
            b = dominator[b]
    return a
