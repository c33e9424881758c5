#include <utility>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/crop_axis.h"
#include "rill/ops/image/pixel_types.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kCropAndResize, kCropAndResizeGradImage, kCropAndResizeGradBoxes;

namespace {

struct Crop {
  std::int64_t image;
  CropAxis down, across;
};

// All boxes, checked: they are finite and belong to images that exist.
class Crops {
 public:
  Crops(const Tensor& boxes, const Tensor& indices, const Shape& images, const Shape& crops)
      : boxes_(boxes.data<float>()),
        indices_(indices.data<std::int32_t>()),
        count_(boxes.dim(0)),
        images_(images),
        crops_(crops) {
    for (std::int64_t i = 0; i < 4 * count_; ++i)
      require(std::isfinite(boxes_[i]),
              "Boxes contains at least one element that is not finite: ", boxes_[i]);
    for (std::int64_t i = 0; i < count_; ++i)
      if (indices_[i] < 0 || indices_[i] >= images.dim(0))
        raise(Code::kOutOfRange, "box_index has values outside [0, batch_size): ", indices_[i],
              " where batch_size is ", images.dim(0));
  }
  std::int64_t count() const { return count_; }
  Crop operator[](std::int64_t i) const {
    const float* box = boxes_ + 4 * i;
    return {indices_[i],
            {box[0], box[2], images_.dim(1), crops_.dim(1)},
            {box[1], box[3], images_.dim(2), crops_.dim(2)}};
  }

 private:
  const float* boxes_;
  const std::int32_t* indices_;
  std::int64_t count_;
  const Shape &images_, &crops_;
};

// Where the pixels of a crop's rows come from: offsets in a row of the image, -1 for those outside.
struct Columns {
  struct Column {
    std::int64_t left = -1, right = -1;
    float distance = 0;
  };
  void set(const CropAxis& across, std::int64_t depth, bool nearest) {
    all.assign(static_cast<std::size_t>(across.out), {});
    for (std::int64_t i = 0; i < across.out; ++i) {
      float x;
      if (!across.place(i, &x)) continue;
      const CropPlace side(nearest ? std::round(x) : x);
      all[static_cast<std::size_t>(i)] = {side.lower * depth, side.upper * depth, side.distance};
    }
  }
  std::vector<Column> all;
};

// The row of a crop that lies between two rows of the image.
template <class T>
void mix_row(float* out, const T* top, const T* bottom, float distance, const Columns& columns,
             std::int64_t depth, float outside) {
  for (const Columns::Column& column : columns.all) {
    if (column.left < 0) {
      std::fill_n(out, depth, outside);
    } else {
      const T *a = top + column.left, *b = top + column.right, *c = bottom + column.left,
              *e = bottom + column.right;
      for (std::int64_t d = 0; d < depth; ++d) {
        const float above = to_float(a[d]) + (to_float(b[d]) - to_float(a[d])) * column.distance,
                    below = to_float(c[d]) + (to_float(e[d]) - to_float(c[d])) * column.distance;
        out[d] = above + (below - above) * distance;
      }
    }
    out += depth;
  }
}

// The row of a crop that is one of the image; it may hold infinities, which cannot be mixed.
template <class T>
void pick_row(float* out, const T* row, const Columns& columns, std::int64_t depth, float outside) {
  for (const Columns::Column& column : columns.all)
    for (std::int64_t d = 0; d < depth; ++d)
      *out++ = column.left < 0 ? outside : to_float(row[column.left + d]);
}

template <class T>
void crop_rows(const KernelCall& call, const Crops& crops, std::int64_t begin, std::int64_t end) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const bool nearest = call.node().attr<std::string>("method") == "nearest";
  const float outside = call.node().attr<float>("extrapolation_value");
  const std::int64_t height = results.dim(1), depth = images.dim(3), row = results.dim(2) * depth,
                     image_row = images.dim(2) * depth;
  Columns columns;
  std::int64_t columns_of = -1;
  for (std::int64_t i = begin; i < end; ++i) {
    float* out = results.data<float>() + i * row;
    const Crop crop = crops[i / height];
    float y;
    if (!crop.down.place(i % height, &y)) {
      std::fill_n(out, row, outside);
      continue;
    }
    if (std::exchange(columns_of, i / height) != i / height)
      columns.set(crop.across, depth, nearest);
    const CropPlace down(nearest ? std::round(y) : y);
    const T* image = images.data<T>() + crop.image * images.dim(1) * image_row;
    const T *top = image + down.lower * image_row, *bottom = image + down.upper * image_row;
    if (nearest)
      pick_row(out, top, columns, depth, outside);
    else
      mix_row(out, top, bottom, down.distance, columns, depth, outside);
  }
}

void crop_and_resize(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const Crops crops(call.input_tensor(1), call.input_tensor(2), images.shape(), results.shape());
  if (results.element_count() == 0) return;
  visit_pixel(images.dtype(), [&]<class T>() {
    call.parallel_for(static_cast<std::size_t>(crops.count() * results.dim(1)),
                      2 * static_cast<double>(results.dim(2) * images.dim(3)),
                      [&](std::size_t begin, std::size_t end) {
                        crop_rows<T>(call, crops, static_cast<std::int64_t>(begin),
                                     static_cast<std::int64_t>(end));
                      });
  });
}

// Adds the gradient of one crop to the image that it was taken from.
template <class T>
void add_to_image(T* image, const float* grads, const Crop& crop, std::int64_t depth,
                  bool nearest) {
  const std::int64_t row = crop.across.in * depth;
  const auto add = [&](std::int64_t y, std::int64_t x, float weight, const float* from) {
    T* to = image + y * row + x * depth;
#pragma GCC ivdep
    for (std::int64_t d = 0; d < depth; ++d) to[d] += static_cast<T>(weight * from[d]);
  };
  for (std::int64_t i = 0; i < crop.down.out; ++i) {
    float y, x;
    if (!crop.down.place(i, &y)) continue;
    for (std::int64_t k = 0; k < crop.across.out; ++k) {
      if (!crop.across.place(k, &x)) continue;
      const float* from = grads + (i * crop.across.out + k) * depth;
      if (nearest) {
        add(static_cast<std::int64_t>(std::round(y)), static_cast<std::int64_t>(std::round(x)), 1,
            from);
        continue;
      }
      const CropPlace down(y), side(x);
      add(down.lower, side.lower, (1 - down.distance) * (1 - side.distance), from);
      add(down.lower, side.upper, (1 - down.distance) * side.distance, from);
      add(down.upper, side.lower, down.distance * (1 - side.distance), from);
      add(down.upper, side.upper, down.distance * side.distance, from);
    }
  }
}

template <class T>
void crop_grad_image(KernelCall& call) {
  const Tensor &grads = call.input_tensor(0), &results = call.output_tensor(0);
  const Crops crops(call.input_tensor(1), call.input_tensor(2), results.shape(), grads.shape());
  const bool nearest = call.node().attr<std::string>("method") == "nearest";
  const std::int64_t depth = results.dim(3), size = results.dim(1) * results.dim(2) * depth,
                     grad_size = grads.dim(1) * grads.dim(2) * depth;
  const float* from = grads.data<float>();
  T* out = results.data<T>();
  const double share = static_cast<double>(crops.count()) /
                       static_cast<double>(std::max<std::int64_t>(results.dim(0), 1));
  call.parallel_for(static_cast<std::size_t>(results.dim(0)),
                    static_cast<double>(size) + 4 * share * static_cast<double>(grad_size),
                    [&](std::size_t begin, std::size_t end) {
                      constexpr bool kIsSum = std::is_same_v<T, Widened<T>>;
                      std::vector<Widened<T>> wide(static_cast<std::size_t>(kIsSum ? 0 : size));
                      for (auto n = static_cast<std::int64_t>(begin);
                           n < static_cast<std::int64_t>(end); ++n) {
                        Widened<T>* sums = wide.data();
                        if constexpr (kIsSum) sums = out + n * size;
                        std::fill_n(sums, size, Widened<T>{0});
                        for (std::int64_t i = 0; i < crops.count(); ++i)
                          if (crops[i].image == n)
                            add_to_image(sums, from + i * grad_size, crops[i], depth, nearest);
                        if constexpr (!kIsSum)
                          for (std::int64_t i = 0; i < size; ++i)
                            out[n * size + i] = static_cast<T>(sums[i]);
                      }
                    });
}

// Adds to the gradient of one box.
template <class T>
void box_gradient(float* out, const T* image, const float* grads, const Crop& crop,
                  std::int64_t depth) {
  const std::int64_t row = crop.across.in * depth;
  for (std::int64_t i = 0; i < crop.down.out; ++i) {
    float y, x;
    if (!crop.down.place(i, &y)) continue;
    const CropPlace down(y);
    for (std::int64_t k = 0; k < crop.across.out; ++k) {
      if (!crop.across.place(k, &x)) continue;
      const CropPlace side(x);
      const T *top = image + down.lower * row, *bottom = image + down.upper * row;
      const std::int64_t left = side.lower * depth, right = side.upper * depth;
      const float* from = grads + (i * crop.across.out + k) * depth;
      const CropAxis::Slopes by_y = crop.down.slopes(i), by_x = crop.across.slopes(k);
      for (std::int64_t d = 0; d < depth; ++d) {
        const float a = to_float(top[left + d]), b = to_float(top[right + d]),
                    c = to_float(bottom[left + d]), e = to_float(bottom[right + d]);
        const float dy = from[d] * ((1 - side.distance) * (c - a) + side.distance * (e - b)),
                    dx = from[d] * ((1 - down.distance) * (b - a) + down.distance * (e - c));
        out[0] += dy * by_y.from;
        out[1] += dx * by_x.from;
        out[2] += dy * by_y.to;
        out[3] += dx * by_x.to;
      }
    }
  }
}

void crop_grad_boxes(KernelCall& call) {
  const Tensor &grads = call.input_tensor(0), &images = call.input_tensor(1);
  const Crops crops(call.input_tensor(2), call.input_tensor(3), images.shape(), grads.shape());
  const std::int64_t depth = images.dim(3), size = images.dim(1) * images.dim(2) * depth,
                     grad_size = grads.dim(1) * grads.dim(2) * depth;
  const float* from = grads.data<float>();
  float* out = call.output_tensor(0).data<float>();
  std::fill_n(out, 4 * crops.count(), 0.0F);
  visit_pixel(images.dtype(), [&]<class T>() {
    const T* source = images.data<T>();
    call.parallel_for(static_cast<std::size_t>(crops.count()), 4 * static_cast<double>(grad_size),
                      [&](std::size_t begin, std::size_t end) {
                        for (auto i = static_cast<std::int64_t>(begin);
                             i < static_cast<std::int64_t>(end); ++i)
                          box_gradient(out + 4 * i, source + crops[i].image * size,
                                       from + i * grad_size, crops[i], depth);
                      });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCropAndResize, .types = kPixelTypes, .run = crop_and_resize},
    {.op = &kCropAndResizeGradImage, .types = DType::f32, .run = crop_grad_image<float>},
    {.op = &kCropAndResizeGradImage, .types = DType::f64, .run = crop_grad_image<double>},
    {.op = &kCropAndResizeGradImage, .types = DType::f16, .run = crop_grad_image<half>},
    {.op = &kCropAndResizeGradBoxes, .types = kPixelTypes, .run = crop_grad_boxes},
};

}  // namespace

extern const KernelTable kCropAndResizeCpu{kEntries};

}  // namespace rill
