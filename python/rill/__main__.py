"""`python -m rill` is the `rill` command."""

from rill import _command

if __name__ == "__main__":
    _command.main()
