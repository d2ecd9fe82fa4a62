"""Prints, for each function of each source on standard input (a JSON list), what its names are."""

import json
import symtable
import sys


def functions(table):
    if table.get_type() == "function":
        names = {}
        for symbol in table.get_symbols():
            kind = "free" if symbol.is_free() else "local" if symbol.is_local() else "global"
            names[symbol.get_name()] = kind
        yield {"function": table.get_name(), "line": table.get_lineno(), "names": names}
    for child in table.get_children():
        yield from functions(child)


sources = json.load(sys.stdin)
json.dump([list(functions(symtable.symtable(source, "source", "exec"))) for source in sources], sys.stdout)
