"""Runs test classes against one module and tells what happened, one line an event, the moment it happens.

Reads one JSON object from standard input: "nonce", "module" and "tests" (source texts), "test_classes" (names, in
order), "seed", "folder" (where it runs), "last_test_first". Writes lines of the nonce and a JSON object to standard output; whatever else a program prints goes to
standard error. Silence is no pass: a test counts by its own "result" line only.

Events: {"at": "loaded"}; {"at": "not_loaded", "error": ...}; {"at": "class", "name": ...};
{"at": "no_class", "name": ...}; {"at": "test", "name": "Class.test"};
{"at": "result", "name": ..., "outcome": "passed" | "failed" | "errored" | "skipped", "error": ...}; {"at": "done"}.
An error: {"type", "message", "missing" (of an import), "line", "expected", "actual",
"frames": [{"file": "module" | "tests", "line", "function"}]}.
"""

import ast
import builtins
import json
import linecache
import os
import random
import sys
import types
import unittest

MODULE, TESTS = "<module>", "<tests>"
FILES = {MODULE: "module", TESTS: "tests"}
# What a test's verdict rests on: a program that changes these is told on.
TRUSTED = [
    unittest.TestCase,
    unittest.TestResult,
    unittest.TestSuite,
    unittest.TestLoader,
    unittest.case._Outcome,
    unittest.case._AssertRaisesContext,
    unittest.case._AssertRaisesBaseContext,
]
LONGEST = 2000


def main(write=os.write, dumps=json.dumps, isinstance=isinstance):
    job = json.loads(sys.stdin.buffer.readline())
    nonce = job["nonce"]

    def tell(at, **fields):
        # The program may have left a line without its end.
        line = ("\n" + nonce + dumps({"at": at, **fields}) + "\n").encode("utf-8", "backslashreplace")
        while line:
            line = line[write(1, line):]

    random.seed(job["seed"])
    sys.stdin = open(os.devnull) if os.path.exists(os.devnull) else empty_input()
    sys.stdout = sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.chdir(job["folder"])
    sys.path.insert(0, job["folder"])
    sys.argv = ["subject"]

    module = types.ModuleType("subject")
    module.__file__ = MODULE
    sys.modules["subject"] = module
    trusted = [dict(vars(it)) for it in TRUSTED]
    try:
        for name, source in ((MODULE, job["module"]), (TESTS, job["tests"])):
            linecache.cache[name] = (len(source), None, source.splitlines(True), name)
            exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        tell("not_loaded", error=described(error))
        return
    tell("loaded")

    def tampered():
        for it, before in zip(TRUSTED, trusted):
            now = dict(vars(it))
            for name in before.keys() | now.keys():
                if before.get(name) is not now.get(name):
                    return f"{it.__name__}.{name} was replaced"
        return None

    class Result(unittest.TestResult):
        told = set()

        def name_of(self, test):
            return f"{type(test).__name__}.{test._testMethodName}"

        def startTest(self, test):
            super().startTest(test)
            tell("test", name=self.name_of(test))

        def say(self, test, outcome, error=None):
            name = self.name_of(test)
            if name in self.told:
                return
            self.told.add(name)
            change = tampered()
            if change is not None:
                outcome, error = "errored", {"type": "Tampering", "message": change}
            tell("result", name=name, outcome=outcome, error=error)

        def addSuccess(self, test):
            self.say(test, "passed")

        def addFailure(self, test, error):
            self.say(test, "failed", described(error[1]))

        def addError(self, test, error):
            if isinstance(test, unittest.TestCase):
                self.say(test, "errored", described(error[1]))
            else:
                # What prepares a test class failed: its tests do not run.
                tell("broken_class", error=described(error[1]))

        def addSubTest(self, test, subtest, error):
            if error is not None:
                failed = issubclass(error[0], test.failureException)
                self.say(test, "failed" if failed else "errored", described(error[1]))

        def addSkip(self, test, reason):
            self.say(test, "skipped", {"type": "SkipTest", "message": str(reason)})

        def addExpectedFailure(self, test, error):
            self.say(test, "passed")

        def addUnexpectedSuccess(self, test):
            self.say(test, "failed", {"type": "AssertionError", "message": "an expected failure passed"})

    loader = unittest.TestLoader()
    if job["last_test_first"]:
        loader.sortTestMethodsUsing = lambda a, b: (a < b) - (a > b)
    result = Result()
    for name in job["test_classes"]:
        found = getattr(module, name, None)
        if not (isinstance(found, type) and issubclass(found, unittest.TestCase)):
            tell("no_class", name=name)
            continue
        tell("class", name=name)
        try:
            loader.loadTestsFromTestCase(found).run(result)
        except BaseException as error:
            tell("broken_class", error=described(error))
    tell("done")


def empty_input():
    import io
    return io.StringIO()


def described(error):
    """What is known of an exception, all of it bounded."""
    found = {"type": type(error).__name__, "message": text_of(error)}
    if isinstance(error, ImportError) and error.name:
        found["missing"] = str(error.name)
    if isinstance(error, SyntaxError):
        found["line"] = error.lineno
        found["message"] = str(error.msg)
    frames, compared = [], None
    trace = error.__traceback__
    while trace is not None:
        code, frame = trace.tb_frame.f_code, trace.tb_frame
        if code.co_filename in FILES:
            frames.append({"file": FILES[code.co_filename], "line": trace.tb_lineno, "function": code.co_name})
        elif compared is None and frame.f_globals.get("__name__") == "unittest.case":
            compared = comparison(code.co_name, frame.f_locals)
        trace = trace.tb_next
    found["frames"] = frames[:5] + frames[-15:] if len(frames) > 20 else frames
    if compared is not None and isinstance(error, AssertionError):
        found["actual"], found["expected"] = compared
    return found


def comparison(assertion, values):
    """Actual and expected value of a failed assertion: the convention is `assertEqual(actual, expected)`."""
    if "first" in values and "second" in values:
        sign = {"assertNotEqual": "anything but ", "assertNotAlmostEqual": "anything but "}.get(assertion, "")
        return shown(values["first"]), sign + shown(values["second"])
    pairs = {"assertListEqual": ("list1", "list2"), "assertTupleEqual": ("tuple1", "tuple2"),
             "assertSequenceEqual": ("seq1", "seq2"), "assertSetEqual": ("set1", "set2"),
             "assertDictEqual": ("d1", "d2"), "assertIs": ("expr1", "expr2")}
    if assertion in pairs:
        actual, expected = pairs[assertion]
        return shown(values.get(actual)), shown(values.get(expected))
    if assertion in ("assertTrue", "assertFalse") and "expr" in values:
        return shown(values["expr"]), assertion.removeprefix("assert")
    if assertion in ("assertIn", "assertNotIn") and "member" in values:
        where = "in" if assertion == "assertIn" else "not in"
        return shown(values["member"]), f"{where} {shown(values.get('container'))}"
    if assertion in ("assertIsNone", "assertIsNotNone") and "obj" in values:
        return shown(values["obj"]), "None" if assertion == "assertIsNone" else "not None"
    return None


def shown(value):
    try:
        text = repr(value)
    except BaseException as error:
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


def text_of(error):
    try:
        text = str(error)
    except BaseException:
        text = ""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


main()
