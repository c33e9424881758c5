#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/channels/channel_sums.h"

namespace rill {

extern const OpDecl kBatchNormWithGlobalNormalization, kBatchNormWithGlobalNormalizationGrad;

namespace {

template <class T, class C>
std::vector<C> vector_of(const Tensor& vector) {
  std::vector<C> values;
  for (const T value : vector.flat<T>()) values.push_back(static_cast<C>(value));
  return values;
}

template <class C>
C reciprocal_deviation(const KernelCall& call, C variance) {
  return 1 / std::sqrt(variance + static_cast<C>(call.node().attr<float>("variance_epsilon")));
}
constexpr auto kLeave = [](std::int64_t, auto*, std::size_t) {};

template <class T, class C>
void global_batch_norm(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  const ChannelColumns columns(x.shape(), true);
  const bool scales = call.node().attr<bool>("scale_after_normalization");
  const std::vector<C> variance = vector_of<T, C>(call.input_tensor(2)),
                       gamma = vector_of<T, C>(call.input_tensor(4));
  ChannelScale<C> scale(columns.channels());
  scale.mean = vector_of<T, C>(call.input_tensor(1));
  scale.offset = vector_of<T, C>(call.input_tensor(3));
  for (std::size_t c = 0; c < gamma.size(); ++c)
    scale.slope[c] = reciprocal_deviation(call, variance[c]) * (scales ? gamma[c] : C(1));
  normalize_channels<T>(call, columns, scale, x.data<T>(), y.data<T>(), kLeave);
}

template <class T, class C>
void global_batch_norm_grad(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &dy = call.input_tensor(4);
  const ChannelColumns columns(x.shape(), true);
  const bool scales = call.node().attr<bool>("scale_after_normalization");
  const std::vector<C> mean = vector_of<T, C>(call.input_tensor(1)),
                       variance = vector_of<T, C>(call.input_tensor(2)),
                       gamma = vector_of<T, C>(call.input_tensor(3));
  const auto sums = channel_sums<T, C>(call, columns, dy.data<T>(), x.data<T>(), mean.data());
  ChannelScale<C> scale(columns.channels());
  for (std::size_t c = 0; c < gamma.size(); ++c) {
    const C r = reciprocal_deviation(call, variance[c]);
    const C sum = static_cast<C>(sums[c].sum), product = static_cast<C>(sums[c].product);
    scale.slope[c] = r * (scales ? gamma[c] : C(1));
    call.output<T>(1)[c] = static_cast<T>(-sum * scale.slope[c]);
    call.output<T>(2)[c] = static_cast<T>(product * scale.slope[c] * r * r / -2);
    call.output<T>(3)[c] = static_cast<T>(sum);
    call.output<T>(4)[c] = static_cast<T>(scales ? product * r : C(0));
  }
  normalize_channels<T>(call, columns, scale, dy.data<T>(), call.output_tensor(0).data<T>(),
                        kLeave);
}

template <class T, class C>
constexpr KernelEntry forward{
    .op = &kBatchNormWithGlobalNormalization, .types = dtype_of<T>, .run = global_batch_norm<T, C>};
template <class T, class C>
constexpr KernelEntry backward{.op = &kBatchNormWithGlobalNormalizationGrad,
                               .types = dtype_of<T>,
                               .run = global_batch_norm_grad<T, C>};
constexpr KernelEntry kEntries[] = {
    forward<float, float>,    forward<double, double>,   forward<half, float>,
    forward<bfloat16, float>, backward<float, float>,    backward<double, double>,
    backward<half, float>,    backward<bfloat16, float>,
};

}  // namespace

extern const KernelTable kGlobalBatchNormCpu{kEntries};

}  // namespace rill
