#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "rill/api/training/monitored_session.h"

namespace rill::python {

namespace nb = nanobind;

// tf.train.Scaffold there and back; None is no scaffold.
train::ScaffoldRef scaffold_of(nb::handle scaffold);
nb::object python_scaffold(const train::ScaffoldRef& scaffold);

// tf.train.SessionCreators: those of C++, or ones that call the program's create_session.
train::SessionCreatorRef session_creator_of(nb::handle creator);

// What restores with the program's Saver, or an object like one; none for None.
train::Restorer restorer_of(nb::handle saver);
// An operation, a tensor, a variable, a name, or a list of these, which becomes a group; none for
// None.
train::Runnable optional_runnable(nb::handle value);
// Of a feed_dict, or None.
std::vector<Feed> feeds_of(nb::handle feed_dict);
RunOptions run_options_of(nb::handle options);

void bind_scaffold(nb::module_& m);
void bind_session_manager(nb::module_& m);
void bind_monitored_session(nb::module_& m);
void bind_supervisor(nb::module_& m);

}  // namespace rill::python
