#pragma once

#include "rill/graph/function.h"

namespace tensorflow {
class FunctionDef;
class FunctionDefLibrary;
}  // namespace tensorflow

namespace rill {

// Throws InvalidArgument for a broken signature or attribute. What the body says is checked when it
// is instantiated.
Function from_proto(const tensorflow::FunctionDef& proto, int producer = kGraphDefVersion);

// Replace what `proto` holds.
void to_proto(const Function& function, tensorflow::FunctionDef* proto);
void to_proto(const FunctionLibrary& library, tensorflow::FunctionDefLibrary* proto);

}  // namespace rill
