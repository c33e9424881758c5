#include <limits>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/box_overlap.h"
#include "rill/ops/image/suppression.h"
#include "rill/ops/random/half_arithmetic.h"

namespace rill {

extern const OpDecl kNonMaxSuppression, kNonMaxSuppressionV2, kNonMaxSuppressionV3,
    kNonMaxSuppressionV4, kNonMaxSuppressionV5, kNonMaxSuppressionWithOverlaps;

namespace {

// What scores of type T are compared and lowered as.
template <class T>
using ScoreNumber = std::conditional_t<std::is_same_v<T, half>, RoundedHalf, float>;

template <class T>
std::vector<ScoreNumber<T>> numbers(const Tensor& t) {
  std::vector<ScoreNumber<T>> result;
  result.reserve(static_cast<std::size_t>(t.element_count()));
  for (const T value : t.flat<T>()) result.push_back(ScoreNumber<T>(value));
  return result;
}

// A threshold, which may be of the other type than the boxes.
float threshold(const KernelCall& call, int i) {
  const Tensor& t = call.input_tensor(i);
  return t.dtype() == DType::f16 ? static_cast<float>(t.scalar_value<half>())
                                 : t.scalar_value<float>();
}

float iou_threshold(float value) {
  require(value >= 0 && value <= 1, "iou_threshold must be in [0, 1], not ", value);
  return value;
}

// The shapes, which no shape function has seen: these kernels allocate for themselves.
void check_shapes(const KernelCall& call, bool overlaps) {
  const Shape &boxes = call.input_tensor(0).shape(), &scores = call.input_tensor(1).shape();
  require(boxes.rank() == 2, overlaps ? "overlaps" : "boxes", " must be 2-D, not ", boxes);
  require(scores.rank() == 1, "scores must be 1-D, not ", scores);
  if (overlaps)
    require(boxes.dim(0) == boxes.dim(1), "overlaps must be square, not ", boxes);
  else
    require(boxes.dim(1) == 4, "boxes must have 4 columns, not ", boxes.dim(1));
  require(boxes.dim(0) == scores.dim(0), "scores has incompatible shape ", scores,
          " for boxes of shape ", boxes);
  require(scores.dim(0) <= std::numeric_limits<std::int32_t>::max(),
          "too many boxes: ", scores.dim(0));
  for (int i = 2; i < call.input_count(); ++i)
    require(call.input_tensor(i).rank() == 0,
            call.node().op->inputs[static_cast<std::size_t>(i)].name, " must be 0-D, got shape ",
            call.input_tensor(i).shape());
}

std::int64_t max_outputs(const KernelCall& call) {
  const std::int32_t most = call.input_tensor(2).scalar_value<std::int32_t>();
  require(most >= 0, "output size must be non-negative, not ", most);
  return most;
}

// Candidates in the order of their scores; for floats that are left out, not lowered, that is all.
std::vector<Suppression<float>::Chosen> choose_boxes(const Suppression<float>& rule,
                                                     std::span<const Box> boxes,
                                                     std::span<const float> scores) {
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] > rule.score_threshold) order.push_back(static_cast<std::int32_t>(i));
  std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  std::vector<Suppression<float>::Chosen> result;
  ChosenBoxes chosen;
  for (const std::int32_t i : order) {
    if (static_cast<std::int64_t>(result.size()) >= rule.most) break;
    const Box& box = boxes[static_cast<std::size_t>(i)];
    if (chosen.any_overlaps(box, rule.overlap_threshold)) continue;
    chosen.add(box);
    result.push_back({i, scores[static_cast<std::size_t>(i)]});
  }
  return result;
}

template <class T>
auto choose(const KernelCall& call, float iou, float score, float sigma = 0) {
  check_shapes(call, false);
  using N = ScoreNumber<T>;
  const auto scores = numbers<T>(call.input_tensor(1));
  const T* corners = call.input_tensor(0).data<T>();
  const auto side = [&](std::size_t i) { return static_cast<float>(corners[i]); };
  std::vector<Box> boxes;
  boxes.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    boxes.emplace_back(side(4 * i), side(4 * i + 1), side(4 * i + 2), side(4 * i + 3));
  const Suppression<N> rule{max_outputs(call), N(score), N(iou_threshold(iou)), N(sigma)};
  if constexpr (std::is_same_v<T, float>)
    if (!(sigma > 0)) return choose_boxes(rule, boxes, scores);
  return rule.choose(std::span<const N>(scores), [&](std::int32_t i, std::int32_t k) {
    return N(overlap(boxes[static_cast<std::size_t>(i)], boxes[static_cast<std::size_t>(k)]));
  });
}

// Writes indices to output 0, with zeros up to `count` of them.
template <class Chosen>
void write_indices(const KernelCall& call, const std::vector<Chosen>& chosen, std::int64_t count) {
  const auto indices = call.allocate_output(0, {count}).flat<std::int32_t>();
  std::ranges::fill(indices, 0);
  for (std::size_t i = 0; i < chosen.size(); ++i) indices[i] = chosen[i].index;
}

template <class Chosen>
std::int64_t padded_size(const KernelCall& call, const std::vector<Chosen>& chosen) {
  return call.node().attr<bool>("pad_to_max_output_size")
             ? max_outputs(call)
             : static_cast<std::int64_t>(chosen.size());
}

void write_count(const KernelCall& call, int output, std::size_t count) {
  *call.allocate_output(output, {}).data<std::int32_t>() = static_cast<std::int32_t>(count);
}

constexpr float kNoThreshold = std::numeric_limits<float>::lowest();

void suppress(KernelCall& call) {
  const auto chosen = choose<float>(call, call.node().attr<float>("iou_threshold"), kNoThreshold);
  write_indices(call, chosen, static_cast<std::int64_t>(chosen.size()));
}

// The lowest half, where the boxes are such: the lowest float would be rounded to -inf.
template <class T>
void suppress_v2(KernelCall& call) {
  constexpr float kLowest = std::is_same_v<T, half> ? -65504.0F : kNoThreshold;
  const auto chosen = choose<T>(call, threshold(call, 3), kLowest);
  write_indices(call, chosen, static_cast<std::int64_t>(chosen.size()));
}

template <class T>
void suppress_v3(KernelCall& call) {
  const auto chosen = choose<T>(call, threshold(call, 3), threshold(call, 4));
  write_indices(call, chosen, static_cast<std::int64_t>(chosen.size()));
}

template <class T>
void suppress_v4(KernelCall& call) {
  const auto chosen = choose<T>(call, threshold(call, 3), threshold(call, 4));
  write_indices(call, chosen, padded_size(call, chosen));
  write_count(call, 1, chosen.size());
}

template <class T>
void suppress_v5(KernelCall& call) {
  const float sigma = threshold(call, 5);
  require(sigma >= 0, "soft_nms_sigma_val must be >= 0, not ", sigma);
  const auto chosen = choose<T>(call, threshold(call, 3), threshold(call, 4), sigma);
  const std::int64_t size = padded_size(call, chosen);
  write_indices(call, chosen, size);
  const auto scores = call.allocate_output(1, {size}).template flat<T>();
  std::ranges::fill(scores, T(0.0F));
  for (std::size_t i = 0; i < chosen.size(); ++i) scores[i] = static_cast<T>(chosen[i].score);
  write_count(call, 2, chosen.size());
}

void suppress_with_overlaps(KernelCall& call) {
  check_shapes(call, true);
  const std::int64_t count = call.input_tensor(1).element_count();
  const float* overlaps = call.input_tensor(0).data<float>();
  const Suppression<float> rule{max_outputs(call), threshold(call, 4), threshold(call, 3)};
  const auto chosen = rule.choose(call.input<float>(1), [&](std::int32_t i, std::int32_t k) {
    return overlaps[i * count + k];
  });
  write_indices(call, chosen, static_cast<std::int64_t>(chosen.size()));
}

template <class T>
constexpr KernelEntry suppression_entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run, .allocates = true};
}
constexpr KernelEntry kEntries[] = {
    {.op = &kNonMaxSuppression, .run = suppress, .allocates = true},
    suppression_entry<float>(&kNonMaxSuppressionV2, suppress_v2<float>),
    suppression_entry<half>(&kNonMaxSuppressionV2, suppress_v2<half>),
    suppression_entry<float>(&kNonMaxSuppressionV3, suppress_v3<float>),
    suppression_entry<half>(&kNonMaxSuppressionV3, suppress_v3<half>),
    suppression_entry<float>(&kNonMaxSuppressionV4, suppress_v4<float>),
    suppression_entry<half>(&kNonMaxSuppressionV4, suppress_v4<half>),
    suppression_entry<float>(&kNonMaxSuppressionV5, suppress_v5<float>),
    suppression_entry<half>(&kNonMaxSuppressionV5, suppress_v5<half>),
    {.op = &kNonMaxSuppressionWithOverlaps, .run = suppress_with_overlaps, .allocates = true},
};

}  // namespace

extern const KernelTable kNonMaxSuppressionCpu{kEntries};

}  // namespace rill
