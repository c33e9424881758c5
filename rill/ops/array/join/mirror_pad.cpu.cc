#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/update/element_update.h"

namespace rill {

extern const OpDecl kMirrorPad, kMirrorPadGrad;

namespace {

// How one dimension is padded: `before` elements, the `size` inside, `after` elements. The image
// starts `skip` elements from the border.
struct Mirror {
  std::int64_t before, size, after, skip;
};

std::vector<Mirror> mirrors(const KernelCall& call, const Shape& inside) {
  const bool reflect = call.node().attr<std::string>("mode") == "REFLECT";
  const Tensor& paddings = call.input_tensor(1);
  std::vector<Mirror> result;
  for (int d = 0; d < inside.rank(); ++d) {
    const Mirror m{int_at(paddings, 2 * d), inside.dim(d), int_at(paddings, 2 * d + 1),
                   reflect ? 1 : 0};
    const std::int64_t most = m.size - m.skip;
    if (reflect)
      require(m.before <= most && m.after <= most,
              "paddings must be less than the dimension size: ", m.before, ", ", m.after,
              " not less than ", m.size);
    else
      require(m.before <= most && m.after <= most,
              "paddings must be no greater than the dimension size: ", m.before, ", ", m.after,
              " greater than ", m.size);
    result.push_back(m);
  }
  return result;
}

// Copies the images along dimension `axis`. Later dimensions are complete, earlier ones are copied
// where the tensor itself is: their own turn completes them.
void copy_images(const KernelCall& call, const std::vector<Mirror>& all, const Dims& strides,
                 int axis) {
  const Tensor& out = call.output_tensor(0);
  const Mirror& m = all[static_cast<std::size_t>(axis)];
  const auto copy_side = [&](std::int64_t first, std::int64_t image, std::int64_t count) {
    if (count == 0) return;
    StridedCopy copy;
    std::int64_t corner = 0;
    for (int d = 0; d < static_cast<int>(all.size()); ++d) {
      const Mirror& other = all[static_cast<std::size_t>(d)];
      if (d == axis) {
        copy.add_dim(count, strides[d], -strides[d]);
      } else if (d < axis) {
        copy.add_dim(other.size, strides[d], strides[d]);
        corner += other.before * strides[d];
      } else {
        copy.add_dim(other.before + other.size + other.after, strides[d], strides[d]);
      }
    }
    strided_copy(call, out.dtype(), element_at(out, corner + first * strides[axis]),
                 element_at(out, corner + image * strides[axis]), copy);
  };
  copy_side(0, 2 * m.before + m.skip - 1, m.before);
  copy_side(m.before + m.size, m.before + m.size - 1 - m.skip, m.after);
}

void mirror_pad(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const std::vector<Mirror> all = mirrors(call, input.shape());
  if (output.element_count() == 0) return;
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy inside;
  std::int64_t corner = 0;
  for (int d = 0; d < input.rank(); ++d) {
    inside.add_dim(input.dim(d), to[d], from[d]);
    corner += all[static_cast<std::size_t>(d)].before * to[d];
  }
  strided_copy(call, input.dtype(), element_at(output, corner), input.raw_data(), inside);
  for (int d = input.rank() - 1; d >= 0; --d) copy_images(call, all, to, d);
}

// Adds to each row along one dimension, of `width` elements, the rows that are its images.
void fold(const Tensor& tensor, const Mirror& m, std::int64_t outer, std::int64_t width) {
  const DType dtype = tensor.dtype();
  const auto add = element_update(UpdateKind::kAdd, dtype).with_row;
  const std::int64_t length = m.before + m.size + m.after;
  for (std::int64_t o = 0; o < outer; ++o) {
    const auto add_row = [&](std::int64_t to, std::int64_t from) {
      add(dtype, element_at(tensor, (o * length + to) * width),
          element_at(tensor, (o * length + from) * width), static_cast<std::size_t>(width));
    };
    for (std::int64_t i = 0; i < m.before; ++i) add_row(2 * m.before + m.skip - 1 - i, i);
    for (std::int64_t i = 0; i < m.after; ++i)
      add_row(m.before + m.size - 1 - m.skip - i, m.before + m.size + i);
  }
}

void mirror_pad_grad(KernelCall& call) {
  const Tensor &output = call.output_tensor(0), input = call.input_tensor(0).clone();
  const std::vector<Mirror> all = mirrors(call, output.shape());
  if (output.element_count() == 0) return;
  std::int64_t outer = 1, width = input.element_count();
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy inside;
  std::int64_t corner = 0;
  for (int d = 0; d < input.rank(); ++d) {
    width /= input.dim(d);
    fold(input, all[static_cast<std::size_t>(d)], outer, width);
    outer *= input.dim(d);
    inside.add_dim(output.dim(d), to[d], from[d]);
    corner += all[static_cast<std::size_t>(d)].before * from[d];
  }
  strided_copy(call, input.dtype(), output.raw_data(), element_at(input, corner), inside);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMirrorPad, .run = mirror_pad},
    {.op = &kMirrorPadGrad, .types = kUpdateTypes, .run = mirror_pad_grad},
};

}  // namespace

extern const KernelTable kMirrorPadCpu{kEntries};

}  // namespace rill
