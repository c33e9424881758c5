"""tf.contrib.training.HParams: numbers and words that say how a model is built and trained."""

import functools
import json
import re

_ASSIGNMENT = re.compile(r"""
    (?P<name>[a-zA-Z][\w.]*)(?:\[\ *(?P<index>\d+)\ *\])?\s*=\s*
    (?:\[(?P<list>[^\]]*)\]|(?P<value>[^,\[]*))\s*(?:,|$)""", re.VERBOSE)


def _refuse(value, kind, name):
    raise ValueError(f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{value}'")


def _as_bool(text, name):
    if text in ("true", "True"):
        return True
    if text in ("false", "False"):
        return False
    try:
        return bool(int(text))
    except ValueError:
        _refuse(text, bool, name)


def _converted(text, kind, name):
    """A word as a value of the parameter's type."""
    if kind is bool:
        return _as_bool(text, name)
    if kind is type(None):
        return None if text == "None" else text
    try:
        return kind(text)
    except ValueError:
        _refuse(text, kind, name)


def _converted_of(values, kind, name, text):
    """The same of a part of `values`, which errors name."""
    try:
        return _converted(text, kind, name)
    except ValueError as error:
        raise ValueError(f"{error} in {values}") from None


def _cast(kind, value, name):
    """A value as one of the parameter's type, where nothing is lost."""
    if kind is type(None) or value is None or isinstance(value, kind) and not isinstance(value, bool):
        return value
    if isinstance(value, bool) != (kind is bool):
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    if kind is int and isinstance(value, float) and value != int(value) or \
            isinstance(value, str) != (kind is str):
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)


def parse_values(values, type_map, ignore_unknown=False):
    """{name: value} of "a=1,b=[2,3],c[0]=4"; elements come as {index: value}."""
    found, place = {}, 0
    while place < len(values):
        match = _ASSIGNMENT.match(values, place)
        if not match or match.end() == place:
            raise ValueError(f"Malformed hyperparameter value: {values[place:]}")
        place = match.end()
        name, index, items, value = match.group("name", "index", "list", "value")
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        kind = type_map[name]
        convert = functools.partial(_converted_of, values, kind, name)
        if items is not None:
            if index is not None:
                raise ValueError(f"Can't assign a list to an element of '{name}'")
            texts = [text.strip() for text in items.split(",") if text.strip()]
            found[name] = [convert(text) for text in texts]
        elif index is not None:
            known = found.setdefault(name, {})
            if not isinstance(known, dict) or int(index) in known:
                raise ValueError(f"Multiple assignments to variable '{name}' in {values}")
            known[int(index)] = convert(value.strip())
        elif name in found:
            raise ValueError(f"Multiple assignments to variable '{name}' in {values}")
        else:
            found[name] = convert(value.strip())
    return found


class HParams:
    """Named values, each of one type, which text can change."""

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        self._hparam_types, self._model_structure = {}, model_structure
        if hparam_def is not None:
            raise NotImplementedError("HParams' argument hparam_def is not supported")
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        """One more, whose type is the value's."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        is_list = isinstance(value, (list, tuple))
        if is_list and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0] if is_list else value), is_list)
        setattr(self, name, list(value) if is_list else value)

    def set_hparam(self, name, value):
        """Another value of the same type."""
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_cast(kind, item, name) for item in value])
            return
        if is_list:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        setattr(self, name, _cast(kind, value, name))

    def del_hparam(self, name):
        """One less."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        """Takes values from text: "rate=0.1,sizes=[1,2],sizes[0]=3"."""
        types = {name: kind for name, (kind, _) in self._hparam_types.items()}
        for name, value in parse_values(values, types).items():
            if isinstance(value, dict):
                changed = list(getattr(self, name))
                for index, item in value.items():
                    changed[index] = item
                value = changed
            self.set_hparam(name, value)
        return self

    def override_from_dict(self, values_dict):
        """Takes values from a dict."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    set_from_map = override_from_dict

    def parse_json(self, values_json):
        """Takes values from JSON."""
        return self.override_from_dict(json.loads(values_json))

    def values(self):
        """All of them, by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def to_json(self, indent=None, separators=None, sort_keys=False):
        """All of them as JSON; functions are left out."""
        known = {name: value for name, value in self.values().items() if not callable(value)}
        return json.dumps(known, indent=indent, separators=separators, sort_keys=sort_keys)

    def get(self, key, default=None):
        """One of them, or `default`, which must be of its type."""
        if key not in self._hparam_types:
            return default
        kind, is_list = self._hparam_types[key]
        items = default if is_list and isinstance(default, list) else [default]
        if default is not None and (is_list != isinstance(default, list)
                                    or any(not isinstance(item, kind) for item in items)):
            raise ValueError(f"HParam '{key}' is of type {kind}, default {default!r} is not")
        return getattr(self, key)

    def set_model_structure(self, model_structure):
        """Any object that belongs to them."""
        self._model_structure = model_structure

    def get_model_structure(self):
        """That object."""
        return self._model_structure

    def __contains__(self, key):
        return key in self._hparam_types

    def __str__(self):
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self):
        return f"{type(self).__name__}({sorted(self.values().items())})"
