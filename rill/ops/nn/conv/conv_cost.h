#pragma once

#include "rill/graph/kernel_work.h"

// Floating-point operations of convolutions and their gradients, by the direct algorithm.
namespace rill {

// Of a filter [height, width, ..., in, out]: products for each element of the result.
inline double filter_taps(const Shape& filter) {
  const double all = static_cast<double>(filter.element_count());
  return all / std::max(1.0, last_dim(filter, 0));
}
// Of a depthwise filter [height, width, in, times]: each channel has its own.
inline double depthwise_taps(const Shape& filter) {
  return filter_taps(filter) / std::max(1.0, last_dim(filter, 1));
}

inline double conv_flops(const KernelWork& work) {
  return 2 * work.output_elements() * filter_taps(work.input(1).shape);
}
inline double conv_input_grad_flops(const KernelWork& work) {
  return 2 * work.input(2).elements() * filter_taps(work.input(1).shape);
}
inline double conv_filter_grad_flops(const KernelWork& work) {
  return work.outputs.empty() ? 0
                              : 2 * work.input(2).elements() * filter_taps(work.outputs[0].shape);
}

inline double depthwise_flops(const KernelWork& work) {
  return 2 * work.output_elements() * depthwise_taps(work.input(1).shape);
}
inline double depthwise_input_grad_flops(const KernelWork& work) {
  return 2 * work.input(2).elements() * depthwise_taps(work.input(1).shape);
}
inline double depthwise_filter_grad_flops(const KernelWork& work) {
  return work.outputs.empty()
             ? 0
             : 2 * work.input(2).elements() * depthwise_taps(work.outputs[0].shape);
}

}  // namespace rill
