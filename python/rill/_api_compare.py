"""TensorFlow 1.15's public interface as a table of facts, and how Rill's compares with it.

A row of the table names a symbol (tf.nn.relu), its kind, its signature or value, and the symbol it is another
name of.
"""

import ast
import dataclasses
import inspect
import pathlib
import re
import struct
import types

TABLE = "tf1_python_api.tsv"
SAME, DIFFERS, MISSING = "same", "differs", "missing"
_MISSING = object()


@dataclasses.dataclass(frozen=True)
class Fact:
    """One row of the table."""

    symbol: str
    kind: str  # module, function, class, method, property or constant
    signature: str
    alias_of: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """How Rill has what a row names."""

    fact: Fact
    module: str
    status: str
    why: str = ""


def table_path():
    """The table of a checkout or of an installed package."""
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here.parents[1] / "tests" / "facts", here / "facts"):
        if (folder / TABLE).exists():
            return folder / TABLE
    raise FileNotFoundError(f"{TABLE} is neither in tests/facts of a checkout nor in {here / 'facts'}")


def read_facts(path=None):
    """All rows by symbol."""
    lines = pathlib.Path(path or table_path()).read_text().splitlines()[1:]
    return {row[0]: Fact(*row) for row in (line.split("\t") for line in lines)}


# --- signatures -----------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter; `default` is the text of its default value, None where there is none."""

    name: str
    default: str | None = None
    value: object = _MISSING  # the default itself, where it is known
    keyword_only: bool = False


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a function can be called with."""

    parameters: tuple
    takes_more: bool = False  # *args
    takes_any_keyword: bool = False

    def accepts_keyword(self, name):
        return self.takes_any_keyword or any(p.name == name for p in self.parameters)


def parse_signature(text):
    """The signature that "(x, name=None)" says; defaults that are no Python are kept as text."""
    readable = re.sub(r"=(<[^>]*>)", lambda found: f"={found[1]!r}", text)
    arguments = ast.parse(f"def f{readable}: pass").body[0].args
    names = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(names) - len(arguments.defaults)) + arguments.defaults
    parameters = [_parsed(n, d) for n, d in zip(names, defaults)]
    parameters += [_parsed(n, d, True) for n, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return Signature(tuple(parameters), arguments.vararg is not None, arguments.kwarg is not None)


def _parsed(argument, default, keyword_only=False):
    if default is None:
        return Parameter(argument.arg, keyword_only=keyword_only)
    try:
        value = ast.literal_eval(default)
    except ValueError:
        value = _MISSING
    return Parameter(argument.arg, ast.unparse(default), value, keyword_only)


def signature_of(function):
    """The signature of one of Rill's functions, or None where it cannot be known."""
    if hasattr(function, "__nb_signature__"):
        return _binding_signature(function.__nb_signature__[0])
    try:
        given = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    kinds = [p.kind for p in given.parameters.values()]
    parameters = tuple(
        Parameter(p.name, None if p.default is p.empty else repr(p.default),
                  _MISSING if p.default is p.empty else p.default, p.kind is p.KEYWORD_ONLY)
        for p in given.parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD))
    return Signature(parameters, inspect.Parameter.VAR_POSITIONAL in kinds,
                     inspect.Parameter.VAR_KEYWORD in kinds)


def _binding_signature(description):
    """Of a function bound in C++: "def run(self, fetches: object, feed_dict: object = \\0) -> object"."""
    text, _, defaults = description
    readable = re.sub(r"\\(\d+)", r"_default_\1", text)
    arguments = parse_signature(readable[readable.index("("):].rpartition(" -> ")[0])
    parameters = []
    for p in arguments.parameters:
        if p.default is not None and p.default.startswith("_default_"):
            value = defaults[int(p.default.removeprefix("_default_"))]
            p = dataclasses.replace(p, default=repr(value), value=value)
        parameters.append(p)
    return dataclasses.replace(arguments, parameters=tuple(parameters))


def _without_self(signature):
    first = signature.parameters[:1]
    if first and first[0].name in ("self", "cls"):
        return dataclasses.replace(signature, parameters=signature.parameters[1:])
    return signature


def _same_default(wanted, ours):
    if (wanted.default is None) != (ours.default is None):
        return False
    if str(wanted.value).startswith("<"):
        return True  # a description, not a value: <function relu>
    if wanted.value is _MISSING:  # an object: tf.float32, float('-inf')
        return wanted.default is None or _same_object(wanted.default, ours)
    if isinstance(wanted.value, float) and isinstance(ours.value, float):
        return _as_attribute(wanted.value) == _as_attribute(ours.value)
    if isinstance(ours.value, str) and ours.value == wanted.default:
        return True  # the table has texts that look like Python without their quotes: {}
    try:
        return bool(wanted.value == ours.value) or list(wanted.value) == list(ours.value)
    except (TypeError, ValueError):
        return False


def _as_attribute(number):
    """Nodes keep numbers as float32; defaults that come from there are rounded."""
    return struct.pack("f", number)


def _same_object(text, ours):
    if text.startswith("tf."):
        return repr(ours.value).replace("<dtype: '", "tf.").replace("'>", "") == text or \
            getattr(ours.value, "name", None) == text.removeprefix("tf.")
    if text.startswith("float("):
        return ours.value == float(text[7:-2])
    return str(ours.value) == text  # VariableAggregation.NONE


def difference(wanted, ours):
    """In what a signature differs from TensorFlow's for those who call it; "" if in nothing."""
    wanted, ours = _without_self(wanted), _without_self(ours)
    for i, p in enumerate(wanted.parameters):
        if i >= len(ours.parameters):
            if (ours.takes_more and not p.keyword_only) and ours.takes_any_keyword:
                return ""  # passed on to another function, which is compared where it is named
            return f"no argument '{p.name}'"
        q = ours.parameters[i]
        if q.name != p.name:
            return f"argument {i + 1} is '{q.name}' and not '{p.name}'"
        if q.keyword_only and not p.keyword_only:
            return f"'{p.name}' is taken by keyword only"
        if not _same_default(p, q):
            return f"'{p.name}' is {q.default or 'required'} by default and not {p.default or 'required'}"
    for q in ours.parameters[len(wanted.parameters):]:
        if q.default is None:
            return f"argument '{q.name}' is required"
    if wanted.takes_more and not ours.takes_more:
        return "no further arguments"
    if wanted.takes_any_keyword and not ours.takes_any_keyword:
        return "no further keywords"
    return ""


# --- symbols --------------------------------------------------------------------------------------------------


class Comparison:
    """Looks symbols up in a package that should have them."""

    def __init__(self, package, facts):
        self.facts = facts
        self._found = {"tf": package}

    def find(self, symbol):
        """The object of a symbol; raises AttributeError where there is none."""
        if symbol not in self._found:
            owner, _, name = symbol.rpartition(".")
            self._found[symbol] = self._member(self.find(owner), name)
        if self._found[symbol] is _MISSING:
            raise AttributeError(symbol)
        return self._found[symbol]

    @staticmethod
    def _member(owner, name):
        try:
            return getattr(owner, name)
        except AttributeError:
            fields = getattr(getattr(owner, "DESCRIPTOR", None), "fields_by_name", {})
            return fields[name] if name in fields else _MISSING

    def module_of(self, symbol):
        """The module that a symbol, or the class around it, stands in."""
        while self.facts[symbol].kind != "module" or symbol == "":
            symbol = symbol.rpartition(".")[0]
        return symbol

    def look_at(self, fact):
        """How Rill has what one row names."""
        module = self.module_of(fact.symbol)
        try:
            found = self.find(fact.symbol)
        except AttributeError:
            return Finding(fact, module, MISSING)
        except NotImplementedError as error:
            return Finding(fact, module, MISSING, str(error))
        why = _CHECKS.get(fact.kind, lambda fact, found: "")(fact, found)
        return Finding(fact, module, DIFFERS if why else SAME, why)

    def all(self):
        return [self.look_at(fact) for fact in self.facts.values() if fact.kind != "module"]


def _check_function(fact, found):
    if not callable(found):
        return "cannot be called"
    ours = signature_of(found)
    if not fact.signature:
        return ""
    return "its signature cannot be known" if ours is None else difference(
        parse_signature(fact.signature), ours)


def _check_method(fact, found):
    name = fact.symbol.rpartition(".")[2]
    if name.startswith("__") and name not in ("__init__", "__call__", "__new__"):
        return ""  # called by Python's syntax, not by names of arguments
    if name == "__init__" and isinstance(found, types.WrapperDescriptorType):
        return "" if fact.signature in ("", "(self)") else "programs cannot make one"
    return _check_function(fact, found)


def _check_class(fact, found):
    del fact  # its signature is that of __init__, which has a row of its own
    is_enum_of_message = hasattr(getattr(found, "DESCRIPTOR", None), "values_by_name")
    return "" if inspect.isclass(found) or is_enum_of_message else "is not a class"


def _check_constant(fact, found):
    type_name, _, text = fact.signature.partition(" = ")
    if type(found).__name__ != type_name:
        return f"is of type {type(found).__name__} and not {type_name}"
    value = getattr(found, "as_datatype_enum", getattr(found, "value", found))
    if isinstance(value, (set, frozenset)) and text:
        return "" if value == ast.literal_eval(text) else f"is {sorted(value)}"
    if text and repr(value) != text:
        return f"is {value!r} and not {text}"
    return ""


_CHECKS = {"function": _check_function, "method": _check_method, "class": _check_class,
           "constant": _check_constant}
