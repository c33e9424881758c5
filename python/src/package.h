#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

namespace rill::python {

namespace nb = nanobind;

// Everything of the Python package that the extension uses: classes to make and recognise objects
// of, and functions to call. No other file of the extension imports the package
// (tools/check_layers.py), and tests/python/test_seam.py finds each of these in it.
namespace package {

// A class or function of the package. Its module is imported when it is first used, never earlier.
// Needs the GIL; raises ImportError or AttributeError where the package lacks it.
class Member {
 public:
  constexpr Member(const char* module, const char* name) : module_(module), name_(name) {}
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  nb::object get() const;
  template <class... Args>
  nb::object operator()(Args&&... args) const {
    return get()(std::forward<Args>(args)...);
  }

 private:
  const char* module_;
  const char* name_;
  mutable PyObject* found_ = nullptr;
};

// --- names that programs see -------------------------------------------------------------------

inline constinit Member add_to_collection{"rill", "add_to_collection"};
inline constinit Member convert_to_tensor{"rill", "convert_to_tensor"};
inline constinit Member op_error{"rill.errors", "OpError"};
inline constinit Member unknown_error{"rill.errors", "UnknownError"};
inline constinit Member error_code_of{"rill.errors", "error_code_from_exception_type"};
inline constinit Member error_class_of{"rill.errors", "exception_type_from_error_code"};
inline constinit Member get_logger{"rill.logging", "get_logger"};
inline constinit Member proto_module{"rill.proto", "module"};
inline constinit Member saver{"rill.train", "Saver"};
inline constinit Member warm_start{"rill.train", "warm_start"};

// --- graphs and values -------------------------------------------------------------------------

inline constinit Member collection_ref{"rill._collections", "CollectionRef"};
inline constinit Member lazy_tensor{"rill._collections", "LazyTensor"};
inline constinit Member flatten{"rill._nest", "flatten"};
inline constinit Member ragged_tensor{"rill._ragged_tensor", "RaggedTensor"};
inline constinit Member indexed_slices{"rill._slices", "IndexedSlices"};
inline constinit Member sparse_tensor{"rill._sparse_tensor", "SparseTensor"};
inline constinit Member sparse_tensor_value{"rill._sparse_tensor", "SparseTensorValue"};
inline constinit Member tensor_array{"rill._tensor_array", "TensorArray"};

// --- variables ---------------------------------------------------------------------------------

inline constinit Member from_checkpoint{"rill._initializers", "FromCheckpoint"};
inline constinit Member children{"rill._trackable", "children"};
inline constinit Member is_python_state{"rill._trackable", "is_python_state"};
inline constinit Member auto_reuse{"rill._variable_scope", "AUTO_REUSE"};
inline constinit Member getter{"rill._variable_scope", "Getter"};
inline constinit Member partition_info{"rill._variable_scope", "PartitionInfo"};
inline constinit Member partitioned_variable{"rill._variable_scope", "PartitionedVariable"};
inline constinit Member variable_scope{"rill._variable_scope", "VariableScope"};
inline constinit Member call_initializer{"rill._variable_scope", "call_initializer"};
inline constinit Member takes_no_arguments{"rill._variable_scope", "takes_no_arguments"};
inline constinit Member unread_variable{"rill._variables", "UnreadVariable"};
inline constinit Member variable{"rill._variables", "Variable"};
inline constinit Member variable_aggregation{"rill._variables", "VariableAggregation"};
inline constinit Member variable_synchronization{"rill._variables", "VariableSynchronization"};

// --- sessions and training ---------------------------------------------------------------------

inline constinit Member coordinator{"rill._coordinator", "Coordinator"};
inline constinit Member file_writer{"rill._file_writer", "FileWriter"};
inline constinit Member summary_iterator{"rill._file_writer", "SummaryIterator"};
inline constinit Member nan_loss_error{"rill._hooks", "NanLossDuringTrainingError"};
inline constinit Member optimizer{"rill._optimizers", "Optimizer"};
inline constinit Member create_threads{"rill._queue_runners", "create_threads"};
inline constinit Member start_queue_runners{"rill._queue_runners", "start_queue_runners"};
inline constinit Member scaffold{"rill._scaffold", "Scaffold"};
inline constinit Member scaffold_around{"rill._scaffold", "around"};
inline constinit Member saver_or_default{"rill._scaffold", "saver_or_default"};
inline constinit Member device_attributes{"rill._session", "DeviceAttributes"};
inline constinit Member feed_expansion{"rill._session_conversions", "feed_expansion"};
inline constinit Member feed_targets{"rill._session_conversions", "feed_targets"};
inline constinit Member fetch_expansion{"rill._session_conversions", "fetch_expansion"};
inline constinit Member tensor_handle{"rill._session_handles", "TensorHandle"};
inline constinit Member session_creator_core{"rill._session_manager", "core_of"};
inline constinit Member session_run_args{"rill._session_run_hook", "SessionRunArgs"};
inline constinit Member session_run_context{"rill._session_run_hook", "SessionRunContext"};
inline constinit Member session_run_values{"rill._session_run_hook", "SessionRunValues"};
inline constinit Member hook_core{"rill._session_run_hook", "core_of"};
inline constinit Member first_saver{"rill._supervisor", "first_saver"};

// --- layers, distributions, linear operators ---------------------------------------------------

inline constinit Member distribution{"rill._distributions", "Distribution"};
inline constinit Member registered_kl{"rill._distributions", "_registered_kl"};
inline constinit Member call_arguments_of{"rill._layer_call", "call_arguments_of"};
inline constinit Member linear_operator{"rill._linear_operators", "LinearOperator"};

// --- input -------------------------------------------------------------------------------------

inline constinit Member fixed_len_feature{"rill._features", "FixedLenFeature"};
inline constinit Member fixed_len_sequence_feature{"rill._features", "FixedLenSequenceFeature"};
inline constinit Member sparse_feature{"rill._features", "SparseFeature"};
inline constinit Member var_len_feature{"rill._features", "VarLenFeature"};
inline constinit Member tf_record_options{"rill._records", "TFRecordOptions"};

// --- estimators --------------------------------------------------------------------------------

inline constinit Member estimator_spec{"rill.estimator._model_fn", "EstimatorSpec"};
inline constinit Member adopt_listeners{"rill.estimator._structures", "adopt_listeners"};
inline constinit Member hook_object{"rill.estimator._structures", "hook_object"};
inline constinit Member named_leaves{"rill.estimator._structures", "named_leaves"};
inline constinit Member export_output{"rill.estimator.export", "_of_core"};

// --- feature columns: those of today, and those that programs wrote for earlier versions -------

inline constinit Member column_kinds{"rill.feature_column._columns", "KINDS"};
inline constinit Member column{"rill.feature_column._columns", "FeatureColumn"};
inline constinit Member old_column{"rill.feature_column._columns", "_FeatureColumn"};
inline constinit Member dense{"rill.feature_column._columns", "DenseColumn"};
inline constinit Member old_dense{"rill.feature_column._columns", "_DenseColumn"};
inline constinit Member categorical{"rill.feature_column._columns", "CategoricalColumn"};
inline constinit Member old_categorical{"rill.feature_column._columns", "_CategoricalColumn"};
inline constinit Member sequence_dense{"rill.feature_column._columns", "SequenceDenseColumn"};
inline constinit Member old_sequence_dense{"rill.feature_column._columns", "_SequenceDenseColumn"};

// The package itself, which signatures call `tf`.
nb::object tf();
// The class of linear operators that has this name in TensorFlow.
nb::object linear_operator_class(const std::string& name);

}  // namespace package
}  // namespace rill::python
