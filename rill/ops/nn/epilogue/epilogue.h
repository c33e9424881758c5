#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/epilogue/finish_rows.h"

namespace rill {

// What attribute `epilogue` of a node says is done to its results (epilogue_shape.h), for kernels:
// first slope and offset by channel, then a tensor is added, then comes an activation.
class Epilogue {
 public:
  // `first_arg`: the input from which on the steps take arguments. Throws Unimplemented for steps
  // in another order.
  Epilogue(const KernelNode& node, int first_arg);

  struct Channels {
    std::vector<float> slope, offset;  // empty: all one, all zero
  };
  Channels channels(const KernelCall& call, std::int64_t count) const;
  // The offsets as they are given, where that is all there is by channel; nullptr if not.
  const float* plain_offset(const KernelCall& call) const {
    return by_channel_.size() == 1 && by_channel_[0] == "BiasAdd"
               ? call.input_tensor(first_arg_).data<float>()
               : nullptr;
  }
  const Tensor* side(const KernelCall& call) const {  // nullptr: nothing is added
    return side_arg_ < 0 ? nullptr : &call.input_tensor(side_arg_);
  }

  // Rows of `width` channels: y = activation(y + offset + side); without `activates` just the sum.
  void finish(float* y, const float* offset, const float* side, std::size_t rows, std::size_t width,
              bool activates = true) const;

 private:
  int first_arg_, side_arg_ = -1;
  std::vector<std::string> by_channel_;
  float epsilon_, alpha_;
  bool has_activation_ = false;
  FinishFn finish_, only_sum_;
};

// y = x + side, shapes broadcast to that of y. For the rare case that they are not all the same.
void add_broadcast(const Tensor& x, const Tensor& side, const Tensor& y);

}  // namespace rill
