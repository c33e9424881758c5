#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/box_overlap.h"
#include "rill/ops/nn/top_k/order_keys.h"

namespace rill {

extern const OpDecl kCombinedNonMaxSuppression;

namespace {

struct Detection {
  std::int64_t box, kind;  // `kind` is the class
  float score;
};

struct Detector {
  explicit Detector(const KernelCall& call)
      : corners(call.input_tensor(0).data<float>()),
        scores(call.input_tensor(1).data<float>()),
        boxes(call.input_tensor(0).dim(1)),
        sets(call.input_tensor(0).dim(2)),
        classes(call.input_tensor(1).dim(2)),
        per_class(call.input_tensor(2).scalar_value<std::int32_t>()),
        iou_threshold(call.input_tensor(4).scalar_value<float>()),
        score_threshold(call.input_tensor(5).scalar_value<float>()) {
    require(iou_threshold >= 0 && iou_threshold <= 1, "iou_threshold must be in [0, 1], not ",
            iou_threshold);
    require(boxes <= INT32_MAX, boxes, " boxes are too many");
  }
  const float* corners_of(std::int64_t image, const Detection& d) const {
    return corners + ((image * boxes + d.box) * sets + (sets == 1 ? 0 : d.kind)) * 4;
  }
  // The best boxes of one class, in the order of their scores.
  std::vector<Detection> detect(std::int64_t image, std::int64_t kind) const {
    std::vector<std::uint64_t> candidates;
    for (std::int64_t i = 0; i < boxes; ++i) {
      const float score = scores[(image * boxes + i) * classes + kind];
      if (score > score_threshold) candidates.push_back(falling_key(score, i));
    }
    // Seldom are all of them looked at: a heap with the best on top.
    std::ranges::make_heap(candidates, std::greater());
    ChosenBoxes chosen;
    std::vector<Detection> result;
    while (!candidates.empty() && static_cast<std::int64_t>(result.size()) < per_class) {
      const std::int64_t i = place_of_key(candidates.front());
      std::ranges::pop_heap(candidates, std::greater());
      candidates.pop_back();
      const Detection candidate{i, kind, scores[(image * boxes + i) * classes + kind]};
      const float* c = corners_of(image, candidate);
      const Box box(c[0], c[1], c[2], c[3]);
      if (chosen.any_overlaps(box, iou_threshold)) continue;
      chosen.add(box);
      result.push_back(candidate);
    }
    return result;
  }

  const float *corners, *scores;
  std::int64_t boxes, sets, classes, per_class;
  float iou_threshold, score_threshold;
};

void combined_suppression(KernelCall& call) {
  const Detector detector(call);
  const std::int64_t batch = call.input_tensor(0).dim(0), classes = detector.classes,
                     most = call.output_tensor(1).dim(1);
  std::vector<std::vector<Detection>> found(static_cast<std::size_t>(batch * classes));
  call.parallel_for(found.size(), 20 * static_cast<double>(detector.boxes),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = begin; i < end; ++i)
                        found[i] = detector.detect(static_cast<std::int64_t>(i) / classes,
                                                   static_cast<std::int64_t>(i) % classes);
                    });
  const bool clip = call.node().attr<bool>("clip_boxes");
  float *boxes = call.output_tensor(0).data<float>(), *scores = call.output_tensor(1).data<float>(),
        *kinds = call.output_tensor(2).data<float>();
  for (const int i : {0, 1, 2}) std::ranges::fill(call.output<float>(i), 0.0F);
  for (std::int64_t n = 0; n < batch; ++n) {
    std::vector<Detection> all;
    for (std::int64_t k = 0; k < classes; ++k) {
      const auto& some = found[static_cast<std::size_t>(n * classes + k)];
      all.insert(all.end(), some.begin(), some.end());
    }
    std::ranges::stable_sort(all, std::greater(), &Detection::score);
    const std::int64_t count = std::min(most, static_cast<std::int64_t>(all.size()));
    for (std::int64_t i = 0; i < count; ++i) {
      const Detection& d = all[static_cast<std::size_t>(i)];
      const float* corners = detector.corners_of(n, d);
      for (int k = 0; k < 4; ++k)
        boxes[(n * most + i) * 4 + k] =
            clip ? std::max(std::min(corners[k], 1.0F), 0.0F) : corners[k];
      scores[n * most + i] = d.score;
      kinds[n * most + i] = static_cast<float>(d.kind);
    }
    call.output<std::int32_t>(3)[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(count);
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCombinedNonMaxSuppression, .run = combined_suppression},
};

}  // namespace

extern const KernelTable kCombinedSuppressionCpu{kEntries};

}  // namespace rill
