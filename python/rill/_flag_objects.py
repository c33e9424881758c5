"""Flags: a name, a value, and what may be said about it."""

from rill import _flag_parsers as parsers


class Error(Exception):
    """Whatever goes wrong with flags."""


class CantOpenFlagFileError(Error):
    pass


class DuplicateFlagError(Error):
    pass


class IllegalFlagValueError(Error):
    pass


class UnrecognizedFlagError(Error):
    """A word that names no flag."""

    def __init__(self, flagname, flagvalue="", suggestions=None):
        self.flagname, self.flagvalue = flagname, flagvalue
        hint = f". Did you mean: {', '.join(suggestions)} ?" if suggestions else ""
        super().__init__(f"Unknown command line flag '{flagname}'{hint}")


class UnparsedFlagAccessError(Error):
    pass


class FlagNameConflictsWithMethodError(Error):
    pass


class ValidationError(Error):
    pass


class Flag:
    """One flag of a program."""

    def __init__(self, parser, serializer, name, default, help_string, short_name=None, boolean=False,
                 allow_override=False):
        self.name, self.short_name, self.boolean = name, short_name, boolean
        self.help = help_string or "(no help available)"
        self.parser, self.serializer, self.allow_override = parser, serializer, allow_override
        self.present, self.using_default_value = 0, True
        self.validators = []
        self._set_default(default)

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value

    def _parse(self, argument):
        try:
            return self.parser.parse(argument)
        except (TypeError, ValueError) as error:
            said = error.args[0] if error.args else error
            raise IllegalFlagValueError(f"flag --{self.name}={argument}: {said}") from None

    def parse(self, argument):
        """Takes a word of the command line."""
        self._value = self._parse(argument)
        self.present += 1

    def unparse(self):
        self._value, self.using_default_value, self.present = self.default, True, 0

    def _set_default(self, value):
        self.default_unparsed = value
        self.default = None if value is None else self._parse(value)
        self.default_as_str = self._shown(self.default)
        if self.using_default_value:
            self._value = self.default

    def _shown(self, value):
        if value is None:
            return None
        if self.boolean:
            return repr("true" if value else "false")
        return repr(self.serializer.serialize(value) if self.serializer else str(value))

    def serialize(self):
        """As a word that gives the flag its present value."""
        if self._value is None:
            return ""
        if self.boolean:
            return f"--{self.name}" if self._value else f"--no{self.name}"
        return f"--{self.name}={self.serializer.serialize(self._value)}"

    def flag_type(self):
        return self.parser.flag_type()


class BooleanFlag(Flag):
    def __init__(self, name, default, help, short_name=None, **args):
        super().__init__(parsers.BooleanParser(), parsers.ArgumentSerializer(), name, default, help,
                         short_name, True, **args)


class EnumFlag(Flag):
    def __init__(self, name, default, help, enum_values, short_name=None, case_sensitive=True, **args):
        super().__init__(parsers.EnumParser(enum_values, case_sensitive), parsers.ArgumentSerializer(),
                         name, default, f"<{'|'.join(enum_values)}>: {help or '(no help available)'}",
                         short_name, **args)


class EnumClassFlag(Flag):
    def __init__(self, name, default, help, enum_class, short_name=None, **args):
        names = "|".join(enum_class.__members__)
        super().__init__(parsers.EnumClassParser(enum_class), parsers.EnumClassSerializer(), name, default,
                         f"<{names}>: {help or '(no help available)'}", short_name, **args)


class MultiFlag(Flag):
    """A flag that may be given many times; its value is the list of all."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.help += ";\n    repeat this option to specify a list of values"

    def _parse(self, argument):
        items = argument if isinstance(argument, (list, tuple)) else [argument]
        return [super(MultiFlag, self)._parse(item) for item in items]

    def parse(self, argument):
        new = self._parse(argument)
        self._value = [*self._value, *new] if self.present else new
        self.present += len(new)

    def serialize(self):
        words = [f"--{self.name}={self.serializer.serialize(item)}" for item in self._value or []]
        return "\n".join(words)

    def flag_type(self):
        return "multi " + self.parser.flag_type()


class AliasFlag(Flag):
    """Another name of a flag."""

    def __init__(self, name, original, values):
        target = values[original]
        self._target = target
        super().__init__(target.parser, target.serializer, name, None, f"Alias for --{original}.",
                         boolean=target.boolean)

    @property
    def value(self):
        return self._target.value

    @value.setter
    def value(self, value):
        self._target.value = value

    def parse(self, argument):
        self._target.using_default_value = False
        self._target.parse(argument)
        self.present += 1
