#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "rill/api/training/checkpoint_saver_hook.h"
#include "rill/api/training/tensor_or_name.h"

namespace rill::python {

namespace nb = nanobind;

// A CheckpointSaverListener of a program.
train::ListenerRef listener_of(nb::handle listener);
// A tf.summary.FileWriter, or whatever object has its methods; null for None.
std::shared_ptr<summaries::FileWriter> writer_of(nb::handle writer);
// A tensor that `find`, a function of the program, gives when it is needed.
train::TensorOrName found_by(nb::handle find);

void bind_basic_hooks(nb::module_& m);
void bind_saving_hooks(nb::module_& m);
void bind_early_stopping(nb::module_& m);
void bind_evaluation(nb::module_& m);
void bind_in_memory_evaluator(nb::module_& m);
void listen_to_log();  // Python's logger "tensorflow" writes what C++ says

}  // namespace rill::python
