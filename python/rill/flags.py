"""tf.flags: what a program takes from its command line."""

import functools as _functools

from rill import _surface
from rill._flag_objects import (AliasFlag as _AliasFlag, BooleanFlag, CantOpenFlagFileError,
                                DuplicateFlagError, EnumClassFlag, EnumFlag, Error, Flag,
                                FlagNameConflictsWithMethodError, IllegalFlagValueError, MultiFlag,
                                UnparsedFlagAccessError, UnrecognizedFlagError, ValidationError)
from rill._flag_parsers import (ArgumentParser, ArgumentSerializer, BaseListParser, BooleanParser,
                                CsvListSerializer, EnumClassParser, EnumParser, FloatParser, IntegerParser,
                                ListParser, ListSerializer, WhitespaceSeparatedListParser)
from rill._flag_values import FLAGS, FlagValues, calling_module as _calling_module

_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _takes_old_names(define):
    """Arguments may have the names that they had before TensorFlow 1.5."""
    @_functools.wraps(define)
    def wrapper(*args, **kwargs):
        return define(*args, **{_OLD_NAMES.get(name, name): value for name, value in kwargs.items()})
    return wrapper


def DEFINE_flag(flag, flag_values=FLAGS, module_name=None, required=False):
    """Adds a flag that was made by hand."""
    flag_values[flag.name] = flag
    if module_name:
        flag_values.register_key_flag_for_module(module_name, flag)
    if required:
        mark_flag_as_required(flag.name, flag_values)


def DEFINE(parser, name, default, help, flag_values=FLAGS, serializer=None, module_name=None,
           required=False, **args):
    """A flag whose words `parser` understands."""
    DEFINE_flag(Flag(parser, serializer or ArgumentSerializer(), name, default, help, **args), flag_values,
                module_name, required)


@_takes_old_names
def DEFINE_string(name, default, help, flag_values=FLAGS, required=False, **args):
    DEFINE(ArgumentParser(), name, default, help, flag_values, required=required, **args)


@_takes_old_names
def DEFINE_boolean(name, default, help, flag_values=FLAGS, module_name=None, required=False, **args):
    """--name and --noname."""
    DEFINE_flag(BooleanFlag(name, default, help, **args), flag_values, module_name, required)


DEFINE_bool = DEFINE_boolean


@_takes_old_names
def DEFINE_float(name, default, help, lower_bound=None, upper_bound=None, flag_values=FLAGS,
                 required=False, **args):
    DEFINE(FloatParser(lower_bound, upper_bound), name, default, help, flag_values, required=required, **args)


@_takes_old_names
def DEFINE_integer(name, default, help, lower_bound=None, upper_bound=None, flag_values=FLAGS,
                   required=False, **args):
    DEFINE(IntegerParser(lower_bound, upper_bound), name, default, help, flag_values, required=required,
           **args)


@_takes_old_names
def DEFINE_enum(name, default, enum_values, help, flag_values=FLAGS, module_name=None, required=False,
                **args):
    """One of some strings."""
    DEFINE_flag(EnumFlag(name, default, help, enum_values, **args), flag_values, module_name, required)


def DEFINE_enum_class(name, default, enum_class, help, flag_values=FLAGS, module_name=None, required=False,
                      **args):
    """A member of an enum."""
    DEFINE_flag(EnumClassFlag(name, default, help, enum_class, **args), flag_values, module_name, required)


@_takes_old_names
def DEFINE_list(name, default, help, flag_values=FLAGS, required=False, **args):
    """Strings between commas."""
    DEFINE(ListParser(), name, default, help, flag_values, CsvListSerializer(","), required=required, **args)


def DEFINE_spaceseplist(name, default, help, comma_compat=False, flag_values=FLAGS, required=False, **args):
    """Strings between spaces."""
    DEFINE(WhitespaceSeparatedListParser(comma_compat), name, default, help, flag_values, ListSerializer(" "),
           required=required, **args)


def DEFINE_multi(parser, serializer, name, default, help, flag_values=FLAGS, module_name=None,
                 required=False, **args):
    """A flag that may be given many times."""
    DEFINE_flag(MultiFlag(parser, serializer, name, default, help, **args), flag_values, module_name, required)


def DEFINE_multi_string(name, default, help, flag_values=FLAGS, required=False, **args):
    DEFINE_multi(ArgumentParser(), ArgumentSerializer(), name, default, help, flag_values, None, required,
                 **args)


def DEFINE_multi_integer(name, default, help, lower_bound=None, upper_bound=None, flag_values=FLAGS,
                         required=False, **args):
    DEFINE_multi(IntegerParser(lower_bound, upper_bound), ArgumentSerializer(), name, default, help,
                 flag_values, None, required, **args)


def DEFINE_multi_float(name, default, help, lower_bound=None, upper_bound=None, flag_values=FLAGS,
                       required=False, **args):
    DEFINE_multi(FloatParser(lower_bound, upper_bound), ArgumentSerializer(), name, default, help,
                 flag_values, None, required, **args)


def DEFINE_multi_enum(name, default, enum_values, help, flag_values=FLAGS, case_sensitive=True,
                      required=False, **args):
    DEFINE_multi(EnumParser(enum_values, case_sensitive), ArgumentSerializer(), name, default,
                 f"<{'|'.join(enum_values)}>: {help}", flag_values, None, required, **args)


def DEFINE_alias(name, original_name, flag_values=FLAGS, module_name=None):
    """Another name of a flag."""
    if original_name not in flag_values:
        raise UnrecognizedFlagError(original_name)
    DEFINE_flag(_AliasFlag(name, original_name, flag_values), flag_values, module_name)


def register_validator(flag_name, checker, message="Flag validation failed", flag_values=FLAGS):
    """`checker` of the value must be true, whenever it is set."""
    flag_values.add_validator([flag_name], checker, message, False)


def validator(flag_name, message="Flag validation failed", flag_values=FLAGS):
    """register_validator as a decorator."""
    def register(function):
        register_validator(flag_name, function, message, flag_values)
        return function
    return register


def register_multi_flags_validator(flag_names, multi_flags_checker, message="Flags validation failed",
                                   flag_values=FLAGS):
    """`multi_flags_checker` of a dict of the values must be true."""
    flag_values.add_validator(flag_names, multi_flags_checker, message, True)


def multi_flags_validator(flag_names, message="Flag validation failed", flag_values=FLAGS):
    """register_multi_flags_validator as a decorator."""
    def register(function):
        register_multi_flags_validator(flag_names, function, message, flag_values)
        return function
    return register


def mark_flag_as_required(flag_name, flag_values=FLAGS):
    """The flag must have a value other than None."""
    register_validator(flag_name, lambda value: value is not None,
                       f"Flag --{flag_name} must have a value other than None.", flag_values)


def mark_flags_as_required(flag_names, flag_values=FLAGS):
    for name in flag_names:
        mark_flag_as_required(name, flag_values)


def _at_most_one(flag_names, required, flag_values, is_set, what):
    def check(values):
        count = sum(is_set(value) for value in values.values())
        if count == 1 or (not required and count == 0):
            return True
        raise ValidationError(f"{'Exactly' if required else 'At most'} one of "
                              f"({', '.join(flag_names)}) must {what}.")
    register_multi_flags_validator(flag_names, check, flag_values=flag_values)


def mark_flags_as_mutual_exclusive(flag_names, required=False, flag_values=FLAGS):
    """At most one of the flags is other than None; exactly one where `required`."""
    _at_most_one(flag_names, required, flag_values, lambda value: value is not None,
                 "have a value other than None")


def mark_bool_flags_as_mutual_exclusive(flag_names, required=False, flag_values=FLAGS):
    """At most one of the flags is true."""
    _at_most_one(flag_names, required, flag_values, bool, "be True")


def declare_key_flag(flag_name, flag_values=FLAGS):
    """The flag of another module belongs to the help of this one."""
    flag_values.register_key_flag_for_module(_calling_module(), flag_values[flag_name])


def adopt_module_key_flags(module, flag_values=FLAGS):
    """The flags of `module` belong to the help of this one."""
    for flag in flag_values.get_key_flags_for_module(module):
        flag_values.register_key_flag_for_module(_calling_module(), flag)


def disclaim_key_flags():
    """Flags are named in the help of who calls DEFINE_* as it is."""


def flag_dict_to_args(flag_map, multi_flags=None):
    """The words that give flags these values."""
    for name, value in flag_map.items():
        if value is None:
            yield f"--{name}"
        elif isinstance(value, bool):
            yield f"--{name}" if value else f"--no{name}"
        elif isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
            yield f"--{name}={value}"
        elif multi_flags and name in multi_flags:
            for item in value:
                yield f"--{name}={item}"
        else:
            yield f"--{name}={','.join(str(item) for item in value)}"


__getattr__, __dir__ = _surface.members_of(__name__)
