#include <algorithm>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kDrawBoundingBoxes, kDrawBoundingBoxesV2;

namespace {

// Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia.
constexpr float kColors[][4] = {
    {1, 1, 0, 1},       {0, 0, 1, 1},    {1, 0, 0, 1},    {0, 1, 0, 1}, {0.5F, 0, 0.5F, 1},
    {0.5F, 0.5F, 0, 1}, {0.5F, 0, 0, 1}, {0, 0, 0.5F, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};
constexpr float kWhite[4] = {1, 1, 1, 1};

class Palette {
 public:
  Palette(const KernelCall& call, std::int64_t depth) : grey_(depth == 1) {
    if (call.input_count() < 3 || call.input_tensor(2).element_count() == 0) return;
    colors_ = call.input_tensor(2).data<float>();
    count_ = call.input_tensor(2).dim(0);
    step_ = call.input_tensor(2).dim(1);
  }
  const float* color(std::int64_t box) const {
    if (colors_ != nullptr) return colors_ + box % count_ * step_;
    return grey_ ? kWhite : kColors[box % static_cast<std::int64_t>(std::size(kColors))];
  }

 private:
  bool grey_;
  const float* colors_ = nullptr;
  std::int64_t count_ = 0, step_ = 0;
};

// Pixels from one end of a box to the other, along one dimension of an image.
struct BoxSpan {
  std::int64_t first, last, size;

  BoxSpan(float from, float to, std::int64_t size)
      : first(pixel(from, size)), last(pixel(to, size)), size(size) {}
  // Rounded towards zero; numbers that no pixel can have, NaN among them, lie just outside.
  static std::int64_t pixel(float place, std::int64_t size) {
    const float at = place * static_cast<float>(size - 1);
    if (!(at > -1)) return -1;
    return at < static_cast<float>(size) ? static_cast<std::int64_t>(at) : size;
  }
  bool visible() const { return first <= last && first < size && last >= 0; }
  std::int64_t begin() const { return std::max<std::int64_t>(first, 0); }
  std::int64_t end() const { return std::min(last, size - 1) + 1; }
};

template <class T>
void draw_box(T* image, const BoxSpan& rows, const BoxSpan& columns, const float* color,
              std::int64_t depth) {
  const auto paint = [&](std::int64_t y, std::int64_t x) {
    T* to = image + (y * columns.size + x) * depth;
    for (std::int64_t c = 0; c < depth; ++c) to[c] = static_cast<T>(color[c]);
  };
  for (const std::int64_t y : {rows.first, rows.last})
    if (y >= 0 && y < rows.size)
      for (std::int64_t x = columns.begin(); x < columns.end(); ++x) paint(y, x);
  for (const std::int64_t x : {columns.first, columns.last})
    if (x >= 0 && x < columns.size)
      for (std::int64_t y = rows.begin(); y < rows.end(); ++y) paint(y, x);
}

template <class T>
void draw_bounding_boxes(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &boxes = call.input_tensor(1);
  T* out = call.output_tensor(0).data<T>();
  std::ranges::copy(images.flat<T>(), out);
  const std::int64_t height = images.dim(1), width = images.dim(2), depth = images.dim(3);
  const Palette palette(call, depth);
  const float* corners = boxes.data<float>();
  for (std::int64_t n = 0; n < images.dim(0); ++n)
    for (std::int64_t i = 0; i < boxes.dim(1); ++i, corners += 4) {
      const BoxSpan rows(corners[0], corners[2], height), columns(corners[1], corners[3], width);
      if (rows.visible() && columns.visible())
        draw_box(out + n * height * width * depth, rows, columns, palette.color(i), depth);
    }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDrawBoundingBoxes, .types = DType::f32, .run = draw_bounding_boxes<float>},
    {.op = &kDrawBoundingBoxes, .types = DType::f16, .run = draw_bounding_boxes<half>},
    {.op = &kDrawBoundingBoxesV2, .types = DType::f32, .run = draw_bounding_boxes<float>},
    {.op = &kDrawBoundingBoxesV2, .types = DType::f16, .run = draw_bounding_boxes<half>},
};

}  // namespace

extern const KernelTable kDrawBoundingBoxesCpu{kEntries};

}  // namespace rill
