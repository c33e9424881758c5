#pragma once

#include <span>
#include <string>

#include "rill/kernel/kernel_call.h"

namespace rill {

std::string type_list(std::span<const DType> types);           // "int32, float"
std::string shape_list(std::span<const PartialShape> shapes);  // "[[],[2]]"

// Throws InvalidArgument when a node's types, the handle's included, are not those that what the
// handle names takes or gives.
void check_signature(const KernelNode& node, std::span<const DType> inputs,
                     std::span<const DType> outputs);

}  // namespace rill
