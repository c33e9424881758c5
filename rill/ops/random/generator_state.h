#pragma once

#include "rill/base/philox.h"
#include "rill/kernel/kernel_call.h"

namespace rill {

// The generator whose state is the variable behind handle input 0: int64 numbers, two of the
// counter and one of the key, from element `first` on. Returns its stream and moves the state on
// by `blocks`. Throws InvalidArgument when the variable is no such state.
Philox reserve_from_state(const KernelCall& call, std::uint64_t blocks, std::size_t first = 0);

// Throws InvalidArgument unless the scalar input i names the one algorithm there is, Philox.
void check_algorithm(const KernelCall& call, int i);
void check_algorithm(std::int64_t algorithm);

}  // namespace rill
