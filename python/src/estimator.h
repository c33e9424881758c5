#pragma once

#include <nanobind/nanobind.h>

#include "rill/api/estimator/core/estimator.h"

namespace rill::python {

namespace nb = nanobind;

// ModeKeys and back.
estimator::Mode mode_of(nb::handle mode);

// What input functions give: features and labels of any structure. Dictionaries with names as keys
// keep these, a lone tensor has the name "", what is in other structures is numbered.
estimator::InputBatch batch_of(nb::handle features, nb::handle labels);
nb::object python_features(const estimator::InputBatch& batch);
nb::object python_labels(const estimator::InputBatch& batch);  // None where there are none

estimator::Features features_of_dict(nb::handle dict);

// tf.estimator.EstimatorSpec and back.
estimator::EstimatorSpec spec_of(nb::handle spec);
nb::object python_spec(const estimator::EstimatorSpec& spec);

// tf.estimator.RunConfig.
estimator::RunConfig run_config_of(nb::handle config);

// `f` takes the mode and returns (dataset, a function that takes its parts and returns features and
// labels) or (None, (features, labels)).
estimator::InputFn input_fn_of(nb::handle f);

void bind_estimator(nb::module_& m);

}  // namespace rill::python
