"""tf.app: how a program starts."""

import sys as _sys

from rill import _surface, flags


def _usage(full):
    module = _sys.modules.get("__main__")
    text = (getattr(module, "__doc__", None) or f"\nUSAGE: {_sys.argv[0]} [flags]\n").replace("%s", _sys.argv[0])
    body = flags.FLAGS.get_help() if full else flags.FLAGS.main_module_help()
    hint = "" if full else "\n\nTry --helpfull to get a list of all flags."
    print(f"{text}\nflags:\n\n{body}{hint}")


def _parse(argv):
    """Takes the flags that are known; those of absl too where a program uses that as well."""
    rest = flags.FLAGS(argv, known_only=True)
    absl_flags = _sys.modules.get("absl.flags")
    if absl_flags is not None:
        rest = absl_flags.FLAGS(rest, known_only=True)
    return rest


def run(main=None, argv=None):
    """Reads the flags, calls main with the words that are left, and ends the program with what it returns."""
    main = main or _sys.modules["__main__"].main
    try:
        rest = _parse(_sys.argv if argv is None else list(argv))
    except flags.Error as error:
        print(f"FATAL Flags parsing error: {error}\nPass --helpshort or --helpfull to see help on flags.",
              file=_sys.stderr)
        _sys.exit(1)
    if flags.FLAGS.help or flags.FLAGS.helpshort or flags.FLAGS.helpfull:
        _usage(flags.FLAGS.helpfull)
        _sys.exit(1)
    _sys.exit(main(rest))


__getattr__, __dir__ = _surface.members_of(__name__)
