#include "rill/ops/nn/epilogue/epilogue.h"

#include <algorithm>
#include <cmath>

#include "rill/ops/nn/epilogue/epilogue_shape.h"
#include "rill/tensor/strided.h"

namespace rill {

Epilogue::Epilogue(const KernelNode& node, int first_arg)
    : first_arg_(first_arg),
      epsilon_(node.attr<float>("epsilon")),
      alpha_(node.attr<float>("alpha")),
      only_sum_(find_finish("")) {
  const auto& steps = node.attr<std::vector<std::string>>("epilogue");
  int arg = first_arg;
  std::string activation;
  for (const std::string& step : steps) {
    const int args = epilogue_arg_count(step);
    const bool by_channel = args > 0 && step != "Add";
    const bool in_order = activation.empty() && (side_arg_ < 0 || args == 0);
    if (!in_order || args < 0)
      raise(Code::kUnimplemented, "cannot be done in this order: [", join(steps, ","), "]");
    if (by_channel) by_channel_.push_back(step);
    if (step == "Add") side_arg_ = arg;
    if (args == 0) activation = step;
    arg += args;
  }
  has_activation_ = !activation.empty();
  finish_ = find_finish(activation);
}

Epilogue::Channels Epilogue::channels(const KernelCall& call, std::int64_t count) const {
  Channels result;
  const auto n = static_cast<std::size_t>(count);
  auto &slope = result.slope, &offset = result.offset;
  const auto scale = [&](auto factor) {
    if (slope.empty()) slope.assign(n, 1.0f);
    for (std::size_t c = 0; c < n; ++c) slope[c] *= factor(c);
    for (std::size_t c = 0; c < offset.size(); ++c) offset[c] *= factor(c);
  };
  const auto add = [&](auto term) {
    if (offset.empty()) offset.assign(n, 0.0f);
    for (std::size_t c = 0; c < n; ++c) offset[c] += term(c);
  };
  int arg = first_arg_;
  for (const std::string& step : by_channel_) {
    const auto x = call.input<float>(arg);
    if (step == "BiasAdd") add([&](std::size_t c) { return x[c]; });
    if (step == "Mul") scale([&](std::size_t c) { return x[c]; });
    if (step == "FusedBatchNorm") {
      const auto beta = call.input<float>(arg + 1), mean = call.input<float>(arg + 2),
                 variance = call.input<float>(arg + 3);
      add([&](std::size_t c) { return -mean[c]; });
      scale([&](std::size_t c) { return x[c] / std::sqrt(variance[c] + epsilon_); });
      add([&](std::size_t c) { return beta[c]; });
    }
    arg += epilogue_arg_count(step);
  }
  return result;
}

void Epilogue::finish(float* y, const float* offset, const float* side, std::size_t rows,
                      std::size_t width, bool activates) const {
  const FinishFn& fn = activates ? finish_ : only_sum_;
  const bool sums = offset != nullptr || side != nullptr;
  if (fn.after == nullptr) {
    if (sums || (activates && has_activation_)) fn.rows(y, offset, side, rows, width, alpha_);
    return;
  }
  // In blocks that stay in the first-level cache between the two.
  const std::size_t together = std::max<std::size_t>(1, 4096 / std::max<std::size_t>(1, width));
  for (std::size_t r = 0; r < rows; r += together) {
    const std::size_t count = std::min(together, rows - r), at = r * width;
    if (sums) fn.rows(y + at, offset, side ? side + at : nullptr, count, width, alpha_);
    fn.after(y + at, y + at, count * width);
  }
}

void add_broadcast(const Tensor& x, const Tensor& side, const Tensor& y) {
  constexpr std::size_t kSize = sizeof(float);
  const RowLoop loop{dense_view(y.raw_data(), y.shape(), kSize),
                     broadcast_view(x.raw_data(), x.shape(), y.shape(), kSize),
                     broadcast_view(side.raw_data(), side.shape(), y.shape(), kSize)};
  loop.run(0, loop.piece_count(), [&](std::byte* const* at, std::size_t n) {
    auto* to = reinterpret_cast<float*>(at[0]);
    for (std::size_t i = 0; i < n; ++i) {
      const auto step = static_cast<std::int64_t>(i);
      to[i] = *reinterpret_cast<const float*>(at[1] + step * loop.step(1)) +
              *reinterpret_cast<const float*>(at[2] + step * loop.step(2));
    }
  });
}

}  // namespace rill
