#pragma once

#include "call.h"
#include "errors.h"
#include "rill/api/estimator/input/model.h"

namespace rill::python {

// A tf.estimator.export.ExportOutput as C++ has it, one of a program's own class included.
estimator::ExportOutput export_output_of(nb::handle output);
nb::object give(const estimator::ExportOutput& output);

void bind_estimator_inputs(nb::module_& m);
void bind_estimator_export(nb::module_& m);
void bind_estimator_training(nb::module_& m);

}  // namespace rill::python
