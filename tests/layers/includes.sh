#!/bin/sh
# Checks that no file includes a header of a layer to its right. Arguments: the layers in order.
# A layer's files are src/LAYER and include/LAYER, and those of each runtime below runtimes/RUNTIME/LAYER.
set -u
layers=$*
failed=0
while [ $# -gt 0 ]; do
	layer=$1
	shift
	for right in "$@"; do
		grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"](runtimes/[a-z0-9]+/)?$right/" \
			"src/$layer" "include/$layer" src/runtimes/*/"$layer" include/runtimes/*/"$layer" 2>/dev/null || continue
		echo "$layer must not include $right/: the layers are $layers" >&2
		failed=1
	done
done
exit $failed
