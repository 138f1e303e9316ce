// A heap snapshot as memlab reads it: counts, then the retained size and the dominator of each node whose id is given.
// memlab.cjs FILE ID...; NODE_PATH has @memlab/heap-analysis.
const { getFullHeapFromFile } = require("@memlab/heap-analysis");

(async () => {
  const [file, ...ids] = process.argv.slice(2);
  const heap = await getFullHeapFromFile(file);
  let nodes = 0, bytes = 0;
  heap.nodes.forEach((node) => {
    nodes += 1;
    bytes += node.self_size;
  });
  console.log(`nodes ${nodes} self ${bytes} edges ${heap.edges.length}`);
  for (const id of ids) {
    const node = heap.getNodeById(Number(id));
    console.log(node ? `node ${id} self ${node.self_size} retained ${node.retainedSize} dominator ${node.dominatorNode?.id}` : `no node ${id}`);
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
