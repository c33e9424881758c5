#pragma once

#include "rill/kernel/kernel_registry.h"

// Kernels of convolutions of bytes with something after them, read from the op's arguments: a bias,
// a summand, a range for the results.
namespace rill {

template <bool kRectifies, bool kDepthwise = false>
std::unique_ptr<KernelState> make_conv_with(const KernelNode& node);
extern template std::unique_ptr<KernelState> make_conv_with<false, false>(const KernelNode&);
extern template std::unique_ptr<KernelState> make_conv_with<true, false>(const KernelNode&);
extern template std::unique_ptr<KernelState> make_conv_with<false, true>(const KernelNode&);
extern template std::unique_ptr<KernelState> make_conv_with<true, true>(const KernelNode&);

void run_conv_with(KernelCall& call);

// Results of 32 bits, or of bytes where there is a range for them.
const char* accept_conv_with(const KernelNode& node);

template <bool kRectifies, bool kDepthwise = false>
constexpr KernelEntry conv_with_entry(const OpDecl& op) {
  return {.op = &op,
          .types = DType::qu8 | DType::qi8,
          .run = run_conv_with,
          .make_state = make_conv_with<kRectifies, kDepthwise>,
          .accept = accept_conv_with,
          .types2 = DType::qi8};
}

}  // namespace rill
