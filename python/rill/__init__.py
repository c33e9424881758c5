"""Dataflow graphs for machine learning, compatible with TensorFlow 1.x."""

import os as _os

from rill import _module_finder, _rill, _tensorboard_alias  # noqa: F401 (the finders, before modules without files are asked for)
from rill import _callables, _pickling  # noqa: F401
from rill import dtypes, errors, random, raw_ops, resource_loader, sysconfig
from rill._gradients import NoGradient, NotDifferentiable, RegisterGradient
from rill._libraries import load_file_system_library, load_library, load_op_library
from rill._rill import (DeviceSpec, Dimension, Graph, Operation, Session, Tensor, TensorShape,
                        constant, convert_to_tensor, dimension_at_index, dimension_value, executing_eagerly,
                        from_dlpack,
                        get_default_graph, get_default_session, gradients, import_graph_def,
                        no_op, placeholder, reset_default_graph, to_dlpack)
from rill._control_flow import Assert, case, cond, group, switch_case, while_loop
from rill._control_flow import tuple_ as tuple
from rill._graph_names import *  # noqa: F403
from rill._functional import foldl, foldr, map_fn, scan, vectorized_map
from rill._accumulators import SparseConditionalAccumulator
from rill._rill import ConditionalAccumulator, ConditionalAccumulatorBase
from rill._rill import (FixedLengthRecordReader, IdentityReader, LMDBReader, ReaderBase, TextLineReader,
                        TFRecordReader, WholeFileReader)
from rill._batch_function import nondifferentiable_batch_function
from rill._composite_specs import OptionalSpec, RaggedTensorSpec, SparseTensorSpec, TensorArraySpec
from rill._critical_section import CriticalSection
from rill._custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from rill._print import print_ as print
from rill._tape import GradientTape
from rill._scopes import colocate_with, control_dependencies, device, name_scope
from rill._session import InteractiveSession
from rill._collections import (GraphKeys, add_to_collection, add_to_collections, get_collection,
                               get_collection_ref)
from rill._initializers import (constant_initializer, glorot_normal_initializer,
                                glorot_uniform_initializer, ones_initializer,
                                orthogonal_initializer, random_normal_initializer,
                                random_uniform_initializer, truncated_normal_initializer,
                                uniform_unit_scaling_initializer, variance_scaling_initializer,
                                zeros_initializer)
from rill._module import Module
from rill._function import function
from rill._wrap_function import wrap_function
from rill._variable_scope import (AUTO_REUSE, VariableScope, create_partitioned_variables,
                                  get_local_variable, get_variable,
                                  get_variable_scope, make_template, no_regularizer,
                                  variable_op_scope, variable_scope)
from rill._variables import (Variable, VariableAggregation, VariableSynchronization,
                             disable_resource_variables, enable_resource_variables,
                             resource_variables_enabled, variable_creator_scope)
from rill._slices import AggregationMethod, IndexedSlices, UnconnectedGradients
from rill._ragged_tensor import RaggedTensor
from rill._sparse_tensor import SparseTensor, SparseTensorValue
from rill._tensor_array import TensorArray
from rill.script_ops import numpy_function, py_func, py_function
from rill._array import meshgrid
from rill._features import FixedLenFeature, FixedLenSequenceFeature, SparseFeature, VarLenFeature
from rill import _private_members, _surface  # noqa: F401

globals().update({name: getattr(dtypes, name) for name in dtypes._OF_TOP})
__version__ = "0.1.0"
newaxis = None

# Frames of these folders are left out of the stacks that operations remember.
_here = _os.path.dirname(_os.path.abspath(__file__))
_rill.set_own_directories([_here + _os.sep,
                           _os.path.join(_os.path.dirname(_here), "compat") + _os.sep])

if _os.environ.get("RILL_DEBUG"):
    from rill import _tfdbg_start  # noqa: F401


def get_logger():
    """The logger that tf.logging writes to."""
    from rill import logging
    return logging.get_logger()


__getattr__, __dir__ = _surface.members_of(__name__)
