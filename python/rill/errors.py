"""What a failed step raises: one class for each of TensorFlow's error codes."""

from rill import _surface
from rill._rill import OperatorNotAllowedInGraphError  # noqa: F401

OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS = range(7)
PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE = range(7, 12)
UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED = range(12, 17)


class OpError(Exception):
    """A step failed. `op` is the operation at fault, None where that is not known."""

    def __init__(self, node_def, op, message, error_code):
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    @property
    def message(self):
        return self._message

    @property
    def op(self):
        return self._op

    @property
    def error_code(self):
        return self._error_code

    @property
    def node_def(self):
        if self._node_def is None and self._op is not None:
            return self._op.node_def
        return self._node_def

    def __reduce__(self):
        # Graphs do not travel with a pickled error.
        init_args = (None, None, self._message)
        if type(self) is OpError:
            init_args += (self._error_code,)
        return type(self), init_args

    def __str__(self):
        return self._message


_classes = {}


def _declare(name, code, doc):
    def __init__(self, node_def, op, message):
        OpError.__init__(self, node_def, op, message, code)

    cls = type(name, (OpError,), {"__init__": __init__, "__doc__": doc, "__module__": __name__})
    _classes[code] = cls
    return cls


CancelledError = _declare("CancelledError", CANCELLED, "The step or its session was cancelled.")


class UnknownError(OpError):
    """Nothing more is known of the failure."""

    def __init__(self, node_def, op, message, error_code=UNKNOWN):
        super().__init__(node_def, op, message, error_code)


_classes[UNKNOWN] = UnknownError
InvalidArgumentError = _declare("InvalidArgumentError", INVALID_ARGUMENT,
                                "An operation got an input that it cannot work with.")
DeadlineExceededError = _declare("DeadlineExceededError", DEADLINE_EXCEEDED,
                                 "The time allowed was over before the step was done.")
NotFoundError = _declare("NotFoundError", NOT_FOUND, "Something asked for is not there.")
AlreadyExistsError = _declare("AlreadyExistsError", ALREADY_EXISTS,
                              "Something to be made is there already.")
PermissionDeniedError = _declare("PermissionDeniedError", PERMISSION_DENIED,
                                 "The caller may not do this.")
ResourceExhaustedError = _declare("ResourceExhaustedError", RESOURCE_EXHAUSTED,
                                  "Memory, disk or another resource ran out.")
FailedPreconditionError = _declare("FailedPreconditionError", FAILED_PRECONDITION,
                                   "The state does not allow the operation: a variable is not "
                                   "initialized, for example.")
AbortedError = _declare("AbortedError", ABORTED, "The operation was given up, often for a race.")
OutOfRangeError = _declare("OutOfRangeError", OUT_OF_RANGE, "Past the end: there is no more data.")
UnimplementedError = _declare("UnimplementedError", UNIMPLEMENTED, "Rill cannot do this.")
InternalError = _declare("InternalError", INTERNAL, "Something in Rill itself is broken.")
UnavailableError = _declare("UnavailableError", UNAVAILABLE, "The service cannot be reached.")
DataLossError = _declare("DataLossError", DATA_LOSS, "Data are damaged or lost.")
UnauthenticatedError = _declare("UnauthenticatedError", UNAUTHENTICATED,
                                "The caller's identity is not established.")


def exception_type_from_error_code(error_code):
    """The class for a code; UnknownError for one that is not in the list."""
    return _classes.get(error_code, UnknownError)


def error_code_from_exception_type(cls):
    """The code of a class; raises KeyError for a class of another kind."""
    return {known: code for code, known in _classes.items()}[cls]


class raise_exception_on_not_ok_status:
    """A block that is given a status object and raises the error that it holds at the end."""

    class Status:
        """What C functions report: a code and a message."""

        code, message = OK, ""

        def set(self, code, message):
            self.code, self.message = code, message

    def __enter__(self):
        self.status = self.Status()
        return self.status

    def __exit__(self, type_arg, value_arg, traceback_arg):
        if type_arg is None and self.status.code != OK:
            raise exception_type_from_error_code(self.status.code)(None, None, self.status.message)
        return False


__getattr__, __dir__ = _surface.members_of(__name__)
