#!/bin/sh
# memlab.sh FOLDER: installs memlab, of npm, in FOLDER, which keeps it, and prints the path of a program that opens a
# heap snapshot with it.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
oracle=$(cd "$(dirname "$0")/../tests/oracle" && pwd)/memlab.cjs
if [ ! -d "$folder/node_modules/@memlab/heap-analysis" ]; then
	# Its browser is for another part of memlab.
	PUPPETEER_SKIP_DOWNLOAD=1 npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund \
		--silent '@memlab/core@^2.0.5' '@memlab/heap-analysis@^2.0.5' >&2 </dev/null
fi
program=$folder/open
printf '#!/bin/sh\nNODE_PATH="%s/node_modules" exec node "%s" "$@"\n' "$folder" "$oracle" >"$program"
chmod +x "$program"
echo "$program"
