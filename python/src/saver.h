#pragma once

#include <nanobind/nanobind.h>

#include "rill/api/saver/saver.h"

namespace rill::python {

namespace nb = nanobind;

// Steps are run by whatever object of the program has a `run`.
train::Saver::RunStep steps_of(nb::handle sess);

// What programs give a Saver: variables, their parts, saveable objects, lists of these.
void add_to_save(nb::handle value, std::vector<train::ToSave>& list);

void bind_checkpoints(nb::module_& m);
void bind_contrib_framework();
void bind_keras_files(nb::module_& m);
void bind_meta_graph(nb::module_& m);
void bind_object_checkpoints(nb::module_& m);
void bind_object_models(nb::module_& m);
void bind_saved_model(nb::module_& m);
void bind_saver(nb::module_& m);
void bind_warm_start();

}  // namespace rill::python
