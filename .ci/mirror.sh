#!/bin/sh
# Prints the address of the Debian mirror that this machine installs from.
mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*\( .*\)\{0,1\}$/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
[ -n "$mirror" ] || mirror=$(sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\/debian\)\/* .*/\2/p' \
	/etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | head -n 1)
echo "${mirror:-http://deb.debian.org/debian}"
