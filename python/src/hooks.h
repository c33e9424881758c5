#pragma once

#include <nanobind/nanobind.h>

#include "rill/api/training/session_run_hook.h"

namespace rill::python {

namespace nb = nanobind;

// The hook of C++ behind a hook of a program: its `_core` where no class of the program's own
// overrides a method, else one that calls the program.
train::HookRef hook_of(nb::handle hook);
std::vector<train::HookRef> hooks_of(nb::handle hooks);  // of a list, or None

// tf.train.SessionRunArgs, SessionRunContext and SessionRunValues, there and back.
nb::object give(const train::SessionRunArgs& args);
train::SessionRunArgs run_args_of(nb::handle args, Session& session);
nb::object give(train::SessionRunContext& context);
nb::object give(Session& session, const train::SessionRunValues& values);
nb::object run_options_object(const RunOptions& options);
nb::object run_metadata_object(const StepStats& stats);

// The program's object of a coordinator.
nb::object python_coordinator(train::Coordinator& coord);

void bind_hooks(nb::module_& m);

}  // namespace rill::python
