"""The global step."""

from rill.train import (assert_global_step, create_global_step, get_global_step,  # noqa: F401
                        get_or_create_global_step, global_step)
