#!/bin/sh
# Installs those of the given Debian packages that are missing, and says so. Quiet when there are none.
set -eu

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	# Not Debian. The packages' names differ, and what is installed cannot be asked in one way.
	stamp=build/.not-debian
	if [ ! -e "$stamp" ]; then
		mkdir -p build && : >"$stamp"
		echo "This is no Debian system: goheapx needs what these Debian packages hold." >&2
		echo "	$*" >&2
		echo "Install them, then run make again: it asks only once." >&2
		exit 1
	fi
	exit 0
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
missing=
for package in "$@"; do
	case "
$installed
" in
	*"
installed $package
"*) ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

echo "Missing Debian packages:$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "Install them as root: apt-get install$missing" >&2
		exit 1
	fi
	as_root=sudo
fi
echo "Installing them with ${as_root:+$as_root }apt-get."
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}
apt update || echo "apt-get update failed; trying with the package lists that are here." >&2
# shellcheck disable=SC2086  # a list of words
apt install -y --no-install-recommends $missing
