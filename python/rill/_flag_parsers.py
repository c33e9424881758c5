"""Words of a command line as values, and values as words again."""

import csv
import enum
import io


class ArgumentParser:
    """Strings as they are."""

    syntactic_help = ""

    def parse(self, argument):
        if not isinstance(argument, str):
            raise TypeError(f"flag value must be a string, found \"{type(argument)}\"")
        return argument

    def flag_type(self):
        return "string"


class ArgumentSerializer:
    """Values as text."""

    def serialize(self, value):
        return str(value)


class NumericParser(ArgumentParser):
    """Numbers, perhaps within bounds."""

    kinds = ("", "")  # with article, without

    def __init__(self, lower_bound=None, upper_bound=None):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        article, kind = self.kinds
        named = {(0, None): f"a non-negative {kind}", (1, None): f"a positive {kind}",
                 (None, 0): f"a non-positive {kind}", (None, -1): f"a negative {kind}"}
        if (lower_bound, upper_bound) in named:
            self.syntactic_help = named[lower_bound, upper_bound]
        elif lower_bound is not None and upper_bound is not None:
            self.syntactic_help = f"{article} in the range [{lower_bound}, {upper_bound}]"
        elif upper_bound is not None:
            self.syntactic_help = f"{article} <= {upper_bound}"
        elif lower_bound is not None:
            self.syntactic_help = f"{article} >= {lower_bound}"
        else:
            self.syntactic_help = article

    def is_outside_bounds(self, value):
        return (self.lower_bound is not None and value < self.lower_bound) or (
            self.upper_bound is not None and value > self.upper_bound)

    def parse(self, argument):
        value = self.convert(argument)
        if self.is_outside_bounds(value):
            raise ValueError(f"{value} is not {self.syntactic_help}")
        return value


class IntegerParser(NumericParser):
    kinds = ("an integer", "integer")

    def convert(self, argument):
        if isinstance(argument, str):
            base = {"0x": 16, "0o": 8}.get(argument[:2].lower(), 10)
            return int(argument, base)
        if isinstance(argument, int) and not isinstance(argument, bool):
            return argument
        raise TypeError(f"Expect argument to be a string or int, found {type(argument)}")

    def flag_type(self):
        return "int"


class FloatParser(NumericParser):
    kinds = ("a number", "number")

    def convert(self, argument):
        if isinstance(argument, (int, float, str)) and not isinstance(argument, bool):
            return float(argument)
        raise TypeError(f"Expect argument to be a string, int, or float, found {type(argument)}")

    def flag_type(self):
        return "float"


class BooleanParser(ArgumentParser):
    """true, t, 1; false, f, 0."""

    def parse(self, argument):
        if isinstance(argument, str):
            if argument.lower() in ("true", "t", "1"):
                return True
            if argument.lower() in ("false", "f", "0"):
                return False
            raise ValueError("Non-boolean argument to boolean flag", argument)
        if isinstance(argument, int) and argument in (0, 1):
            return bool(argument)
        raise TypeError("Non-boolean argument to boolean flag", argument)

    def flag_type(self):
        return "bool"


class EnumParser(ArgumentParser):
    """One of some strings."""

    def __init__(self, enum_values, case_sensitive=True):
        if not enum_values:
            raise ValueError(f"enum_values cannot be empty, found \"{enum_values}\"")
        self.enum_values, self.case_sensitive = list(enum_values), case_sensitive

    def parse(self, argument):
        for value in self.enum_values:
            if argument == value or (not self.case_sensitive and argument.lower() == value.lower()):
                return value
        raise ValueError(f"value should be one of <{'|'.join(self.enum_values)}>")

    def flag_type(self):
        return "string enum"


class EnumClassParser(ArgumentParser):
    """A member of an enum by its name."""

    def __init__(self, enum_class):
        if not issubclass(enum_class, enum.Enum):
            raise TypeError(f"{enum_class} is not a subclass of Enum.")
        if not enum_class.__members__:
            raise ValueError(f"enum_class cannot be empty, but \"{enum_class}\" is empty.")
        self.enum_class = enum_class

    def parse(self, argument):
        if isinstance(argument, self.enum_class):
            return argument
        if argument not in self.enum_class.__members__:
            raise ValueError(f"value should be one of <{'|'.join(self.enum_class.__members__)}>")
        return self.enum_class[argument]

    def flag_type(self):
        return "enum class"


class EnumClassSerializer(ArgumentSerializer):
    def serialize(self, value):
        return value.name


class ListSerializer(ArgumentSerializer):
    def __init__(self, list_sep):
        self.list_sep = list_sep

    def serialize(self, value):
        return self.list_sep.join(str(item) for item in value)


class CsvListSerializer(ListSerializer):
    """Quotes where a comma stands inside an item."""

    def serialize(self, value):
        text = io.StringIO()
        csv.writer(text, delimiter=self.list_sep).writerow([str(item) for item in value])
        return text.getvalue().strip()


class BaseListParser(ArgumentParser):
    """Strings between separators."""

    def __init__(self, token=None, name=None):
        self._token, self._name = token, name
        self.syntactic_help = f"a {name} separated list"

    def parse(self, argument):
        if isinstance(argument, list):
            return argument
        return [word.strip() for word in argument.split(self._token)] if argument else []

    def flag_type(self):
        return f"{self._name} separated list of strings"


class ListParser(BaseListParser):
    def __init__(self):
        super().__init__(",", "comma")

    def parse(self, argument):
        if isinstance(argument, list):
            return argument
        if not argument:
            return []
        try:
            return [word.strip() for word in next(csv.reader([argument], strict=True))]
        except csv.Error as error:
            raise ValueError(f"Unable to parse the value {argument!r} as a comma separated list: "
                             f"{error}") from None


class WhitespaceSeparatedListParser(BaseListParser):
    def __init__(self, comma_compat=False):
        self._comma_compat = comma_compat
        super().__init__(None, "whitespace or comma" if comma_compat else "whitespace")

    def parse(self, argument):
        if isinstance(argument, list):
            return argument
        return (argument.replace(",", " ") if self._comma_compat else argument).split() if argument else []
