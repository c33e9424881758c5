#pragma once

#include "call.h"

namespace rill::python {

// Makes the one node of a function that is one op: the arguments are the op's by name.
nb::object run_plain(const PlainOp& plain, const Call& call);

void add_plain_functions();  // those of rill/api/plain_ops

}  // namespace rill::python
