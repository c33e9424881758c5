"""What tf.test.TestCase asserts of texts, containers, errors and commands, and its files: absltest's methods."""

import collections
import contextlib
import dataclasses
import difflib
import json
import os
import re
import subprocess
import urllib.parse


class _TempFile:
    """A file of a test, by its full path."""

    def __init__(self, path):
        self.full_path = path

    def __fspath__(self):
        return self.full_path

    def read_text(self, encoding="utf8", errors="strict"):
        with self.open_text(encoding=encoding, errors=errors) as file:
            return file.read()

    def read_bytes(self):
        with self.open_bytes() as file:
            return file.read()

    def write_text(self, text, mode="w", encoding="utf8", errors="strict"):
        with self.open_text(mode, encoding=encoding, errors=errors) as file:
            file.write(text)

    def write_bytes(self, data, mode="wb"):
        with self.open_bytes(mode) as file:
            file.write(data)

    def open_text(self, mode="rt", encoding="utf8", errors="strict"):
        if "b" in mode:
            raise ValueError(f'Invalid mode {mode!r}: "b" flag not allowed when opening file in text mode')
        return open(self.full_path, mode if "t" in mode else mode + "t", encoding=encoding, errors=errors)

    def open_bytes(self, mode="rb"):
        if "t" in mode:
            raise ValueError(f'Invalid mode {mode!r}: "t" flag not allowed when opening file in binary mode')
        return open(self.full_path, mode if "b" in mode else mode + "b")


class _TempDir:
    """A folder of a test, by its full path."""

    def __init__(self, path):
        self.full_path = path

    def __fspath__(self):
        return self.full_path

    def create_file(self, file_path=None, content=None, mode="w", encoding="utf8", errors="strict"):
        path = os.path.join(self.full_path, file_path or f"file_{len(os.listdir(self.full_path))}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        made = _TempFile(path)
        if isinstance(content, bytes):
            made.write_bytes(content, mode if "b" in mode else mode + "b")
        else:
            made.write_text(content or "", mode, encoding, errors)
        return made

    def mkdir(self, dir_path=None):
        path = os.path.join(self.full_path, dir_path or f"folder_{len(os.listdir(self.full_path))}")
        os.makedirs(path, exist_ok=True)
        return _TempDir(path)


class _Raises:
    """A block that has to raise; `exception` is what it did raise."""

    exception = None

    def __init__(self, test, wanted, check):
        self._test, self._wanted, self._check = test, wanted, check

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            names = getattr(self._wanted, "__name__", None) or " or ".join(k.__name__ for k in self._wanted)
            self._test.fail(f"{names} not raised")
        if not issubclass(kind, self._wanted):
            return False
        self.exception = error
        self._check(error)
        return True


class PlainAssertions:
    """Mixed into TestCase, which has get_temp_dir()."""

    def _explain(self, msg, *lines):
        return "\n".join([*lines, msg] if msg else lines)

    # --- files, blocks, properties ----------------------------------------------------------------------------

    def create_tempdir(self, name=None, cleanup=None):
        """A folder of this test."""
        del cleanup  # all files of a run go with it
        return _TempDir(self.get_temp_dir()).mkdir(name)

    def create_tempfile(self, file_path=None, content=None, mode="w", encoding="utf8", errors="strict",
                        cleanup=None):
        """A file of this test, with that content."""
        del cleanup
        return _TempDir(self.get_temp_dir()).create_file(file_path, content, mode, encoding, errors)

    def enter_context(self, manager):
        """Enters a block that ends with the test."""
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        return stack.enter_context(manager)

    def record_property(self, property_name, property_value):
        """Notes something about the test."""
        vars(self).setdefault("_properties", {})[property_name] = property_value

    def get_recorded_properties(self, subtest=None):
        del subtest
        return dict(vars(self).get("_properties", {}))

    # --- errors -----------------------------------------------------------------------------------------------

    def _raises(self, wanted, check, call, args, kwargs):
        block = _Raises(self, wanted, check)
        if call is None:
            return block
        with block:
            call(*args, **kwargs)
        return None

    def assertRaisesWithLiteralMatch(self, expected_exception, expected_exception_message, callable_obj=None,
                                     *args, **kwargs):
        """An error whose text is exactly this one."""
        def check(error):
            self.assertEqual(str(error), expected_exception_message, "Exception message does not match.")
        return self._raises(expected_exception, check, callable_obj, args, kwargs)

    # --- texts ------------------------------------------------------------------------------------------------

    def assertStartsWith(self, actual, expected_start, msg=None):
        if not actual.startswith(expected_start):
            self.fail(self._explain(msg, f"{actual!r} does not start with {expected_start!r}"))

    def assertNotStartsWith(self, actual, unexpected_start, msg=None):
        if actual.startswith(unexpected_start):
            self.fail(self._explain(msg, f"{actual!r} does start with {unexpected_start!r}"))

    def assertEndsWith(self, actual, expected_end, msg=None):
        if not actual.endswith(expected_end):
            self.fail(self._explain(msg, f"{actual!r} does not end with {expected_end!r}"))

    def assertNotEndsWith(self, actual, unexpected_end, msg=None):
        if actual.endswith(unexpected_end):
            self.fail(self._explain(msg, f"{actual!r} does end with {unexpected_end!r}"))

    def assertRegexMatch(self, actual_str, regexes, message=None):
        """One of the expressions is found in the text."""
        if not regexes or isinstance(regexes, (str, bytes)):
            self.fail("regexes should be an array of strings, not empty.")
        if not any(re.search(regex, actual_str) for regex in regexes):
            self.fail(self._explain(message, f"{actual_str!r} does not contain any of {list(regexes)!r}"))

    def assertContainsInOrder(self, strings, target, msg=None):
        strings = [strings] if isinstance(strings, str) else list(strings)
        place, before = 0, None
        for text in strings:
            found = target.find(text, place)
            if found < 0 and before is not None and text in target:
                self.fail(self._explain(msg, f"Did not find {text!r} after {before!r} in {target!r}"))
            if found < 0:
                self.fail(self._explain(msg, f"Did not find {text!r} in {target!r}"))
            place, before = found, text

    def assertUrlEqual(self, a, b, msg=None):
        """The same address, whatever the order of its queries."""
        first, second = urllib.parse.urlparse(a), urllib.parse.urlparse(b)
        for part in ("scheme", "netloc", "path", "fragment"):
            self.assertEqual(getattr(first, part), getattr(second, part), msg)
        self.assertEqual(sorted(first.params.split(";")), sorted(second.params.split(";")), msg)
        self.assertEqual(*(urllib.parse.parse_qs(url.query, keep_blank_values=True)
                           for url in (first, second)), msg)

    def assertJsonEqual(self, first, second, msg=None):
        """Texts that say the same as JSON."""
        self.assertSameStructure(json.loads(first), json.loads(second), "first", "second", msg)

    # --- commands ---------------------------------------------------------------------------------------------

    def _run_command(self, command, env, close_fds):
        done = subprocess.run(command, shell=isinstance(command, str), env=env, close_fds=close_fds,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def _check_output(self, regexes, output, msg):
        regexes = [regexes] if isinstance(regexes, (str, bytes)) else regexes
        self.assertRegexMatch(output, [regex.encode() if isinstance(regex, str) else regex
                                       for regex in regexes], msg)

    def assertCommandSucceeds(self, command, regexes=(b"",), env=None, close_fds=True, msg=None):
        status, output = self._run_command(command, env, close_fds)
        if status:
            self.fail(self._explain(msg, f"The following command returned {status}: {command!r}",
                                    output.decode(errors="replace")))
        self._check_output(regexes, output, msg)

    def assertCommandFails(self, command, regexes, env=None, close_fds=True, msg=None):
        status, output = self._run_command(command, env, close_fds)
        if not status:
            self.fail(self._explain(msg, f"The following command succeeded while expected to fail: {command!r}"))
        self._check_output(regexes, output, msg)

    # --- containers -------------------------------------------------------------------------------------------

    def assertLen(self, container, expected_len, msg=None):
        if len(container) != expected_len:
            self.fail(self._explain(msg, f"{container!r} has length of {len(container)}, expected "
                                    f"{expected_len}."))

    def assertEmpty(self, container, msg=None):
        if len(container):
            self.fail(self._explain(msg, f"{container!r} has length of {len(container)}."))

    def assertNotEmpty(self, container, msg=None):
        if not len(container):
            self.fail(self._explain(msg, f"{container!r} has length of 0."))

    def assertBetween(self, value, minv, maxv, msg=None):
        if not minv <= value <= maxv:
            self.fail(self._explain(msg, f'"{value!r}" unexpectedly not between "{minv!r}" and "{maxv!r}"'))

    def assertContainsSubset(self, expected_subset, actual_set, msg=None):
        missing = set(expected_subset) - set(actual_set)
        if missing:
            self.fail(self._explain(msg, f"Missing elements {missing}", f"Expected: {expected_subset}",
                                    f"Actual: {actual_set}"))

    def assertNoCommonElements(self, expected_seq, actual_seq, msg=None):
        common = set(expected_seq) & set(actual_seq)
        if common:
            self.fail(self._explain(msg, f"Common elements {common}", f"Expected: {expected_seq}",
                                    f"Actual: {actual_seq}"))

    def assertSameElements(self, expected_seq, actual_seq, msg=None):
        for given in (expected_seq, actual_seq):
            if isinstance(given, (str, bytes)):
                self.fail(f"Passing string/bytes to assertSameElements is usually a bug. Did you mean to use "
                          f"assertEqual?\nGot: {given}")
        self.assertEqual(set(expected_seq), set(actual_seq), msg)

    def assertItemsEqual(self, expected_seq, actual_seq, msg=None):
        self.assertCountEqual(expected_seq, actual_seq, msg)

    def assertSequenceStartsWith(self, prefix, whole, msg=None):
        prefix = prefix if isinstance(prefix, collections.abc.Sequence) else [prefix]
        if list(whole[:len(prefix)]) != list(prefix):
            self.fail(self._explain(msg, f"prefix: {prefix!r} not found at start of whole: {whole!r}."))

    def assertContainsSubsequence(self, container, subsequence, msg=None):
        rest = iter(container)
        missing = next((item for item in subsequence if item not in rest), self)
        if missing is not self:
            self.fail(self._explain(msg, f"Not a subsequence of {container!r}: {subsequence!r} lacks {missing!r}"))

    def assertContainsExactSubsequence(self, container, subsequence, msg=None):
        items, wanted = list(container), list(subsequence)
        if not any(items[i:i + len(wanted)] == wanted for i in range(len(items) - len(wanted) + 1)):
            self.fail(self._explain(msg, f"{subsequence!r} not a subsequence of {container!r}"))

    def assertTotallyOrdered(self, *groups, **kwargs):
        """All elements of a group are equal, and less than those of later groups."""
        msg = kwargs.get("msg")
        for i, group in enumerate(groups):
            for small in group:
                for equal in group:
                    self.assertTrue(small == equal and not small != equal and small <= equal and small >= equal, msg)
                for large in (item for later in groups[i + 1:] for item in later):
                    self.assertTrue(small < large and small <= large and large > small and large >= small
                                    and small != large and not small == large, msg)

    def assertSequenceAlmostEqual(self, expected_seq, actual_seq, places=None, msg=None, delta=None):
        self.assertLen(expected_seq, len(actual_seq), msg)
        for expected, actual in zip(expected_seq, actual_seq):
            self.assertAlmostEqual(expected, actual, places=places, msg=msg, delta=delta)

    def assertDictAlmostEqual(self, a, b, places=None, msg=None, delta=None):
        self.assertEqual(set(a), set(b), msg)
        for key, value in a.items():
            self.assertAlmostEqual(value, b[key], places=places, msg=self._explain(msg, f"at {key!r}"), delta=delta)

    def assertMappingEqual(self, a, b, msg=None, mapping_type=collections.abc.Mapping):
        self.assertIsInstance(a, mapping_type, msg)
        self.assertIsInstance(b, mapping_type, msg)
        self.assertSameStructure(a, b, msg=msg)

    def assertDataclassEqual(self, first, second, msg=None):
        self.assertEqual(type(first), type(second), msg)
        if first != second:
            for field in dataclasses.fields(first):
                self.assertEqual(getattr(first, field.name), getattr(second, field.name), field.name)
            self.fail(msg or f"Cannot detect difference: {first!r} {second!r}")

    def assertIsSubclass(self, cls, superclass, msg=None):
        if not issubclass(cls, superclass):
            self.fail(self._explain(msg, f"{cls!r} is not a subclass of {superclass!r}"))

    def assertNotIsSubclass(self, cls, superclass, msg=None):
        if issubclass(cls, superclass):
            self.fail(self._explain(msg, f"{cls!r} is a subclass of {superclass!r}"))

    def assertSameStructure(self, a, b, aname="a", bname="b", msg=None):
        """Dicts and lists that hold the same; what differs is named by its path."""
        problems = []
        _walk(a, b, aname, bname, problems)
        if problems:
            self.fail(self._explain(msg, "; ".join(problems[:10] + (["..."] if len(problems) > 10 else []))))

    def assertMultiLineEqual(self, first, second, msg=None):
        """Texts that are equal; the message shows the lines that are not."""
        self.assertIsInstance(first, str, f"First argument is not a string: {first!r}")
        self.assertIsInstance(second, str, f"Second argument is not a string: {second!r}")
        if first != second:
            lines = difflib.ndiff(first.splitlines(True), second.splitlines(True))
            self.fail(self._explain(msg, "".join(lines)))


def _walk(a, b, aname, bname, problems):
    mapping, sequence = collections.abc.Mapping, (list, tuple)
    if isinstance(a, mapping) and isinstance(b, mapping):
        for key in sorted({*a, *b}, key=repr):
            if key not in b:
                problems.append(f"{aname} has [{key!r}] with value {a[key]!r} but it's missing in {bname}")
            elif key not in a:
                problems.append(f"{aname} lacks [{key!r}] but {bname} has it with value {b[key]!r}")
            else:
                _walk(a[key], b[key], f"{aname}[{key!r}]", f"{bname}[{key!r}]", problems)
    elif isinstance(a, sequence) and isinstance(b, sequence):
        for i, (x, y) in enumerate(zip(a, b)):
            _walk(x, y, f"{aname}[{i}]", f"{bname}[{i}]", problems)
        for name, other, rest, start in ((aname, bname, a[len(b):], len(b)), (bname, aname, b[len(a):], len(a))):
            problems.extend(f"{name} has [{start + i}] with value {item!r} but {other} does not"
                            for i, item in enumerate(rest))
    elif type(a) is not type(b) and not (isinstance(a, (int, float)) and isinstance(b, (int, float))):
        problems.append(f"{aname} is a {type(a)!r} but {bname} is a {type(b)!r}")
    elif a != b:
        problems.append(f"{aname} is {a!r} but {bname} is {b!r}")
