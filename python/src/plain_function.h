#pragma once

#include "call.h"

namespace rill::python {

// Makes the one node of a function that is one op: the arguments are the op's by name.
nb::object run_plain(const PlainOp& plain, const Call& call);

// The op of a function that makes one node of one tensor, as nn.relu does; nullptr for all else.
const char* unary_op_of(nb::handle callable);

void add_plain_functions();  // those of rill/api/plain_ops

}  // namespace rill::python
