#pragma once

#include <vector>

#include "rill/kernel/kernel_call.h"

namespace rill {

// What is done to 32-bit sums before they are results: a bias and another tensor are added, what is
// below zero becomes zero, and they are brought into eight bits. Vectors have an element for each
// column, or none.
struct SumFinish {
  std::vector<float> bias;   // in levels of the sums
  std::vector<float> scale;  // a level of the sums in levels of the result; none: 32 bits remain
  bool rectifies = false;
  // A tensor of the results' shape: floats, or bytes; its elements count `summand_scale` levels of
  // the result (bytes), or as many as `summand_steps` says for the column (floats).
  const Tensor* summand = nullptr;
  float summand_scale = 1;
  std::vector<float> summand_steps;
};

// Rows of `columns` sums become the elements of `out`: quint8, qint8, or qint32, which is where the
// sums are. In floats, rounded to the nearest, halves to even numbers; what is too large becomes
// the largest.
void finish_sums(const KernelCall& call, const SumFinish& finish, const std::uint32_t* sums,
                 std::int64_t columns, const Tensor& out);

}  // namespace rill
