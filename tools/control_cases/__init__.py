"""The graphs of control_graphs.py, by what they are about."""
from control_cases import branches  # noqa: F401
from control_cases import loops  # noqa: F401
from control_cases import arrays  # noqa: F401
from control_cases import older_arrays  # noqa: F401
from control_cases import lists  # noqa: F401
from control_cases import list_errors  # noqa: F401
from control_cases import higher_order  # noqa: F401
from control_cases import gradients  # noqa: F401
from control_cases import recurrent  # noqa: F401
from control_cases import queues  # noqa: F401
from control_cases import staging  # noqa: F401
from control_cases import accumulators  # noqa: F401
from control_cases import algorithms  # noqa: F401
from control_cases.common import CASES  # noqa: F401
