#pragma once

#include <memory>

#include "rill/kernel/kernel_call.h"

namespace rill {

// The variable behind handle input i, which must hold a value: throws NotFound otherwise, and
// InvalidArgument when the resource is not a variable.
std::shared_ptr<VariableResource> variable_input(const KernelCall& call, int i);

// The same without asking for a value; null when there is no such variable.
std::shared_ptr<VariableResource> find_variable_input(const KernelCall& call, int i);

// "localhost/v/N10tensorflow3VarE", as messages name the variable behind handle input i.
std::string variable_path(const KernelCall& call, int i);

// `value` as a variable may keep it: borrowed storage, which is only lent for the step, is copied.
inline Tensor kept(const Tensor& value) {
  return value.buffer() && value.buffer()->borrowed() ? value.clone() : value;
}

}  // namespace rill
