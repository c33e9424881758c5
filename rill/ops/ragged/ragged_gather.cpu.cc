#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/gather.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/ragged/row_splits.h"

namespace rill {

extern const OpDecl kRaggedGather;

namespace {

struct Params {
  std::vector<Tensor> splits;
  Tensor values;

  std::size_t levels() const { return splits.size(); }
  // What the rows [begin, end) of the outermost dimension become, one level further in each time.
  void descend(std::size_t level, std::int64_t* begin, std::int64_t* end) const {
    *begin = int_at(splits[level], *begin);
    *end = int_at(splits[level], *end);
  }
};

// Splits may begin and end anywhere, but must ascend inside of what they point to.
Params params_input(const KernelCall& call, int levels) {
  Params params;
  for (int i = 0; i < levels; ++i) params.splits.push_back(call.input_tensor(i));
  params.values = call.input_tensor(levels);
  require(params.values.rank() >= 1, "params.rank must be nonzero");
  for (std::size_t level = 0; level < params.levels(); ++level) {
    const Tensor& splits = params.splits[level];
    require(splits.rank() == 1 && splits.dim(0) >= 1, "Ragged splits must be a vector with an ",
            "element at least, but have shape ", splits.shape());
    const std::int64_t end =
        level + 1 < params.levels() ? row_count(params.splits[level + 1]) : params.values.dim(0);
    for (std::int64_t i = 0; i < splits.dim(0); ++i) {
      const std::int64_t split = int_at(splits, i);
      require(split >= 0, "Ragged splits must be non-negative, but one is ", split);
      require(i == 0 || int_at(splits, i - 1) <= split, "Ragged splits must be sorted");
      require(split <= end, "Ragged splits must not point past values: one is ", split,
              " of at most ", end);
    }
  }
  return params;
}

// How many rows each level of the result has, the values last.
std::vector<std::int64_t> result_sizes(const Params& params, const Tensor& indices) {
  std::vector<std::int64_t> sizes(params.levels() + 1);
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    std::int64_t begin = int_at(indices, i), end = begin + 1;
    for (std::size_t level = 0; level <= params.levels(); ++level) {
      require(!__builtin_add_overflow(sizes[level], end - begin, &sizes[level]),
              "the gathered rows have more than ", INT64_MAX, " values");
      if (level < params.levels()) params.descend(level, &begin, &end);
    }
  }
  return sizes;
}

// The splits of the dimensions of `indices`: all rows of one are equally long.
void output_index_splits(const KernelCall& call, const Tensor& indices) {
  std::int64_t rows = 1;
  for (int d = 1; d < indices.rank(); ++d) {
    std::int64_t end = 0;
    rows *= indices.dim(d - 1);
    require(!__builtin_mul_overflow(rows, indices.dim(d), &end), "indices of shape ",
            indices.shape(), " have too many rows");
    const Tensor& splits = call.allocate_output(d - 1, {rows + 1});
    check_split_fits(end, splits.dtype());
    for (std::int64_t i = 0; i <= rows; ++i) set_int_at(splits, i, i * indices.dim(d));
  }
}

void ragged_gather(KernelCall& call) {
  const auto levels = static_cast<int>(call.node().attr<std::int64_t>("PARAMS_RAGGED_RANK"));
  const Tensor& indices = call.input_tensor(levels + 1);
  require(call.output_count() - 1 == levels + indices.rank() - 1,
          "OUTPUT_RAGGED_RANK must be PARAMS_RAGGED_RANK + indices.rank - 1");
  const Params params = params_input(call, levels);
  check_indices(indices, row_count(params.splits[0]));
  const auto sizes = result_sizes(params, indices);
  output_index_splits(call, indices);
  // The result's splits for the params' levels; those of the outermost one are not wanted where a
  // single row is gathered.
  std::vector<Tensor> out(params.levels());
  for (std::size_t level = 0; level < params.levels(); ++level) {
    const DType type = params.splits[level].dtype();
    check_split_fits(sizes[level + 1], type);
    out[level] = Tensor(type, Shape{sizes[level] + 1});
    set_int_at(out[level], 0, 0);
  }
  const Tensor& values = call.allocate_output(call.output_count() - 1,
                                              params.values.shape().with_dim(0, sizes.back()));
  const std::int64_t width =
      params.values.dim(0) == 0 ? 0 : params.values.element_count() / params.values.dim(0);
  std::vector<std::int64_t> filled(params.levels());
  std::int64_t value_at = 0;
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    std::int64_t begin = int_at(indices, i), end = begin + 1;
    for (std::size_t level = 0; level < params.levels(); ++level) {
      const Tensor& from = params.splits[level];
      const std::int64_t shift = int_at(out[level], filled[level]) - int_at(from, begin);
      for (std::int64_t row = begin; row < end; ++row)
        set_int_at(out[level], ++filled[level], int_at(from, row + 1) + shift);
      params.descend(level, &begin, &end);
    }
    if (begin == end || width == 0) continue;
    copy_elements(values.dtype(), element_at(values, value_at * width),
                  element_at(params.values, begin * width),
                  static_cast<std::size_t>((end - begin) * width));
    value_at += end - begin;
  }
  for (int level = 0; level < levels; ++level)
    if (const int at = level + indices.rank() - 1; at >= 0)
      call.set_output(at, out[static_cast<std::size_t>(level)]);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRaggedGather, .run = ragged_gather, .allocates = true},
};

}  // namespace

extern const KernelTable kRaggedGatherCpu{kEntries};

}  // namespace rill
