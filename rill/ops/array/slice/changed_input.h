#pragma once

#include "rill/kernel/kernel_call.h"

namespace rill {

// For self-allocating kernels of ops with kInPlace: output 0 with the elements of input 0, to be
// changed. It is input 0 itself where the executor offers it, which it does to its last reader, and
// a copy elsewhere. What can fail is best checked before.
inline Tensor& changed_input(const KernelCall& call) {
  const Tensor& x = call.input_tensor(0);
  bool mine = call.output_tensor(0).shares_storage(x);
  for (int i = 1; i < call.input_count(); ++i) mine &= !call.input_tensor(i).shares_storage(x);
  if (!mine) call.set_output(0, x.clone());
  return call.output_tensor(0);
}

}  // namespace rill
