#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/ragged/row_partition.h"
#include "rill/ops/ragged/row_splits.h"

namespace rill {

extern const OpDecl kRaggedTensorToTensor;

namespace {

// One ragged dimension: how many rows it has and to which of them each item belongs.
struct Level {
  RowPartition kind;
  Tensor partition;
  std::int64_t rows = 0, items = 0;

  // Calls visit(row, length) for each row that has items, in order.
  template <class Visit>
  void for_each_row(Visit visit) const {
    if (kind == RowPartition::kRowSplits) {
      for (std::int64_t row = 0; row < rows; ++row)
        visit(row, int_at(partition, row + 1) - int_at(partition, row));
      return;
    }
    for (std::int64_t i = 0, end = 0; i < items; i = end) {
      while (end < items && int_at(partition, end) == int_at(partition, i)) ++end;
      visit(int_at(partition, i), end - i);
    }
  }
  std::int64_t longest() const {
    std::int64_t most = 0;
    for_each_row([&](std::int64_t, std::int64_t length) { most = std::max(most, length); });
    return most;
  }
};

void check_row_ids(const Tensor& ids, std::int64_t rows) {
  require(ids.rank() == 1, "VALUE_ROWIDS must be a vector, but has shape ", ids.shape());
  for (std::int64_t i = 0; i < ids.dim(0); ++i) {
    const std::int64_t id = int_at(ids, i);
    require(id >= 0 && id < rows, "Got next_value_rowid=", id, " which is not less than ", rows);
    require(i == 0 || int_at(ids, i - 1) <= id, "row ids must ascend, but ", int_at(ids, i - 1),
            " is followed by ", id);
  }
}

// The ragged dimensions, outermost first, checked against each other and the values.
std::vector<Level> levels_input(const KernelCall& call, const Tensor& values) {
  const auto kinds =
      row_partitions(call.node().attr<std::vector<std::string>>("row_partition_types"),
                     static_cast<std::size_t>(call.input_count() - 3));
  std::vector<Level> levels;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] != RowPartition::kFirstDimSize)
      levels.push_back({kinds[i], call.input_tensor(3 + static_cast<int>(i))});
  const Tensor& first = call.input_tensor(3);
  require(first.element_count() >= 1,
          "Invalid first partition input. Tensor requires at least one element.");
  std::int64_t rows =
      kinds[0] == RowPartition::kFirstDimSize ? int_at(first, 0) : first.element_count() - 1;
  require(rows >= 0, "FIRST_DIM_SIZE must not be negative, but is ", rows);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Level& level = levels[i];
    level.rows = rows;
    if (level.kind == RowPartition::kRowSplits) {
      require(level.partition.rank() == 1 && level.partition.dim(0) == rows + 1,
              "Invalid row split size. ", rows, " rows need ", rows + 1, " splits, not shape ",
              level.partition.shape());
      level.items = int_at(level.partition, rows);
      check_row_splits(level.partition, level.items);
    } else {
      check_row_ids(level.partition, rows);
      level.items = level.partition.dim(0);
    }
    rows = level.items;
  }
  require(rows == values.dim(0), "the row partitions describe ", rows, " values, but there are ",
          values.dim(0));
  return levels;
}

// The shape of the result: what is asked for, and as long as needed where nothing is.
Shape result_shape(const Tensor& asked, const std::vector<Level>& levels, const Tensor& values) {
  const auto ragged = static_cast<int>(levels.size()), rank = ragged + values.rank();
  Dims dims;
  dims.push_back(levels[0].rows);
  for (const Level& level : levels) dims.push_back(level.longest());
  for (int d = 1; d < values.rank(); ++d) dims.push_back(values.dim(d));
  require(asked.rank() <= 1, "shape must be a scalar or vector, but has shape ", asked.shape());
  if (asked.rank() == 0) {
    require(int_at(asked, 0) == -1, "shape must be -1 or a vector, not ", int_at(asked, 0));
    return Shape(dims.span());
  }
  require(asked.dim(0) == rank, "rt_input.shape and shape are incompatible: rt_input.rank = ", rank,
          " but shape.rank = ", asked.dim(0));
  for (int d = 0; d < rank; ++d) {
    const std::int64_t dim = int_at(asked, d);
    require(dim >= -1, "Dimension ", dim, " must be >= -1");
    require(d <= ragged || dim == -1 || dim == dims[d],
            "rt_input.shape and shape are incompatible: rt_input.shape[", d, "] = ", dims[d],
            " but shape[", d, "] = ", dim);
    if (dim >= 0) dims[d] = dim;
  }
  return Shape(dims.span());
}

// default_value, broadcast to what one place of the result holds.
Tensor fallback_element(const KernelCall& call, const Tensor& values) {
  const Tensor& given = call.input_tensor(2);
  require(given.rank() < values.rank(), "default_value.shape=", given.shape(),
          " and rt_input.flat_values.shape=", values.shape(),
          " are incompatible: default_value.rank = ", given.rank(),
          "  must be less than rt_input.flat_values.rank = ", values.rank());
  const Shape inner(values.shape().dims().subspan(1));
  const Dims from = row_major_strides(given.shape()), to = row_major_strides(inner);
  StridedCopy copy;
  for (int d = 0; d < inner.rank(); ++d) {
    const int own = d - (inner.rank() - given.rank());
    const std::int64_t dim = own < 0 ? 1 : given.dim(own);
    require(dim == 1 || dim == inner.dim(d), "default_value.shape=", given.shape(),
            " and rt_input.flat_values.shape=", values.shape(), " are incompatible");
    copy.add_dim(inner.dim(d), to[d], dim == 1 ? 0 : from[own]);
  }
  Tensor element(values.dtype(), inner);
  if (element.element_count() > 0)
    strided_copy(call, values.dtype(), element.raw_data(), given.raw_data(), copy);
  return element;
}

constexpr std::int64_t kCut = -1;  // the place of what the result has no room for

// Where the values go: for each one its place in the result, in units of one value.
std::vector<std::int64_t> value_places(const std::vector<Level>& levels, const Shape& shape) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(levels[0].rows), kCut);
  for (std::int64_t row = 0; row < std::min(levels[0].rows, shape.dim(0)); ++row)
    places[static_cast<std::size_t>(row)] = row;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::int64_t size = shape.dim(static_cast<int>(i) + 1);
    std::vector<std::int64_t> inner;
    levels[i].for_each_row([&](std::int64_t row, std::int64_t length) {
      const std::int64_t place = places[static_cast<std::size_t>(row)];
      for (std::int64_t k = 0; k < length; ++k)
        inner.push_back(place == kCut || k >= size ? kCut : place * size + k);
    });
    places = std::move(inner);
  }
  return places;
}

void to_tensor(KernelCall& call) {
  const Tensor& values = call.input_tensor(1);
  require(values.rank() >= 1, "values must be a vector at least");
  // Before anything of that size is made, the allocator is asked whether there is room for the
  // rows.
  if (call.node().attr<std::vector<std::string>>("row_partition_types").front() ==
          "FIRST_DIM_SIZE" &&
      call.input_tensor(3).element_count() > 0)
    (void)Tensor(DType::i64, {std::max<std::int64_t>(int_at(call.input_tensor(3), 0), 0)});
  const std::vector<Level> levels = levels_input(call, values);
  const Shape shape = result_shape(call.input_tensor(0), levels, values);
  const Tensor fallback = fallback_element(call, values);
  const Tensor& out = call.allocate_output(0, shape);
  const std::int64_t width = fallback.element_count();
  if (out.element_count() == 0) return;
  if (width == 1) {
    fill_elements(call, out.dtype(), out.raw_data(), fallback.raw_data(), out.element_count());
  } else {
    for (std::int64_t i = 0; i < out.element_count(); i += width)
      copy_elements(out.dtype(), element_at(out, i), fallback.raw_data(),
                    static_cast<std::size_t>(width));
  }
  const auto places = value_places(levels, shape);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] != kCut)
      copy_elements(out.dtype(), element_at(out, places[i] * width),
                    element_at(values, static_cast<std::int64_t>(i) * width),
                    static_cast<std::size_t>(width));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRaggedTensorToTensor, .run = to_tensor, .allocates = true}};

}  // namespace

extern const KernelTable kRaggedToTensorCpu{kEntries};

}  // namespace rill
