#include <limits>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/random_part.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kSampleDistortedBoundingBox, kSampleDistortedBoundingBoxV2;

namespace {

float min_covered(const KernelCall& call) {
  const float least = call.input_count() == 3 ? call.input_tensor(2).scalar_value<float>()
                                              : call.node().attr<float>("min_object_covered");
  require(least >= 0, "Min object covered must be non-negative: ", least);
  return least;
}

template <class T>
std::int64_t side(T length, const char* name) {
  const auto value = static_cast<std::int64_t>(length);
  require(value >= 0 && value < std::numeric_limits<std::int32_t>::max(), "image ", name,
          " cannot be >= int32 max or negative: ", value);
  return value;
}

std::vector<PixelBox> boxes_in_pixels(const KernelCall& call, std::int64_t width,
                                      std::int64_t height) {
  const Tensor& boxes = call.input_tensor(1);
  for (const float x : boxes.flat<float>())
    require(x >= 0 && x <= 1, "All bounding box coordinates must be in [0.0, 1.0]: ", x);
  const auto at = [](float place, std::int64_t size) {
    return static_cast<std::int64_t>(place * static_cast<float>(size));
  };
  std::vector<PixelBox> result;
  const float* corners = boxes.data<float>();
  for (std::int64_t i = 0; i < boxes.dim(0) * boxes.dim(1); ++i, corners += 4)
    result.push_back({at(corners[1], width), at(corners[0], height), at(corners[3], width),
                      at(corners[2], height)});
  if (!result.empty()) return result;
  require(call.node().attr<bool>("use_image_if_no_bounding_boxes"),
          "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if "
          "you wish to not provide any bounding boxes.");
  return {{0, 0, width, height}};
}

// The first of the attempts that is good enough, else the whole image.
PixelBox sample(const KernelCall& call, std::int64_t width, std::int64_t height) {
  const auto boxes = boxes_in_pixels(call, width, height);
  const float least = min_covered(call);
  const auto& ratios = call.node().attr<std::vector<float>>("aspect_ratio_range");
  const auto& areas = call.node().attr<std::vector<float>>("area_range");
  const auto attempts = call.node().attr<std::int64_t>("max_attempts");
  PhiloxWords words(call.state<NodeStream>().reserve(static_cast<std::uint64_t>(attempts)));
  const PartRule rule{areas[0], areas[1]};
  // Where not even the whole image would do, no attempt is worth its time.
  const PixelBox whole{0, 0, width, height};
  if (!covers_enough(whole, boxes, least)) return whole;
  for (std::int64_t i = 0; i < attempts; ++i) {
    const float ratio = words.next_float() * (ratios[1] - ratios[0]) + ratios[0];
    PixelBox part;
    if (rule.draw(width, height, ratio, words, &part) && covers_enough(part, boxes, least))
      return part;
  }
  return whole;
}

template <class T>
void sample_box(KernelCall& call) {
  const auto image = call.input<T>(0);
  const std::int64_t height = side(image[0], "height"), width = side(image[1], "width");
  const PixelBox part = sample(call, width, height);
  const auto begin = call.output<T>(0), size = call.output<T>(1);
  begin[0] = static_cast<T>(part.top);
  begin[1] = static_cast<T>(part.left);
  begin[2] = T{0};
  size[0] = static_cast<T>(part.bottom - part.top);
  size[1] = static_cast<T>(part.right - part.left);
  size[2] = static_cast<T>(-1);  // all channels
  const auto box = call.output<float>(2);
  const auto share = [](std::int64_t at, std::int64_t of) {
    return static_cast<float>(at) / static_cast<float>(of);
  };
  box[0] = share(part.top, height);
  box[1] = share(part.left, width);
  box[2] = share(part.bottom, height);
  box[3] = share(part.right, width);
}

template <class T>
constexpr KernelEntry sample_box_entry(const OpDecl* op) {
  return {.op = op, .types = dtype_of<T>, .run = sample_box<T>, .make_state = NodeStream::make};
}
template <class... T>
struct SampleBoxEntries {
  KernelEntry all[2 * sizeof...(T)] = {sample_box_entry<T>(&kSampleDistortedBoundingBox)...,
                                       sample_box_entry<T>(&kSampleDistortedBoundingBoxV2)...};
};
constexpr SampleBoxEntries<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t>
    kEntries;

}  // namespace

extern const KernelTable kSampleDistortedBoundingBoxCpu{kEntries.all};

}  // namespace rill
