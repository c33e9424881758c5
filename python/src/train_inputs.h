#pragma once

#include <nanobind/nanobind.h>

#include "rill/api/train/queue_runner.h"

namespace rill::python {

namespace nb = nanobind;

// What runs are asked for, as Python's operation or tensor, and back.
nb::object give(const train::Runnable& runnable);
nb::object give(const std::shared_ptr<train::QueueRunner>& runner);
inline nb::object give_or_none(const train::Runnable& runnable) {
  return runnable ? give(runnable) : nb::none();
}
train::Runnable runnable_of(nb::handle value);

void bind_coordinator(nb::module_& m);
void bind_queue_runners(nb::module_& m);
void bind_input_functions();
void bind_sync_replicas(nb::module_& m);
void bind_map_staging_area(nb::module_& m);
void bind_readers(nb::module_& m);
void bind_files(nb::module_& m);
void bind_config(nb::module_& m);
void bind_generator(nb::module_& m);
void bind_graph_parts(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_distribute(nb::module_& m);

}  // namespace rill::python
