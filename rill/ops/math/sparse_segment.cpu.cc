#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/math/segment.h"

namespace rill {

extern const OpDecl kSparseSegmentSum, kSparseSegmentMean, kSparseSegmentSqrtN,
    kSparseSegmentSumWithNumSegments, kSparseSegmentMeanWithNumSegments,
    kSparseSegmentSqrtNWithNumSegments, kSparseSegmentMeanGrad, kSparseSegmentSqrtNGrad;

namespace {

void check_vectors(const Tensor& data, const Tensor& indices, const Tensor& ids) {
  require(data.rank() >= 1, "data must be at least a vector, but has shape ", data.shape());
  require(indices.rank() == 1, "indices should be a vector.");
  require(ids.rank() == 1, "segment_ids should be a vector.");
  require(indices.dim(0) == ids.dim(0), "segment_ids and indices should have same size.");
}

// Output rows: as many as input 3 says or, where it is missing, as the last id needs.
std::int64_t row_count(const KernelCall& call, const Tensor& ids) {
  const std::int64_t count = ids.element_count();
  const std::int64_t needed = count == 0 ? 0 : std::int64_t{int_at(ids, count - 1)} + 1;
  if (call.input_count() == 3) {
    require(needed >= 0, "segment ids must be >= 0");
    return needed;
  }
  const Tensor& asked = call.input_tensor(3);
  require(asked.rank() == 0, "num_segments should be a scalar, not shape ", asked.shape());
  const std::int64_t rows = int_at(asked, 0);
  require(rows >= 0, "Cannot specify a negative value for num_segments");
  require(needed <= rows, "segment ids must be < num_segments");
  return rows;
}

template <SegmentKind kind>
void sparse_segment(KernelCall& call) {
  const Tensor &data = call.input_tensor(0), &indices = call.input_tensor(1);
  const Tensor& ids = call.input_tensor(2);
  check_vectors(data, indices, ids);
  const std::int64_t rows = row_count(call, ids), count = ids.dim(0);
  const Tensor& out = call.allocate_output(0, data.shape().with_dim(0, rows));
  fill_number(out, 0);
  const DType dtype = data.dtype();
  const auto width =
      static_cast<std::size_t>(data.dim(0) == 0 ? 0 : data.element_count() / data.dim(0));
  const std::size_t bytes = width * element_size(dtype);
  const auto add = element_update(UpdateKind::kAdd, dtype).with_row;
  auto* const to = static_cast<std::byte*>(out.raw_data());
  const auto* const from = static_cast<const std::byte*>(data.raw_data());
  for (std::int64_t i = 0, begin = 0; i < count; ++i) {
    const std::int64_t id = int_at(ids, i), place = int_at(indices, i);
    require(i == 0 || int_at(ids, i - 1) <= id, "segment ids are not increasing");
    require(id >= 0 && id < rows, "Segment id ", id, " out of range [0, ", rows,
            "), possibly because 'segment_ids' input is not sorted.");
    require(place >= 0 && place < data.dim(0), "indices[", i, "] == ", place, " out of range [0, ",
            data.dim(0), ")");
    if (i > 0 && int_at(ids, i - 1) != id) begin = i;
    std::byte* const row = to + static_cast<std::size_t>(id) * bytes;
    add(dtype, row, from + static_cast<std::size_t>(place) * bytes, width);
    if (i + 1 == count || int_at(ids, i + 1) != id)
      divide_row(kind, dtype, row, i + 1 - begin, width);
  }
}

template <class T, SegmentKind kind>
void sparse_segment_grad(KernelCall& call) {
  const Tensor &grad = call.input_tensor(0), &indices = call.input_tensor(1);
  const Tensor& ids = call.input_tensor(2);
  check_vectors(grad, indices, ids);
  const Tensor& out = call.output_tensor(0);
  fill_number(out, 0);
  const std::int64_t segments = grad.dim(0), count = ids.dim(0);
  const std::int64_t width = segments == 0 ? 0 : grad.element_count() / segments;
  std::vector<T> scale(static_cast<std::size_t>(segments));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = int_at(ids, i);
    require(id >= 0 && id < segments, "Segment id ", id, " out of range [0, ", segments, ").");
    scale[static_cast<std::size_t>(id)] += 1;
  }
  for (T& of_segment : scale) {
    const T size = std::max(of_segment, T{1});
    of_segment = T{1} / (kind == SegmentKind::kMean ? size : std::sqrt(size));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = int_at(ids, i), place = int_at(indices, i);
    require(place >= 0 && place < out.dim(0), "Index ", place, " out of range [0, ", out.dim(0),
            ").");
    const T* from = grad.data<T>() + id * width;
    T* to = out.data<T>() + place * width;
    const T factor = scale[static_cast<std::size_t>(id)];
    for (std::int64_t k = 0; k < width; ++k) to[k] += from[k] * factor;
  }
}

template <SegmentKind kind>
constexpr KernelEntry sparse_entry(const OpDecl* op) {
  return {.op = op, .types = kOrderedTypes, .run = sparse_segment<kind>, .allocates = true};
}
template <class T, SegmentKind kind>
constexpr KernelEntry grad_entry(const OpDecl* op) {
  return {.op = op, .types = dtype_of<T>, .run = sparse_segment_grad<T, kind>};
}

constexpr KernelEntry kEntries[] = {
    sparse_entry<SegmentKind::kSum>(&kSparseSegmentSum),
    sparse_entry<SegmentKind::kMean>(&kSparseSegmentMean),
    sparse_entry<SegmentKind::kSqrtN>(&kSparseSegmentSqrtN),
    sparse_entry<SegmentKind::kSum>(&kSparseSegmentSumWithNumSegments),
    sparse_entry<SegmentKind::kMean>(&kSparseSegmentMeanWithNumSegments),
    sparse_entry<SegmentKind::kSqrtN>(&kSparseSegmentSqrtNWithNumSegments),
    grad_entry<float, SegmentKind::kMean>(&kSparseSegmentMeanGrad),
    grad_entry<double, SegmentKind::kMean>(&kSparseSegmentMeanGrad),
    grad_entry<float, SegmentKind::kSqrtN>(&kSparseSegmentSqrtNGrad),
    grad_entry<double, SegmentKind::kSqrtN>(&kSparseSegmentSqrtNGrad),
};

}  // namespace

extern const KernelTable kSparseSegmentCpu{kEntries};

}  // namespace rill
