#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/changed_input.h"
#include "rill/ops/array/slice/strided_copy.h"

namespace rill {

extern const OpDecl kParallelConcat, kParallelConcatStart, kParallelConcatUpdate;

namespace {

void write_row(const Tensor& out, std::int64_t row, const Tensor& value) {
  const std::int64_t size = value.element_count();
  copy_elements(out.dtype(), element_at(out, row * size), value.raw_data(),
                static_cast<std::size_t>(size));
}

void parallel_concat(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  const auto count = static_cast<std::size_t>(call.input_count());
  const double cost = static_cast<double>(out.byte_size()) / static_cast<double>(count) * 0.1;
  call.parallel_for(count, cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      write_row(out, static_cast<std::int64_t>(i), call.input_tensor(static_cast<int>(i)));
  });
}

// Zeros, so that what is never filled is the same every time.
void start(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  const std::uint64_t zero[2] = {0, 0};
  if (is_trivial(output.dtype()))
    fill_elements(call, output.dtype(), output.raw_data(), zero, output.element_count());
}

void update(KernelCall& call) {
  const Tensor &value = call.input_tensor(0), &row = call.input_tensor(1);
  require(value.rank() > 0 && value.rank() == row.rank() && row.dim(0) == 1,
          "update must be one row of value, but their shapes are ", row.shape(), " and ",
          value.shape());
  for (int d = 1; d < value.rank(); ++d)
    require(value.dim(d) == row.dim(d), "update must be one row of value, but their shapes are ",
            row.shape(), " and ", value.shape());
  const std::int64_t rows = value.dim(0), loc = call.node().attr<std::int64_t>("loc");
  require(loc < rows, "0th dimension of value = ", rows, " must be greater than loc_ = ", loc);
  const Tensor& out = changed_input(call);
  if (out.element_count() > 0) write_row(out, (loc % rows + rows) % rows, row);
}

constexpr TypeSet kParallelConcatTypes =
    (kNumberTypes - (DType::u32 | DType::u64)) | DType::boolean | DType::string;

constexpr KernelEntry kEntries[] = {
    {.op = &kParallelConcat, .types = kParallelConcatTypes, .run = parallel_concat},
    {.op = &kParallelConcatStart, .types = kParallelConcatTypes, .run = start},
    {.op = &kParallelConcatUpdate, .types = kParallelConcatTypes, .run = update, .allocates = true},
};

}  // namespace

extern const KernelTable kParallelConcatCpu{kEntries};

}  // namespace rill
