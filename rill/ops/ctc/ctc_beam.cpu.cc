#include "rill/kernel/kernel_registry.h"
#include "rill/ops/ctc/beam.h"
#include "rill/ops/ctc/decoded.h"

namespace rill {

extern const OpDecl kCTCBeamSearchDecoder;

namespace {

template <class T>
void beam_decoder(KernelCall& call) {
  check_frames(call);
  const Shape& shape = call.input_tensor(0).shape();
  const std::int64_t batch = shape.dim(1), classes = shape.dim(2);
  const auto width = static_cast<std::size_t>(call.node().attr<std::int64_t>("beam_width"));
  const auto paths = static_cast<std::size_t>(call.node().attr<std::int64_t>("top_paths"));
  require(paths <= width, "requested more paths than the beam width.");
  const bool merge_repeated = call.node().attr<bool>("merge_repeated");
  const auto lengths = call.input<std::int32_t>(1);
  const int path_count = static_cast<int>(paths);
  const auto scores = call.allocate_output(3 * path_count, {batch, path_count}).template flat<T>();
  // By path, then by sequence, as the outputs are.
  std::vector<std::vector<LabelSequence>> decoded(paths,
                                                  std::vector<LabelSequence>(lengths.size()));
  const double cost = 10.0 * static_cast<double>(shape.dim(0)) * static_cast<double>(classes) *
                      static_cast<double>(std::min<std::size_t>(width, 10000));
  call.parallel_for(lengths.size(), cost, [&](std::size_t begin, std::size_t end) {
    std::vector<LabelSequence> labels;
    for (std::size_t b = begin; b < end; ++b) {
      Beam<T> beam(width, static_cast<std::size_t>(classes));
      const T* logits = call.input<T>(0).data() + static_cast<std::int64_t>(b) * classes;
      for (std::int32_t t = 0; t < lengths[b]; ++t, logits += batch * classes) {
        if (call.step().cancellation->cancelled())
          raise(Code::kCancelled, "the step was cancelled during the search");
        beam.add_frame(logits);
      }
      labels.assign(paths, {});
      beam.best(paths, merge_repeated, labels.data(), scores.data() + b * paths);
      for (std::size_t i = 0; i < paths; ++i) decoded[i][b] = std::move(labels[i]);
    }
  });
  for (int i = 0; i < path_count; ++i)
    output_sequences(call, decoded[static_cast<std::size_t>(i)], i, path_count + i,
                     2 * path_count + i);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCTCBeamSearchDecoder,
     .types = DType::f32,
     .run = beam_decoder<float>,
     .allocates = true},
    {.op = &kCTCBeamSearchDecoder,
     .types = DType::f64,
     .run = beam_decoder<double>,
     .allocates = true},
};

}  // namespace

extern const KernelTable kCTCBeamCpu{kEntries};

}  // namespace rill
