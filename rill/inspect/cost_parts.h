#pragma once

// What tables of costs are made of.
#include <algorithm>
#include <map>
#include <string_view>

#include "rill/inspect/op_cost.h"

namespace rill::inspect {

using Flops = double (*)(const KernelWork& work);
using CostTable = std::map<std::string_view, Flops>;

// Of the nodes that graph rewriting makes, and of those that move values around.
const CostTable& internal_costs();

// Floating-point operations of an op that is known; those of one that is not count as one for each
// element it gives out.
double flops_of(const KernelWork& work);

// Transcendental functions count as what a polynomial of the usual degree takes.
inline constexpr int kSimple = 1, kRoot = 4, kTranscendental = 15;

inline const TensorSize& input(const KernelWork& work, std::size_t i) {
  static const TensorSize kNone{};
  return i < work.inputs.size() ? work.inputs[i] : kNone;
}

inline double output_elements(const KernelWork& work) {
  return work.outputs.empty() ? 0 : work.outputs[0].elements();
}

inline const TensorSize& largest(std::span<const TensorSize> tensors) {
  static const TensorSize kNone{DType::invalid, Shape({0})};
  const TensorSize* most = &kNone;
  for (const TensorSize& one : tensors)
    if (one.dtype != DType::invalid && one.elements() >= most->elements()) most = &one;
  return *most;
}
inline double largest_input(const KernelWork& work) { return largest(work.inputs).elements(); }

// A dimension counted from the end; 1 where there is none.
inline double last_dim(const Shape& shape, int from_end) {
  return shape.rank() > from_end ? static_cast<double>(shape[shape.rank() - 1 - from_end]) : 1;
}

// So many flops for each element of the largest input, or of the output.
template <int N>
double per_input(const KernelWork& work) {
  return N * largest_input(work);
}
template <int N>
double per_output(const KernelWork& work) {
  return N * output_elements(work);
}
inline double nothing(const KernelWork&) { return 0; }

}  // namespace rill::inspect
