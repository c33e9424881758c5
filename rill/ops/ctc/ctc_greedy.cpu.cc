#include "rill/kernel/kernel_registry.h"
#include "rill/ops/ctc/decoded.h"

namespace rill {

extern const OpDecl kCTCGreedyDecoder;

namespace {

// The first of the largest; a first one that is no number is as large as any. Rows are short: what
// finds the largest element of long ones takes longer.
template <class T>
std::int64_t largest_class(const T* logits, std::int64_t count) {
  std::int64_t best = 0;
  T largest = logits[0];
  for (std::int64_t i = 1; i < count; ++i) {
    const bool is_larger = logits[i] > largest;
    largest = is_larger ? logits[i] : largest;
    best = is_larger ? i : best;
  }
  return best;
}

template <class T>
struct Decoded {
  LabelSequence labels;
  T minus_logits = 0;
};

// `stride` is from frame to frame.
template <class T>
Decoded<T> decode(const T* logits, std::int64_t frames, std::int64_t stride, std::int64_t classes,
                  bool merge_repeated) {
  Decoded<T> decoded;
  std::int64_t before = -1;
  for (std::int64_t t = 0; t < frames; ++t, logits += stride) {
    const std::int64_t now = largest_class(logits, classes);
    decoded.minus_logits -= logits[now];
    if (now != classes - 1 && !(merge_repeated && now == before)) decoded.labels.push_back(now);
    before = now;
  }
  return decoded;
}

template <class T>
void greedy_decoder(KernelCall& call) {
  check_frames(call);
  const Shape& shape = call.input_tensor(0).shape();
  const std::int64_t batch = shape.dim(1), classes = shape.dim(2);
  const bool merge_repeated = call.node().attr<bool>("merge_repeated");
  const auto lengths = call.input<std::int32_t>(1);
  const auto score = call.allocate_output(3, {batch, 1}).flat<T>();
  std::vector<LabelSequence> sequences(lengths.size());
  const double cost = static_cast<double>(shape.dim(0) * classes);
  call.parallel_for(lengths.size(), cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const T* logits = call.input<T>(0).data() + static_cast<std::int64_t>(b) * classes;
      Decoded<T> decoded = decode(logits, lengths[b], batch * classes, classes, merge_repeated);
      score[b] = decoded.minus_logits;
      sequences[b] = std::move(decoded.labels);
    }
  });
  output_sequences(call, sequences, 0, 1, 2);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCTCGreedyDecoder,
     .types = DType::f32,
     .run = greedy_decoder<float>,
     .allocates = true},
    {.op = &kCTCGreedyDecoder,
     .types = DType::f64,
     .run = greedy_decoder<double>,
     .allocates = true},
};

}  // namespace

extern const KernelTable kCTCGreedyCpu{kEntries};

}  // namespace rill
