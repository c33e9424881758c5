#pragma once

#include "rill/graph/op.h"
#include "tests/script/scanner.h"

namespace rill::script {

// The value behind `name=` in an op's argument list, written as its declaration wants it.
AttrValue parse_attribute(const AttrSpec& spec, Scanner& in);

}  // namespace rill::script
