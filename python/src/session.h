#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rill/runtime/session/session.h"

namespace rill::python {

namespace nb = nanobind;

// Tensor.eval and Operation.run: in `session`, or the default one where that is None.
nb::object run_in_default_session(nb::handle fetch, nb::handle feeds, nb::handle session,
                                  const char* what);

// One step of Python's Session; the interpreter's lock is free meanwhile. Raises as its run does.
std::vector<Tensor> run_step(nb::handle session, std::span<const Feed> feeds,
                             std::span<const Output> fetches, std::span<Node* const> targets);

// The session of a tf.Session or of a monitored session; keeps that object. Raises TypeError for
// anything else.
std::shared_ptr<Session> session_of(nb::handle session);
// The tf.Session of a session that came from session_of or python_opener.
nb::object python_session(Session& session);
// Opens tf.Sessions of the default graph for C++: train::OpenSession.
std::function<std::shared_ptr<Session>(const SessionOptions&)> python_opener();
// What a step of the session gave, as its run returns it.
std::vector<nb::object> python_values(Session& session, const std::vector<Output>& outputs,
                                      std::vector<Tensor> tensors);
// Of a ConfigProto, or None.
SessionOptions session_options_of(nb::handle config, const std::string& target);

void bind_session(nb::module_& m);

}  // namespace rill::python
