#!/usr/bin/env python3
"""Put the calls of the driver ecfit into the driver wrappers of Mbed TLS 3.6 or TF-PSA-Crypto 1.x.

lib/psa/merge.py FOLDER OUT    the two files of the wrappers in FOLDER, merged, into the folder OUT

FOLDER is library/ of Mbed TLS 3.6, core/ of a build of TF-PSA-Crypto or of its release archive.

The generator of these libraries makes two of the six entry points from a JSON description;
the others have to be merged by hand, as its documentation says. This is that hand. It changes
nothing else, and refuses a file in which it does not find each place once.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HEADER = "psa_crypto_driver_wrappers.h"
CODE = "psa_crypto_driver_wrappers_no_static.c"
ENABLED = "ECFIT_PSA_DRIVER_ENABLED"
INCLUDE = f'#if defined({ENABLED})\n#include "ecfit_psa.h"\n#endif\n'
ANCHOR = "#if defined(PSA_CRYPTO_DRIVER_TEST)"
ARGUMENTS = {  # of each entry point, as the wrapper has them
    "generate_key": "attributes, key_buffer, key_buffer_size, key_buffer_length",
    "import_key": "attributes, data, data_length,"
    " key_buffer, key_buffer_size, key_buffer_length, bits",
    "export_public_key": "attributes, key_buffer, key_buffer_size, data, data_size, data_length",
    "key_agreement": "attributes, key_buffer, key_buffer_size, alg, peer_key, peer_key_length,"
    " shared_secret, shared_secret_size, shared_secret_length",
    "sign_hash": "attributes, key_buffer, key_buffer_size, alg, hash, hash_length,"
    " signature, signature_size, signature_length",
    "verify_hash": "attributes, key_buffer, key_buffer_size, alg, hash, hash_length,"
    " signature, signature_length",
}
FILES = {
    HEADER: ("generate_key", "import_key", "key_agreement", "sign_hash", "verify_hash"),
    CODE: ("export_public_key",),
}


def call(entry: str) -> str:
    """What stands in the wrapper of an entry point."""
    leave = "break" if entry == "generate_key" else "return( status )"
    return (
        f"#if defined({ENABLED})\n"
        f"            status = ecfit_transparent_{entry}( {ARGUMENTS[entry]} );\n"
        f"            if( status != PSA_ERROR_NOT_SUPPORTED )\n                {leave};\n"
        "#endif\n"
    )


def merged(text: str, entries: tuple[str, ...], name: str) -> str:
    """The file with the calls. Errors: ValueError where a place is not found once."""
    places: dict[int, str] = {}
    included = list(re.finditer(r"^/\* Headers for p256 transparent driver \*/\n", text, re.M))
    if len(included) != 1:
        raise ValueError(f"{name}: no place for the header, or more than one")
    places[included[0].start()] = INCLUDE
    for entry in entries:
        starts = list(re.finditer(rf"psa_driver_wrapper_{entry}\(\n", text))
        if len(starts) != 1:
            raise ValueError(f"{name}: no wrapper of {entry}, or more than one")
        local = text.find("case PSA_KEY_LOCATION_LOCAL_STORAGE:", starts[0].end())
        place = re.compile(r"^#if \(?defined\s?\(PSA_CRYPTO_DRIVER_TEST\)( \))?\n", re.M).search(
            text, local
        )
        if local < 0 or place is None or place.start() - local > 1200:
            raise ValueError(f"{name}: no place in the wrapper of {entry}")
        places[place.start()] = call(entry)
    for at in sorted(places, reverse=True):
        text = text[:at] + places[at] + text[at:]
    return text


def main(arguments: list[str]) -> int:
    """Command line."""
    if len(arguments) != 2:
        sys.stderr.write("usage: merge.py FOLDER OUT\n")
        return 2
    library, out = map(Path, arguments)
    try:
        texts = {
            name: merged((library / name).read_text(encoding="utf-8"), entries, name)
            for name, entries in FILES.items()
        }
        for name, text in texts.items():
            (out / name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"merge.py: error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
