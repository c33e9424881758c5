#include <algorithm>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/ctc/ctc_labels.h"
#include "rill/ops/ctc/sequence_loss.h"
#include "rill/ops/nn/activation/softmax_rows.h"

namespace rill {

extern const OpDecl kCTCLoss;

namespace {

template <class T>
T sequence_loss(const Frames<T>& frames, const CtcLabels& labels, bool merge_repeated) {
  const SoftmaxRows<T> rows = find_softmax_rows<T>();
  bool is_number = true;
  for (std::int64_t t = 0; t < frames.count; ++t) {
    T* row = frames.gradient + t * frames.stride;
    rows.softmax(row, frames.logits + t * frames.stride, 1,
                 static_cast<std::size_t>(frames.class_count));
    is_number = is_number && !std::isnan(row[0]);  // one that is not spoils its whole row
  }
  if (!is_number) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    for (std::int64_t t = 0; t < frames.count; ++t)
      std::fill_n(frames.gradient + t * frames.stride, frames.class_count, kNan);
    return kNan;
  }
  const CtcStates states(labels.labels, static_cast<std::int32_t>(frames.class_count - 1),
                         merge_repeated);
  return static_cast<T>(SequenceLoss<T>(states, frames).run());
}

void check_lengths(std::span<const std::int32_t> lengths, std::int64_t frames) {
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    require(lengths[b] >= 0, "seq_len(", b, ") < 0, it is ", lengths[b]);
    require(lengths[b] <= frames, "sequence_length(", b, ") <= ", frames, " is needed, it is ",
            lengths[b]);
  }
}

void check_time(const std::vector<CtcLabels>& labels, std::span<const std::int32_t> lengths) {
  for (std::size_t b = 0; b < labels.size(); ++b)
    require(labels[b].given_count <= lengths[b],
            "Not enough time for target transition sequence (required: ", labels[b].given_count,
            ", available: ", lengths[b], ")", b,
            "You can turn this error into a warning by using the flag "
            "ignore_longer_outputs_than_inputs");
}

template <class T>
void ctc_loss(KernelCall& call) {
  const Shape& shape = call.input_tensor(0).shape();
  const std::int64_t frames = shape.dim(0), batch = shape.dim(1), classes = shape.dim(2);
  require(frames > 0, "Max time or first dimension of input cannot be 0.");
  require(batch > 0, "batch_size must not be 0");
  require(classes <= std::numeric_limits<std::int32_t>::max(), "too many classes: ", classes);
  const auto lengths = call.input<std::int32_t>(3);
  check_lengths(lengths, frames);
  const auto labels =
      read_ctc_labels(call, batch, classes, call.node().attr<bool>("preprocess_collapse_repeated"));
  require(classes > 0, "inputs must have at least one class, their shape is ", shape);
  if (!call.node().attr<bool>("ignore_longer_outputs_than_inputs")) check_time(labels, lengths);
  const bool merge_repeated = call.node().attr<bool>("ctc_merge_repeated");
  const auto loss = call.output<T>(0);
  const auto gradient = call.output<T>(1);
  std::ranges::fill(gradient, T{0});
  double cost = 0;
  for (std::size_t b = 0; b < labels.size(); ++b)
    cost += static_cast<double>(lengths[b]) * (10.0 * static_cast<double>(labels[b].labels.size()) +
                                               2.0 * static_cast<double>(classes));
  call.parallel_for(
      labels.size(), cost / static_cast<double>(batch), [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
          const std::int64_t at = static_cast<std::int64_t>(b) * classes;
          const bool fits = lengths[b] > 0 && labels[b].given_count <= lengths[b];
          loss[b] = fits ? sequence_loss<T>({call.input<T>(0).data() + at, gradient.data() + at,
                                             lengths[b], batch * classes, classes},
                                            labels[b], merge_repeated)
                         : T{0};
        }
      });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCTCLoss, .types = DType::f32, .run = ctc_loss<float>},
    {.op = &kCTCLoss, .types = DType::f64, .run = ctc_loss<double>},
};

}  // namespace

extern const KernelTable kCTCLossCpu{kEntries};

}  // namespace rill
