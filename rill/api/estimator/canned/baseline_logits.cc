#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/estimator/canned/logits.h"
#include "rill/api/gen/math.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::estimator {
namespace {

// The number of examples, and checks that all features have as many.
struct BatchSize {
  Output size = {};
  std::vector<Node*> checks = {};
};
BatchSize batch_size_of(const Features& features, const std::string& weight_key) {
  BatchSize batch;
  for (const auto& [key, feature] : features) {
    if (!key.empty() && key == weight_key) continue;
    const bool is_sparse = feature.spec().kind == data::ComponentKind::kSparse;
    const Output rows =
        parts::item(is_sparse ? feature.sparse().dense_shape : shape(feature.tensor()), 0);
    if (batch.size.node == nullptr)
      batch.size = rows;
    else
      batch.checks.push_back(&assert_equal(batch.size, rows));
  }
  return batch;
}

}  // namespace

LogitFn baseline_logit_fn_builder(std::int64_t num_outputs, const std::string& weight_key) {
  return [=](const Features& features, Mode) {
    const BatchSize batch = batch_size_of(features, weight_key);
    require(batch.size.node != nullptr, "There are no features that tell the size of a batch.");
    std::optional<ControlDependencies> checked;
    if (!batch.checks.empty()) checked.emplace(batch.checks);
    const VariableScopeBlock scope("baseline");
    const Variable bias = get_variable(
        "bias", {.shape = PartialShape({num_outputs}), .initializer = zeros_initializer()});
    const Input dims = parts::list_of({batch.size, static_cast<int>(num_outputs)});
    const Output rows = ones(as_tensor(dims, "ones/packed"));
    return raw::Mul(bias, rows);
  };
}

}  // namespace rill::estimator
