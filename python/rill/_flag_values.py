"""All flags of a program together: they are read from a command line and looked up by name."""

import difflib
import os
import sys

from rill._flag_objects import (BooleanFlag, CantOpenFlagFileError, DuplicateFlagError, Error,
                                Flag, IllegalFlagValueError, UnrecognizedFlagError, ValidationError)


def calling_module():
    """The name of the module, outside of this package, that is running."""
    frame = sys._getframe(1)
    package = __name__.partition(".")[0] + "."
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if not name.startswith(package):
            return sys.argv[0] if name == "__main__" and sys.argv else name
        frame = frame.f_back
    return ""


def _flag_file_words(path, seen=()):
    """The flags of a file, one in a line, with those of the files it names in turn."""
    path = os.path.expanduser(path)
    if path in seen:
        raise CantOpenFlagFileError(f"Hit circular flagfile dependency: {path}")
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file]
    except OSError as error:
        raise CantOpenFlagFileError(f"ERROR:: Unable to open flagfile: {error}") from None
    words = []
    for line in lines:
        if not line or line.startswith(("#", "//")):
            continue
        name, equals, value = line.lstrip("-").partition("=")
        if name == "flagfile" and equals:
            words += _flag_file_words(value, (*seen, path))
        else:
            words.append(line)
    return words


class FlagValues:
    """Flags by name: values.steps is the value, values["steps"] the Flag."""

    def __init__(self):
        own = self.__dict__
        own["__flags"], own["__modules"], own["__key_flags"] = {}, {}, {}
        own["__parsed"], own["__gnu_getopt"], own["__validators"] = False, True, []

    # --- flags ------------------------------------------------------------------------------------------------

    def _flags(self):
        return self.__dict__["__flags"]

    def __contains__(self, name):
        return name in self._flags()

    def __iter__(self):
        return iter(self._flags())

    def __len__(self):
        return len(self._flags())

    def __dir__(self):
        return sorted(self._flags())

    def __getitem__(self, name):
        return self._flags()[name]

    def __setitem__(self, name, flag):
        if not isinstance(flag, Flag):
            raise IllegalFlagValueError(flag)
        if not name:
            raise Error("Flag name cannot be empty.")
        module = calling_module()
        known = self._flags().get(name)
        if known is not None and known is not flag and not flag.allow_override and not known.allow_override:
            raise DuplicateFlagError(
                f"The flag '{name}' is defined twice. First from {self.find_module_defining_flag(name)}, "
                f"Second from {module}.  Description from first occurrence: {known.help}")
        self._flags()[name] = flag
        self.__dict__["__modules"].setdefault(module, []).append(flag)
        if flag.short_name and flag.short_name != name:
            self._flags()[flag.short_name] = flag

    def __delitem__(self, name):
        flag = self._flags().pop(name)
        if flag not in self._flags().values():
            for flags in self.__dict__["__modules"].values():
                if flag in flags:
                    flags.remove(flag)

    def __getattr__(self, name):
        if name not in self._flags():
            raise AttributeError(name)
        if not self.is_parsed():  # TensorFlow reads the command line when a flag is first looked at
            self(sys.argv)
        return self._flags()[name].value

    def __setattr__(self, name, value):
        if name not in self._flags():
            raise AttributeError(name)
        flag = self._flags()[name]
        before = flag.value
        flag.value = value
        try:
            self._validate([flag])
        except IllegalFlagValueError:
            flag.value = before
            raise
        flag.using_default_value = False

    def __delattr__(self, name):
        del self[name]

    def __hash__(self):
        return id(self)

    # --- reading ----------------------------------------------------------------------------------------------

    def __call__(self, argv, known_only=False):
        """Takes the flags out of `argv`; what is left, the program's name first."""
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv should be a tuple/list of strings, not bytes or string.")
        if not argv:
            raise ValueError("argv cannot be an empty list, and must contain the program name as the first "
                             "element.")
        rest, unknown = self._parse_words(self.read_flags_from_files(list(argv[1:])), known_only)
        if unknown:
            name, value = unknown[0]
            raise UnrecognizedFlagError(name, value, difflib.get_close_matches(name, self._flags()))
        self.mark_as_parsed()
        self.validate_all_flags()
        return [argv[0], *rest]

    def _find(self, name):
        """The flag that a word means, and the value that a negated one has."""
        flag = self._flags().get(name)
        if flag is None and name.startswith("no"):
            flag = self._flags().get(name[2:])
            if flag is not None and flag.boolean:
                return flag, "false"
            flag = None
        return flag, "true" if flag is not None and flag.boolean else None

    def _parse_words(self, words, known_only):
        rest, unknown, allowed = [], [], set()
        words = iter(words)
        for word in words:
            if word == "--":
                rest += ["--", *words] if known_only else words
                break
            if not word.startswith("-") or word == "-":
                rest.append(word)
                if not self.is_gnu_getopt():
                    rest += words
                continue
            name, equals, value = word.lstrip("-").partition("=")
            if name == "undefok":
                value = value if equals else next(words, "")
                allowed |= {w.strip() for w in value.split(",")} | {f"no{w.strip()}" for w in value.split(",")}
                continue
            flag, implied = self._find(name)
            if flag is None:
                rest.append(word) if known_only else unknown.append((name, word))
                continue
            if implied == "false" and equals:
                raise IllegalFlagValueError(f"flag --{name}={value}: a negated flag takes no value")
            if not equals and implied is None:
                value = next(words, None)
                if value is None:
                    raise Error(f"Missing value for flag {word}")
            flag.using_default_value = False
            flag.parse(value if equals or implied is None else implied)
        return rest, [(name, word) for name, word in unknown if name not in allowed]

    def read_flags_from_files(self, argv, force_gnu=True):
        """`argv` with the flags of its --flagfile in their place."""
        del force_gnu
        words, given = [], iter(argv)
        for word in given:
            name, equals, value = word.lstrip("-").partition("=")
            if word == "--":
                words += [word, *given]
            elif word.startswith("-") and name == "flagfile":
                if not equals:
                    value = next(given, None)
                    if value is None:
                        raise IllegalFlagValueError("--flagfile with no argument")
                words += _flag_file_words(value)
            else:
                words.append(word)
        return words

    def is_parsed(self):
        return self.__dict__["__parsed"]

    def mark_as_parsed(self):
        self.__dict__["__parsed"] = True

    def unparse_flags(self):
        for flag in self._flags().values():
            flag.unparse()
        self.__dict__["__parsed"] = False

    def _parse_flags(self, args=None):
        """What programs of TensorFlow 1.4 and before call."""
        self([sys.argv[0], *(sys.argv[1:] if args is None else args)], known_only=True)

    def set_gnu_getopt(self, gnu_getopt=True):
        self.__dict__["__gnu_getopt"] = gnu_getopt

    def is_gnu_getopt(self):
        return self.__dict__["__gnu_getopt"]

    # --- validators -------------------------------------------------------------------------------------------

    def add_validator(self, names, check, message, many):
        for name in names:
            if name not in self._flags():
                raise UnrecognizedFlagError(name)
        self.__dict__["__validators"].append((tuple(names), check, message, many))

    def _validate(self, flags):
        names = {flag.name for flag in flags}
        for wanted, check, message, many in self.__dict__["__validators"]:
            if not names & set(wanted):
                continue
            values = {name: self._flags()[name].value for name in wanted}
            try:
                passed = check(values if many else values[wanted[0]])
            except ValidationError as error:
                passed, message = False, str(error)
            if not passed:
                said = ", ".join(f"flag --{name}={value}" for name, value in values.items())
                raise IllegalFlagValueError(f"{said}: {message}")

    def validate_all_flags(self):
        self._validate(list(self._flags().values()))

    # --- what there is ----------------------------------------------------------------------------------------

    def flag_values_dict(self):
        return {name: flag.value for name, flag in self._flags().items()}

    def flags_by_module_dict(self):
        return self.__dict__["__modules"]

    def find_module_defining_flag(self, flagname, default=None):
        flag = self._flags().get(flagname)
        for module, flags in self.__dict__["__modules"].items():
            if any(known is flag for known in flags):
                return module
        return default

    def register_key_flag_for_module(self, module_name, flag):
        self.__dict__["__key_flags"].setdefault(module_name, []).append(flag)

    def get_key_flags_for_module(self, module):
        name = module if isinstance(module, str) else module.__name__
        name = sys.argv[0] if name == "__main__" else name
        own = list(self.__dict__["__modules"].get(name, []))
        return own + [f for f in self.__dict__["__key_flags"].get(name, []) if f not in own]

    def set_default(self, name, value):
        if name not in self._flags():
            raise UnrecognizedFlagError(name, str(value))
        self._flags()[name]._set_default(value)
        self._validate([self._flags()[name]])

    def remove_flag_values(self, flag_values):
        for name in list(flag_values):
            del self[name]

    def append_flag_values(self, flag_values):
        for name in flag_values:
            self[name] = flag_values[name]

    def flags_into_string(self):
        distinct = dict.fromkeys(self._flags().values())
        return "".join(flag.serialize() + "\n" for flag in distinct if flag.value is not None)

    def append_flags_into_file(self, filename):
        with open(filename, "a", encoding="utf-8") as file:
            file.write(self.flags_into_string())

    def get_help(self, prefix="", include_special_flags=True):
        del include_special_flags
        return "\n".join(self.module_help(module, prefix) for module in sorted(self.flags_by_module_dict()))

    def module_help(self, module, prefix=""):
        lines = [f"\n{prefix}{module}:"]
        for flag in sorted(self.get_key_flags_for_module(module), key=lambda flag: flag.name):
            name = f"--[no]{flag.name}" if flag.boolean else f"--{flag.name}"
            short = f"-{flag.short_name}," if flag.short_name else ""
            lines.append(f"{prefix}  {short}{name}: {flag.help}")
            if flag.default_as_str is not None:
                lines.append(f"{prefix}    (default: {flag.default_as_str})")
            if flag.parser.syntactic_help:
                lines.append(f"{prefix}    ({flag.parser.syntactic_help})")
        return "\n".join(lines)

    def main_module_help(self):
        return self.module_help(sys.argv[0]).lstrip("\n")

    def __str__(self):
        return self.get_help()


FLAGS = FlagValues()
FLAGS["help"] = BooleanFlag("help", False, "show this help", short_name="?", allow_override=True)
FLAGS["helpfull"] = BooleanFlag("helpfull", False, "show full help", allow_override=True)
FLAGS["helpshort"] = BooleanFlag("helpshort", False, "show this help", allow_override=True)
