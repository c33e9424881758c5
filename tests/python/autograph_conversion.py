"""Converts functions and runs what comes out with operators that do as Python does: results must be the same.

Needs no extension, only the files of rill.autograph: so it runs under any Python, tests/python/test_autograph_versions.py
runs it under those that there are.
"""
import importlib
import pathlib
import sys
import types

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "rill"


def conversion():
    """rill.autograph._convert, without what imports the extension."""
    for name, folder in (("rill", PACKAGE), ("rill.autograph", PACKAGE / "autograph")):
        module = types.ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    return importlib.import_module("rill.autograph._convert")


class Operators:
    """What converted functions know as ag__, as Python does it."""

    UNDEFINED = object()

    def __init__(self, convert):
        self.asked, self._convert = set(), convert

    def is_undefined(self, value):
        return value is self.UNDEFINED

    def returned(self, value):
        return None if value is self.NO_VALUE_RETURNED else value

    NO_VALUE_RETURNED = object()

    def state_of(self, reads):
        return tuple(self._read(read) for read in reads)

    def _read(self, read):
        try:
            return read()
        except (NameError, AttributeError, LookupError):
            return self.UNDEFINED

    def if_stmt(self, test, body, orelse, get_state, set_state, names, count):
        self.asked.add("if")
        set_state(get_state())
        body() if test else orelse()
        assert len(get_state()) == len(names) >= count

    def while_stmt(self, test, body, get_state, set_state, names, live, options):
        self.asked.add("while")
        while test():
            body()
            set_state(get_state())

    def for_stmt(self, elements, extra_test, body, get_state, set_state, names, live, options):
        self.asked.add("for")
        for element in elements:
            if extra_test is not None and not extra_test():
                break
            body(element)
            set_state(get_state())

    def if_exp(self, test, body, orelse, text):
        return body() if test else orelse()

    def and_(self, left, right):
        return left() and right()

    def or_(self, left, right):
        return left() or right()

    def not_(self, value):
        return not value

    def assert_stmt(self, test, message):
        assert test, message()

    def set_item(self, target, key, value):
        target[key] = value
        return target

    def LoopOptions(self, **options):
        return options

    def converted_call(self, function, args, kwargs):
        return function(*args, **(kwargs or {}))


def converted(convert, operators, function):
    code = convert.converted_code(function)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()), ag__=types.CellType(operators))
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__,
                              tuple(cells[name] for name in code.co_freevars))
    made.__kwdefaults__ = function.__kwdefaults__
    return made


# --- what is converted ----------------------------------------------------------------------------

def branches(x):
    if x > 3:
        y = x * 2
    elif x == 0:
        y = -1
    else:
        y = x
    return y + 1 if y < 100 else y


def early_returns(x):
    if x > 3:
        return "large"
    for i in range(x):
        if i == 2:
            return "two"
    return "small"


def loops(x):
    total, i = 0, 0
    while i < x:
        i += 1
        if i % 2:
            continue
        if i > 7:
            break
        for j in range(i):
            total += j
    else:
        total += 1000
    return total


def unpacked(x):
    a, (b, *c) = x, (x + 1, x + 2, x + 3)
    for key, value in {"k": a, "l": b}.items():
        a += len(key) + value
    return a, b, c


def expressions(x):
    found = [n for n in range(x) if n % 2 and not n % 3 == 0]
    both = 0 < x < 5 and x != 3 or x == 10
    named = (lambda n=x: n * 2)()
    return found, both, named, {n: n for n in found}, f"{x!r:>4}", (y := x + 1) and y


def blocks(x):
    seen = []
    try:
        if x > 2:
            raise KeyError(x)
        seen.append("fine")
    except KeyError as error:
        seen.append(error.args[0])
    else:
        seen.append("else")
    finally:
        seen.append("end")
    with open(__file__, encoding="utf-8") as file:
        while not seen[-1] == "read":
            seen.append("read")
        assert file.readable(), "never"
    return seen


def inner_functions(x, *more, scale=2, **named):
    count = 0

    def add(n):
        nonlocal count
        if n > 1:
            count += n
        return count
    for n in (x, *more, *named.values()):
        add(n * scale)
    return count


def items(x):
    values = [0, 1, 2]
    values[0] = x
    values[1:] = [x, x]
    holder = {"a": values}
    holder["b"] = x
    if x > 1:
        holder["b"] += 1
    del values[0]
    return values, holder


def undefined(x):
    if x > 2:
        late = x
    try:
        return late
    except NameError:
        return "undefined"


class Thing:
    """Names of classes."""

    def __init__(self, x):
        self.__hidden = x

    def bump(self, by=1):
        """Private names, and super()."""
        if by > 0:
            self.__hidden += by
        return self.__hidden, super().__class__ is Thing or True


MATCHED = '''
def matched(x):
    match x:
        case 0:
            kind = "zero"
        case int(n) if n > 3:
            kind = "large"
            if n > 6:
                kind = "huge"
                return kind
        case {"a": first, **rest}:
            kind = first
        case [head, *tail]:
            kind = head
        case _:
            while x < 3:
                x += 1
                if x == 2:
                    continue
            kind = x
    return kind
'''

CASES = (branches, early_returns, loops, unpacked, expressions, blocks, inner_functions, items, undefined)


def matched_function(folder):
    """A function with a match statement, which older Pythons do not know, in a file of its own."""
    path = pathlib.Path(folder) / "matched_case.py"
    path.write_text(MATCHED)
    space = {}
    exec(compile(MATCHED, str(path), "exec"), space)
    return space["matched"]


def main(folder):
    """Nothing, or what went wrong."""
    convert = conversion()
    operators = Operators(convert)
    cases = list(CASES) + ([matched_function(folder)] if sys.version_info >= (3, 10) else [])
    for function in cases:
        made = converted(convert, operators, function)
        for x in (0, 1, 2, 3, 4, 7, 10):
            wanted, found = function(x), made(x)
            assert wanted == found, f"{function.__name__}({x}): {wanted} became {found}"
    made = converted(convert, operators, Thing.bump)
    assert made(Thing(3), 2) == (5, True) and made(Thing(3), -1)[0] == 3
    assert operators.asked == {"if", "while", "for"}, operators.asked
    assert "ag__.if_stmt" in convert.converted_text(branches)
    print("converted", len(cases) + 1, "functions under", sys.version.split()[0])


if __name__ == "__main__":
    main(sys.argv[1])
