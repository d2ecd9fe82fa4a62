"""Runs one test file against several sources of the same class.

Reads {"sources": [...], "test": ..., "test_classes": [...]} from standard input and prints, for each
source, {"outcomes": {"TestClass.test_name": "passed" | "failed: ..." | "error: ..."}} on a line.
"""

import contextlib
import io
import json
import sys
import types
import unittest


class Outcomes(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.outcomes = {}

    def note(self, test, outcome):
        self.outcomes[".".join(test.id().split(".")[-2:])] = outcome

    def addSuccess(self, test):
        self.note(test, "passed")

    def addFailure(self, test, error):
        self.note(test, f"failed: {error[1]}")

    def addError(self, test, error):
        self.note(test, f"error: {error[0].__name__}: {error[1]}")

    def addSubTest(self, test, subtest, error):
        if error is not None and test.failureException in error[0].__mro__:
            self.note(test, f"failed: {error[1]}")
        elif error is not None:
            self.addError(test, error)

    def addSkip(self, test, reason):
        self.note(test, f"error: skipped, {reason}")


def run(source, test, test_classes):
    module = types.ModuleType("starter")
    sys.modules["starter"] = module
    exec(compile(source + "\n\n" + test, "starter", "exec"), module.__dict__)
    result = Outcomes()
    for name in test_classes:
        unittest.defaultTestLoader.loadTestsFromTestCase(getattr(module, name)).run(result)
    return result.outcomes


job = json.load(sys.stdin)
for source in job["sources"]:
    with contextlib.redirect_stdout(io.StringIO()):
        outcomes = run(source, job["test"], job["test_classes"])
    print(json.dumps({"outcomes": outcomes}), flush=True)
