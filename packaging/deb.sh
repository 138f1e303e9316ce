#!/bin/sh
# deb.sh PROGRAM VERSION FOLDER: a Debian package of a program that has been built. DEBFULLNAME and
# DEBEMAIL say who has packaged it.
set -eu
program=$1 version=$2-1 folder=$3
for tool in dpkg-deb dpkg-shlibdeps strip; do
	command -v $tool >/dev/null || { echo "deb: $tool is missing; apt install dpkg-dev binutils" >&2; exit 2; }
done
who="${DEBFULLNAME:-goheapx} <${DEBEMAIL:-goheapx@example.org}>"
arch=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y "$program")}
export SOURCE_DATE_EPOCH
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
umask 022
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tree=$root/goheapx
doc=$tree/usr/share/doc/goheapx
share=$tree/usr/share
mkdir -p "$share/goheapx" "$tree/usr/bin" "$share/man/man1" "$share/man/man7" "$share/bash-completion/completions" \
	"$share/fish/vendor_completions.d" "$share/zsh/vendor-completions" "$doc" "$tree/DEBIAN" "$root/debian"
strip --remove-section=.comment --remove-section=.note -o "$tree/usr/bin/goheapx" "$program"
chmod 755 "$tree/usr/bin/goheapx"
gzip -n -9 <man/goheapx.1 >"$share/man/man1/goheapx.1.gz"
awk -f packaging/tutorial.awk man/find-a-leak.md | gzip -n -9 >"$share/man/man7/goheapx-tutorial.7.gz"
cp -r testdata/drift "$share/goheapx/drift" # of the tutorial
chmod 644 "$share/goheapx/drift/"*
"$program" completion bash >"$share/bash-completion/completions/goheapx"
"$program" completion fish >"$share/fish/vendor_completions.d/goheapx.fish"
"$program" completion zsh >"$share/zsh/vendor-completions/_goheapx"
{
	echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
	echo 'Upstream-Name: goheapx'
	echo
	echo 'Files: *'
	echo "Copyright: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y) the authors of goheapx"
	echo 'License: GPL-3+'
	echo ' Version 3 or any later one. The full text of the GNU General Public License, version 3, is in'
	echo ' /usr/share/common-licenses/GPL-3 on Debian systems.'
} >"$doc/copyright"
{
	echo "goheapx ($version) unstable; urgency=medium"
	echo
	echo "  * Version $2."
	echo
	echo " -- $who  $date"
} | gzip -n -9 >"$doc/changelog.Debian.gz"
printf 'Source: goheapx\n\nPackage: goheapx\nArchitecture: any\n' >"$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O "$tree/usr/bin/goheapx" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
cat >"$tree/DEBIAN/control" <<END
Package: goheapx
Version: $version
Architecture: $arch
Maintainer: $who
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: $depends
Section: devel
Priority: optional
Description: explorer for heap dumps of Go programs
 Shows in a terminal what uses the memory of a Go program and what keeps it
 alive, from heap dumps, core files and running processes: owners, paths,
 goroutines, types. The same tables are printed as text, CSV and JSON, asked
 in SQL, exported to other tools and written as a report.
END
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build "$tree" "$folder/goheapx_${version}_$arch.deb" >/dev/null
echo "$folder/goheapx_${version}_$arch.deb"
