#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kScopedAllocator, kScopedAllocatorConcat, kScopedAllocatorSplit;

namespace {

constexpr std::int64_t kAlignment = 64;  // bytes

// Where tensors of these sizes begin in one of `room` elements.
std::vector<std::int64_t> places(std::span<const std::int64_t> sizes, std::int64_t room,
                                 DType dtype) {
  const std::int64_t unit =
      std::max<std::int64_t>(kAlignment / static_cast<std::int64_t>(element_size(dtype)), 1);
  std::vector<std::int64_t> aligned, dense;
  std::int64_t end_aligned = 0, end_dense = 0;
  for (const std::int64_t size : sizes) {
    aligned.push_back((end_aligned + unit - 1) / unit * unit);
    dense.push_back(end_dense);
    require(!__builtin_add_overflow(aligned.back(), size, &end_aligned) &&
                end_aligned <= std::numeric_limits<std::int64_t>::max() - unit,
            "the sum of sizes overflows");
    end_dense += size;
  }
  require(end_dense <= room, "tensors of ", end_dense, " elements do not fit into one of ", room);
  return end_aligned <= room ? aligned : dense;
}

void check_trivial(DType dtype) {
  require(is_trivial(dtype), "tensors of ", dtype, " cannot lie in one");
}

void allocate(KernelCall& call) {
  const DType dtype = call.node().output_type(0);
  check_trivial(dtype);
  call.set_output(0, Tensor::zeros(dtype, call.node().attr<PartialShape>("shape").full()));
}

void join_in_place(KernelCall& call) {
  const Tensor& backing = call.input_tensor(0);
  check_trivial(backing.dtype());
  Shape shape = backing.shape();
  if (call.node().attr<bool>("reshape")) shape = call.node().attr<PartialShape>("shape").full();
  require(shape.element_count() == backing.element_count(), "a tensor of ", backing.shape(),
          " cannot be reshaped to ", shape);
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < call.input_count(); ++i)
    sizes.push_back(call.input_tensor(i).element_count());
  const auto starts = places(sizes, backing.element_count(), backing.dtype());
  const Tensor output = Tensor::zeros(backing.dtype(), shape);
  for (int i = 1; i < call.input_count(); ++i) {
    const auto at = static_cast<std::size_t>(i - 1);
    auto* const to = static_cast<std::byte*>(output.raw_data()) +
                     static_cast<std::size_t>(starts[at]) * element_size(output.dtype());
    copy_elements(output.dtype(), to, call.input_tensor(i).raw_data(),
                  static_cast<std::size_t>(sizes[at]));
  }
  call.set_output(0, output);
}

void part(KernelCall& call) {
  const Tensor& whole = call.input_tensor(0);
  check_trivial(whole.dtype());
  const auto& stated = call.node().attr<std::vector<PartialShape>>("shapes");
  std::vector<Shape> shapes;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < call.output_count(); ++i) {
    shapes.push_back(stated.at(static_cast<std::size_t>(i)).full());
    sizes.push_back(shapes.back().element_count());
  }
  const Tensor flat = whole.reshaped({whole.element_count()});
  const auto starts = places(sizes, whole.element_count(), whole.dtype());
  for (int i = 0; i < call.output_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    call.set_output(i, flat.slice(starts[at], starts[at] + sizes[at]).reshaped(shapes[at]));
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kScopedAllocator, .run = allocate, .allocates = true, .expensive = false},
    {.op = &kScopedAllocatorConcat, .run = join_in_place, .allocates = true},
    {.op = &kScopedAllocatorSplit, .run = part, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kScopedAllocatorCpu{kEntries};

}  // namespace rill
