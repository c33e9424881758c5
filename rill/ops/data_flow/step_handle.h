#pragma once

#include <memory>
#include <string>

#include "rill/kernel/kernel_call.h"

namespace rill {

// How handles name the arrays and stacks of a step. A resource handle carries the thing itself. In
// the older forms of the ops a handle is two strings, a group ("_stacks") and a name, by which the
// step keeps the thing to its end; the oldest form has these behind a reference.

// Makes output 0 a handle of `resource`, in the form that the op has.
void set_step_handle(const KernelCall& call, const std::string& group, const std::string& name,
                     const char* type_name, std::shared_ptr<Resource> resource);

// What the handle on input 0 names. Throws InvalidArgument when it is no handle and NotFound when
// this step has no such thing.
std::shared_ptr<Resource> step_resource_input(const KernelCall& call, const char* type_name);

// The group that the handle on input 0 names; empty for resource handles.
std::string step_handle_group(const KernelCall& call);

}  // namespace rill
