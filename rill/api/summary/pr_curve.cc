#include "rill/api/summary/pr_curve.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill::summaries {
namespace {

using namespace operators;

constexpr double kMinCount = 1e-7;  // divides where there is nothing to count

// PrCurvePluginData { int32 version = 1; uint32 num_thresholds = 2 }, version 0.
std::string plugin_content(std::int64_t num_thresholds) {
  std::string bytes("\x10");
  auto rest = static_cast<std::uint64_t>(num_thresholds);
  for (; rest >= 0x80; rest >>= 7) bytes += static_cast<char>(rest | 0x80);
  return bytes += static_cast<char>(rest);
}

std::string pr_curve_metadata(const std::string& name, const PrCurveOptions& options) {
  tensorflow::SummaryMetadata metadata;
  metadata.mutable_plugin_data()->set_plugin_name("pr_curves");
  metadata.mutable_plugin_data()->set_content(plugin_content(options.num_thresholds));
  metadata.set_display_name(options.display_name.empty() ? name : options.display_name);
  metadata.set_summary_description(options.description);
  return metadata.SerializeAsString();
}

struct Curve {
  std::int64_t count;
  std::source_location at;

  // How much weight each of the thresholds' intervals holds.
  Output in_intervals(Output interval, Output weight) const {
    const Output hot = one_hot(interval, static_cast<std::int32_t>(count));
    return reduce_sum(mul(hot, weight, at), {.axis = 0});
  }
  // Whatever lies at a threshold or above it.
  Output from_there_on(Output sums, const std::string& name) const {
    return raw::Cumsum(sums, 0, {.reverse = true, .name = name});
  }
  // What is left of the whole below each threshold.
  Output below(Output from) const {
    const Output whole = slice(from, {SlicePart(Input(0))}, at);
    return sub(whole, from, at);
  }
  Output share(Output part, Output rest) const {
    const Output whole = raw::Maximum(kMinCount, add(part, rest, at));
    return truediv(part, whole, at);
  }

  Output values(Output labels, Output predictions, const Input& weights) const {
    const Output wanted = cast(labels, DType::f32);
    const Output bounded = raw::Minimum(1.0, raw::Maximum(0.0, predictions));
    const Output good = mul(wanted, weights, at);
    const Output bad = mul(sub(1.0, wanted, at), weights, at);
    const Output flat = raw::Reshape(bounded, Tensor::vector<std::int32_t>({-1}));
    const Tensor column = Tensor::vector<std::int32_t>({-1, 1});
    const Output goods = raw::Reshape(good, column);
    const Output bads = raw::Reshape(bad, column);
    const Output scaled = mul(flat, static_cast<double>(count - 1), at);
    const Output interval = cast(raw::Floor(scaled), DType::i32);
    const Output goods_in = in_intervals(interval, goods);
    const Output bads_in = in_intervals(interval, bads);
    const Output tp = from_there_on(goods_in, "tp");
    const Output fp = from_there_on(bads_in, "fp");
    const Output tn = below(fp);
    const Output fn = below(tp);
    const Output precision = share(tp, fp);
    const Output recall = share(tp, fn);
    return stack({tp, fp, tn, fn, precision, recall});
  }
};

}  // namespace

Output pr_curve(const std::string& name, const Input& labels, const Input& predictions,
                const PrCurveOptions& options, std::source_location at) {
  require(options.num_thresholds >= 2 && options.num_thresholds <= INT32_MAX, "num_thresholds is ",
          options.num_thresholds, ", at least 2 are needed");
  const Output truth = as_tensor(labels, "labels");
  const Output guesses = as_tensor(predictions, "predictions", DType::f32);
  const Block in(name, "", at);
  assert_type(truth, DType::boolean);
  const Output curve = Curve{options.num_thresholds, at}.values(
      truth, guesses, options.weights ? *options.weights : Input(1.0));
  return tensor_summary(
      "pr_curves", curve,
      {.collections = options.collections, .summary_metadata = pr_curve_metadata(name, options)},
      at);
}

}  // namespace rill::summaries
