#!/usr/bin/env python3
"""sbom.py VERSION BUILD PACKAGE...: the libraries in the static binaries as a software bill of materials (SPDX 2.3),
of this machine's packages for amd64, and of those unpacked below BUILD for arm64."""

import datetime
import json
import os
import pathlib
import subprocess
import sys


def versions_here(packages):
    asked = ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages]
    return [line.split() for line in subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()]


def versions_there(build):
    return [line.split() for line in pathlib.Path(build, "sysroot-aarch64-linux-gnu/packages").read_text().splitlines()]


def package(arch, name, version):
    return {
        "SPDXID": f"SPDXRef-{arch}-{name}".replace("+", "-"), "name": name, "versionInfo": version,
        "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/debian/{name}@{version}?arch={arch}"}],
    }


def main(version, build, *packages):
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    linked = [package("amd64", *words) for words in versions_here(["libc6-dev", *packages])]
    linked += [package("arm64", *words) for words in [*versions_there(build), *versions_here(["libc6-dev-arm64-cross"])]]
    program = {**package("any", "goheapx", version), "supplier": "NOASSERTION", "licenseDeclared": "GPL-3.0-or-later"}
    del program["externalRefs"]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"goheapx-{version}",
        "documentNamespace": f"urn:goheapx:spdx:{version}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/sbom.py"]},
        "packages": [program, *linked],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": program["SPDXID"]},
            *({"spdxElementId": program["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": each["SPDXID"]}
              for each in linked)],
    }, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
