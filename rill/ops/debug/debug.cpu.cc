#include <cmath>
#include <limits>

#include "rill/base/clock.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/debug/debug_target.h"

namespace rill {

extern const OpDecl kCopyOp, kCopyHost, kDebugIdentity, kDebugNanCount, kDebugNumericSummary;

namespace {

// Tensors never change once shared, so passing one on is as good as a copy.
void copy(KernelCall& call) { call.set_output(0, call.input_tensor(0)); }

struct Watch final : KernelState {
  explicit Watch(const KernelNode& node) : tensor(node.attr<std::string>("tensor_name")) {}
  const TensorName tensor;
};
std::unique_ptr<KernelState> make_watch(const KernelNode& node) {
  return std::make_unique<Watch>(node);
}

// Where the value of a watch goes, less the gates that nobody has opened.
std::vector<std::shared_ptr<DebugTarget>> open_targets(const KernelNode& node,
                                                       const Watched& watched) {
  std::vector<std::shared_ptr<DebugTarget>> targets;
  for (const std::string& url : node.attr<std::vector<std::string>>("debug_urls")) {
    auto target = debug_target(url);
    if (!node.attr<bool>("gated_grpc") || target->is_open(watched))
      targets.push_back(std::move(target));
  }
  return targets;
}

// False: all the ways out are closed.
bool publish(const KernelCall& call, const Tensor& value) {
  const KernelNode& node = call.node();
  if (node.attr<std::vector<std::string>>("debug_urls").empty()) return true;
  const Watched watched{.device = node.attr<std::string>("device_name"),
                        .tensor = call.state<Watch>().tensor,
                        .debug_op = node.op->name,
                        .micros = wall_micros()};
  const auto targets = open_targets(node, watched);
  for (const auto& target : targets) target->tensor(watched, value);
  return !targets.empty();
}

void debug_identity(KernelCall& call) {
  const Tensor& value = call.input_tensor(0);
  call.set_output(0, publish(call, value) ? value : Tensor(value.dtype(), {0}));
}

template <class T>
void debug_nan_count(KernelCall& call) {
  const Tensor& in = call.input_tensor(0);
  std::int64_t count = 0;
  if constexpr (!std::numeric_limits<T>::is_integer)
    if (in.has_value())
      for (const T x : in.flat<T>()) count += std::isnan(static_cast<float>(x)) ? 1 : 0;
  const Tensor result = Tensor::vector<std::int64_t>({count});
  publish(call, result);
  call.set_output(0, result);
}

struct Summary {
  double nans = 0, low = 0, negative = 0, zero = 0, positive = 0, high = 0;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  double finite = 0, mean = 0, squares = 0;  // Welford's

  void add(double x, double lower, double upper) {
    if (std::isnan(x)) return void(++nans);
    if (std::isinf(x)) return void(++(x < 0 ? low : high));
    least = std::min(least, x);
    most = std::max(most, x);
    const double step = x - mean;
    mean += step / ++finite;
    squares += step * (x - mean);
    if (std::isfinite(lower) && x <= lower)
      ++low;
    else if (std::isfinite(upper) && x >= upper)
      ++high;
    else
      ++(x < 0 ? negative : x > 0 ? positive : zero);
  }
  bool healthy() const { return nans == 0 && low == 0 && high == 0; }
};

template <class T>
void debug_numeric_summary(KernelCall& call) {
  const Tensor& in = call.input_tensor(0);
  const KernelNode& node = call.node();
  const auto lower = static_cast<double>(node.attr<float>("lower_bound"));
  const auto upper = static_cast<double>(node.attr<float>("upper_bound"));
  Summary s;
  if (in.has_value())
    for (const T x : in.flat<T>()) s.add(static_cast<double>(x), lower, upper);
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers{in.has_value() ? 1.0 : 0.0,
                              in.has_value() ? static_cast<double>(in.element_count()) : 0.0,
                              s.nans,
                              s.low,
                              s.negative,
                              s.zero,
                              s.positive,
                              s.high,
                              s.least,
                              s.most,
                              s.finite > 0 ? s.mean : none,
                              s.finite > 0 ? s.squares / s.finite : none,
                              static_cast<double>(node.attr<DType>("T")),
                              in.has_value() ? static_cast<double>(in.rank()) : 0.0};
  if (in.has_value())
    for (const std::int64_t dim : in.shape().dims()) numbers.push_back(static_cast<double>(dim));
  Tensor result(DType::f64, {static_cast<std::int64_t>(numbers.size())});
  std::ranges::copy(numbers, result.data<double>());
  if (!node.attr<bool>("mute_if_healthy") || !s.healthy()) publish(call, result);
  call.set_output(0, std::move(result));
}

template <class T>
constexpr KernelEntry nan_count() {
  return {.op = &kDebugNanCount,
          .types = dtype_of<T>,
          .run = debug_nan_count<T>,
          .make_state = make_watch,
          .allocates = true};
}
template <class T>
constexpr KernelEntry summary() {
  return {.op = &kDebugNumericSummary,
          .types = dtype_of<T>,
          .run = debug_numeric_summary<T>,
          .make_state = make_watch,
          .allocates = true};
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCopyOp, .run = copy, .allocates = true, .expensive = false},
    {.op = &kCopyHost, .run = copy, .allocates = true, .expensive = false},
    {.op = &kDebugIdentity, .run = debug_identity, .make_state = make_watch, .allocates = true},
    nan_count<half>(),
    nan_count<bfloat16>(),
    nan_count<float>(),
    nan_count<double>(),
    nan_count<std::int8_t>(),
    nan_count<std::int16_t>(),
    nan_count<std::int32_t>(),
    nan_count<std::int64_t>(),
    nan_count<std::uint8_t>(),
    nan_count<std::uint16_t>(),
    summary<float>(),
    summary<double>(),
    summary<std::int8_t>(),
    summary<std::int16_t>(),
    summary<std::int32_t>(),
    summary<std::int64_t>(),
    summary<std::uint8_t>(),
    summary<std::uint16_t>(),
    summary<bool>(),
};

}  // namespace

extern const KernelTable kDebugCpu{kEntries};

}  // namespace rill
