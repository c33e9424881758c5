"""Graphs, and the registration of gradients."""

from rill import (Graph, IndexedSlices, NoGradient, NotDifferentiable, Operation, RegisterGradient,
                  Tensor, colocate_with, control_dependencies, convert_to_tensor, device,
                  get_default_graph, get_default_session, name_scope, reset_default_graph)
