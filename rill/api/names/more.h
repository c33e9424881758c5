#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/gradients.h"
#include "rill/api/core/session.h"
#include "rill/api/data/iterator.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gradients/custom_gradient.h"
#include "rill/api/lookup/static_tables.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/signatures.h"
#include "rill/api/variables/generator.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/proto/messages_fwd.h"

// Messages, enumerations and short functions under TensorFlow's names. Programs that look into a
// message include <rill/messages.h>.
namespace rill {

using saved_model::TensorInfo;
using tensorflow::ConfigProto;
using tensorflow::GPUOptions;
using tensorflow::GraphOptions;
using tensorflow::NameAttrList;
using tensorflow::OptimizerOptions;

using AggregationMethod = Aggregation;
using UnconnectedGradients = Unconnected;

namespace train {
using tensorflow::ClusterDef;
using tensorflow::JobDef;
using tensorflow::SaverDef;
using tensorflow::ServerDef;
// load_checkpoint(): names, shapes and values of a checkpoint.
inline std::unique_ptr<CheckpointReader> NewCheckpointReader(const std::string& filepattern) {
  return load_checkpoint(filepattern);
}
// The value of the counter of steps.
inline std::int64_t global_step(Session& session, const Variable& global_step_tensor) {
  const Tensor value = session.run(global_step_tensor.snapshot());
  return value.dtype() == DType::i32 ? value.scalar_value<std::int32_t>()
                                     : value.scalar_value<std::int64_t>();
}
}  // namespace train

// Methods of datasets as functions.
namespace data {
inline Iterator make_one_shot_iterator(const Dataset& dataset) {
  return dataset.make_one_shot_iterator();
}
inline Iterator make_initializable_iterator(const Dataset& dataset,
                                            const std::string& shared_name = {}) {
  return dataset.make_initializable_iterator(shared_name);
}
using DatasetSpec = ElementSpec;
namespace experimental {
using Structure = ComponentSpec;
using Optional = Component;
using DatasetStructure = ElementSpec;
}  // namespace experimental
}  // namespace data

namespace saved_model {
namespace main_op {
// Variables, local variables and tables get their first values.
inline Node& main_op() {
  return group(
      {&global_variables_initializer(), &local_variables_initializer(), &tables_initializer()});
}
// And an operation that restores variables: behind them when it is run as a whole.
inline Node& main_op_with_restore(Node& restore_op) {
  const ControlDependencies behind({&main_op()});
  return group({&restore_op});
}
inline Node& main_op_with_restore(const std::string& restore_op_name) {
  return main_op_with_restore(default_graph()->at(restore_op_name));
}
}  // namespace main_op
using main_op::main_op_with_restore;
}  // namespace saved_model

// The generator of the program, for its default graph: made when it is first asked for.
namespace random::experimental {
Generator& get_global_generator();
void set_global_generator(const Generator& generator);
}  // namespace random::experimental

}  // namespace rill
