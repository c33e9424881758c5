#include "rill/ops/math/segment/segment.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/rows/row_sums.h"
#include "rill/ops/math/segment/segment_parts.h"
#include "rill/ops/math/segment/segment_runs.h"
#include "rill/ops/update/column_parts.h"

namespace rill {

extern const OpDecl kSegmentSum, kSegmentMean, kSegmentProd, kSegmentMin, kSegmentMax;
extern const OpDecl kUnsortedSegmentSum, kUnsortedSegmentProd, kUnsortedSegmentMin,
    kUnsortedSegmentMax;

namespace {

// Rows of equal length, wherever they are.
struct Rows {
  Rows(const Tensor& tensor, std::int64_t count)
      : data(static_cast<std::byte*>(tensor.raw_data())),
        dtype(tensor.dtype()),
        width(static_cast<std::size_t>(count == 0 ? 0 : tensor.element_count() / count)),
        size(element_size(dtype)),
        bytes(width * size) {}
  std::byte* element(std::int64_t row, std::size_t column) const {
    return data + static_cast<std::size_t>(row) * bytes + column * size;
  }
  std::byte* data;
  DType dtype;
  std::size_t width, size, bytes;
};

// Adds row i of `from` to row ids[i] of `to`; false for types that have no such loop.
bool add_rows_at(const KernelCall& call, const Rows& from, const Tensor& ids, const Rows& to) {
  const RowSums sums = find_row_sums(to.dtype);
  if (sums.add_all == nullptr) return false;
  const auto count = static_cast<std::size_t>(ids.element_count());
  for_column_parts(call, ids.element_count(), to.width, to.size,
                   [&](std::size_t at, std::size_t n) {
                     std::byte *dst = to.element(0, at), *src = from.element(0, at);
                     if (ids.dtype() == DType::i32)
                       sums.add_at_32(dst, src, ids.data<std::int32_t>(), count, to.width, n);
                     else
                       sums.add_at_64(dst, src, ids.data<std::int64_t>(), count, to.width, n);
                   });
  return true;
}

// Whether ids ascend from 0 or more; without a branch for each. The last one is the largest then.
template <class Index>
bool ids_ascend(std::span<const Index> ids) {
  int bad = !ids.empty() && ids[0] < 0;
  for (std::size_t i = 1; i < ids.size(); ++i) bad |= ids[i - 1] > ids[i];
  return bad == 0;
}

void check_ids(const Tensor& ids, std::int64_t last) {
  const bool good = ids.dtype() == DType::i32 ? ids_ascend<std::int32_t>(ids.flat<std::int32_t>())
                                              : ids_ascend<std::int64_t>(ids.flat<std::int64_t>());
  for (std::int64_t i = 0; !good && i < ids.dim(0); ++i) {
    const std::int64_t id = int_at(ids, i);
    require(id >= 0 && id <= last, "Segment id ", id, " out of range [0, ", last + 1,
            "), possibly because 'segment_ids' input is not sorted.");
    require(i == 0 || int_at(ids, i - 1) <= id, "segment ids are not increasing");
  }
}

// Ids ascend, so a segment is a run of rows. Rows without a segment are zero, products one.
template <SegmentKind kind>
void segment(KernelCall& call) {
  const Tensor &data = call.input_tensor(0), &ids = call.input_tensor(1);
  require(ids.rank() == 1, "segment_ids should be a vector.");
  require(data.rank() >= 1 && data.dim(0) == ids.dim(0),
          "segment_ids should be the same size as dimension 0 of input.");
  const std::int64_t count = ids.dim(0);
  const std::int64_t last = count == 0 ? -1 : int_at(ids, count - 1);
  require(count == 0 || last >= 0, "segment ids must be >= 0");
  require(last < INT64_MAX, "segment id ", last, " is too large");
  const Tensor& out = call.allocate_output(0, data.shape().with_dim(0, last + 1));
  fill_number(out, kind == SegmentKind::kProd ? 1 : 0);
  const Rows from(data, count), to(out, out.dim(0));
  check_ids(ids, last);
  const RunJoins joins = find_run_joins(kind, data.dtype());
  if (joins.rows != nullptr) {
    for_segment_runs(call, ids, to.bytes, [&](std::int64_t id, std::int64_t begin, std::int64_t n) {
      joins.rows(to.element(id, 0), from.element(begin, 0), static_cast<std::size_t>(n), to.width,
                 segment_divisor(kind, n));
      if (!kFloatTypes.contains(to.dtype))
        divide_row(kind, to.dtype, to.element(id, 0), n, to.width);
    });
    return;
  }
  const auto join = element_update(update_of(kind), data.dtype()).with_row;
  for_segment_runs(call, ids, to.bytes, [&](std::int64_t id, std::int64_t begin, std::int64_t n) {
    copy_elements(to.dtype, to.element(id, 0), from.element(begin, 0), to.width);
    for (std::int64_t i = begin + 1; i < begin + n; ++i)
      join(to.dtype, to.element(id, 0), from.element(i, 0), to.width);
    divide_row(kind, to.dtype, to.element(id, 0), n, to.width);
  });
}

template <SegmentKind kind>
void unsorted_segment(KernelCall& call) {
  const Tensor &data = call.input_tensor(0), &ids = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  fill_neutral(out, kind);
  const Rows from(data, ids.element_count()), to(out, out.dim(0));
  const auto join = element_update(update_of(kind), data.dtype()).with_row;
  for (std::int64_t i = 0; i < ids.element_count(); ++i)
    require(int_at(ids, i) < out.dim(0), "segment_ids[", i, "] = ", int_at(ids, i),
            " is out of range [0, ", out.dim(0), ")");
  if (from.width == 0) return;
  if (kind == SegmentKind::kSum && add_rows_at(call, from, ids, to)) return;
  for_column_parts(call, ids.element_count(), from.width, from.size,
                   [&](std::size_t at, std::size_t n) {
                     for (std::int64_t i = 0; i < ids.element_count(); ++i) {
                       const std::int64_t id = int_at(ids, i);
                       if (id >= 0) join(to.dtype, to.element(id, at), from.element(i, at), n);
                     }
                   });
}

template <SegmentKind kind>
constexpr KernelEntry sorted_entry(const OpDecl* op, TypeSet types) {
  return {.op = op, .types = types, .run = segment<kind>, .allocates = true};
}
template <SegmentKind kind>
constexpr KernelEntry unsorted_entry(const OpDecl* op, TypeSet types) {
  return {.op = op, .types = types, .run = unsorted_segment<kind>};
}

constexpr KernelEntry kEntries[] = {
    sorted_entry<SegmentKind::kSum>(&kSegmentSum, kUpdateTypes),
    sorted_entry<SegmentKind::kMean>(&kSegmentMean, kUpdateTypes),
    sorted_entry<SegmentKind::kProd>(&kSegmentProd, kUpdateTypes),
    sorted_entry<SegmentKind::kMin>(&kSegmentMin, kOrderedTypes),
    sorted_entry<SegmentKind::kMax>(&kSegmentMax, kOrderedTypes),
    unsorted_entry<SegmentKind::kSum>(&kUnsortedSegmentSum, kUpdateTypes),
    unsorted_entry<SegmentKind::kProd>(&kUnsortedSegmentProd, kUpdateTypes),
    unsorted_entry<SegmentKind::kMin>(&kUnsortedSegmentMin, kOrderedTypes),
    unsorted_entry<SegmentKind::kMax>(&kUnsortedSegmentMax, kOrderedTypes),
};

}  // namespace

extern const KernelTable kSegmentCpu{kEntries};

}  // namespace rill
