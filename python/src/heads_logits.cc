#include "rill/api/estimator/canned/logits.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "estimator.h"
#include "feature_columns.h"
#include "heads.h"
#include "in_place.h"
#include "inputs.h"
#include "layers.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

nb::object dnn_logits(nb::handle features, nb::handle mode, std::int64_t units,
                      const std::vector<std::int64_t>& hidden_units, nb::handle feature_columns,
                      nb::object activation_fn, std::optional<double> dropout,
                      nb::handle input_layer_partitioner, bool batch_norm) {
  return in_place(features, [&] {
    const estimator::LogitFn logits = estimator::dnn_logit_fn_builder(
        units, hidden_units, columns_of(feature_columns),
        {.activation_fn = activation_fn.is_none() ? layers::Activation()
                                                  : layers::Activation(function_of(activation_fn)),
         .dropout = dropout,
         .input_layer_partitioner = partitioner_of(input_layer_partitioner),
         .batch_norm = batch_norm});
    return give(logits(named_parts_of(features), mode_of(mode)));
  });
}

nb::object linear_logits(nb::handle features, std::int64_t units, nb::handle feature_columns,
                         const std::string& sparse_combiner) {
  return in_place(features, [&] {
    const estimator::LogitFn logits =
        estimator::linear_logit_fn_builder(units, columns_of(feature_columns), sparse_combiner);
    return give(logits(named_parts_of(features), estimator::Mode::kTrain));
  });
}

nb::object baseline_logits(nb::handle features, std::int64_t num_outputs,
                           const std::string& weight_key) {
  return in_place(features, [&] {
    const estimator::LogitFn logits = estimator::baseline_logit_fn_builder(num_outputs, weight_key);
    return give(logits(named_parts_of(features), estimator::Mode::kTrain));
  });
}

}  // namespace

void bind_canned(nb::module_& m) {
  m.def("dnn_logits", dnn_logits, nb::arg("features"), nb::arg("mode"), nb::arg("units"),
        nb::arg("hidden_units"), nb::arg("feature_columns"), nb::arg("activation_fn").none(),
        nb::arg("dropout").none(), nb::arg("input_layer_partitioner").none(),
        nb::arg("batch_norm"));
  m.def("linear_logits", linear_logits);
  m.def("baseline_logits", baseline_logits);
}

}  // namespace rill::python
