#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/segment/segment.h"
#include "rill/ops/math/segment/segment_parts.h"
#include "rill/ops/math/segment/segment_runs.h"
#include "rill/ops/update/row_parts.h"

namespace rill {

extern const OpDecl kSparseSegmentSum, kSparseSegmentMean, kSparseSegmentSqrtN,
    kSparseSegmentSumWithNumSegments, kSparseSegmentMeanWithNumSegments,
    kSparseSegmentSqrtNWithNumSegments, kSparseSegmentMeanGrad, kSparseSegmentSqrtNGrad;

namespace {

// Calls f with the elements of an int32 or int64 tensor.
template <class F>
bool with_ints(const Tensor& ints, F f) {
  return ints.dtype() == DType::i32 ? f(std::span<const std::int32_t>(ints.flat<std::int32_t>()))
                                    : f(std::span<const std::int64_t>(ints.flat<std::int64_t>()));
}

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

// Whether all numbers are in [0, limit); without a branch for each.
template <class Index>
bool all_below(std::span<const Index> numbers, std::int64_t limit) {
  using Unsigned = std::make_unsigned_t<Index>;  // where negative numbers are the largest
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  const auto end = static_cast<Unsigned>(std::min(static_cast<std::uint64_t>(limit), kMax + 1));
  Unsigned bad = 0;
  for (const Index number : numbers) bad |= static_cast<Unsigned>(number) >= end ? 1 : 0;
  return bad == 0;
}

template <class Index>
bool ascend(std::span<const Index> ids) {
  Index bad = 0;
  for (std::size_t i = 1; i < ids.size(); ++i) bad |= ids[i - 1] > ids[i] ? 1 : 0;
  return bad == 0;
}

// Whether ids ascend and both they and the places are in range.
template <class Id, class Place>
bool all_fit(std::span<const Id> ids, std::int64_t rows, std::span<const Place> places,
             std::int64_t limit) {
  return ascend(ids) && (ids.empty() || (ids.front() >= 0 && ids.back() < rows)) &&
         all_below(places, limit);
}

void check_places(const Tensor& ids, std::int64_t rows, const Tensor& indices, std::int64_t limit) {
  const bool good = with_ints(ids, [&](auto id) {
    return with_ints(indices, [&](auto place) { return all_fit(id, rows, place, limit); });
  });
  for (std::int64_t i = 0; !good && i < ids.dim(0); ++i) {
    const std::int64_t id = int_at(ids, i), place = int_at(indices, i);
    require(i == 0 || int_at(ids, i - 1) <= id, "segment ids are not increasing");
    require(id >= 0 && id < rows, "Segment id ", id, " out of range [0, ", rows,
            "), possibly because 'segment_ids' input is not sorted.");
    require(place >= 0 && place < limit, "indices[", i, "] == ", place, " out of range [0, ", limit,
            ")");
  }
}

template <SegmentKind kind>
void sparse_segment(KernelCall& call) {
  const Tensor &data = call.input_tensor(0), &indices = call.input_tensor(1);
  const Tensor& ids = call.input_tensor(2);
  check_vectors(data, indices, ids);
  const std::int64_t rows = row_count(call, ids);
  const Tensor& out = call.allocate_output(0, data.shape().with_dim(0, rows));
  fill_number(out, 0);
  check_places(ids, rows, indices, data.dim(0));
  const DType dtype = data.dtype();
  const auto width =
      static_cast<std::size_t>(data.dim(0) == 0 ? 0 : data.element_count() / data.dim(0));
  const std::size_t bytes = width * element_size(dtype);
  auto* const to = static_cast<std::byte*>(out.raw_data());
  const auto* const from = static_cast<const std::byte*>(data.raw_data());
  const RunJoins joins = find_run_joins(kind, dtype);
  const auto add = element_update(UpdateKind::kAdd, dtype).with_row;
  for_segment_runs(call, ids, bytes, [&](std::int64_t id, std::int64_t begin, std::int64_t count) {
    std::byte* const row = to + static_cast<std::size_t>(id) * bytes;
    const auto n = static_cast<std::size_t>(count);
    const double divisor = segment_divisor(kind, count);
    if (joins.at_32 == nullptr) {
      for (std::int64_t i = begin; i < begin + count; ++i)
        add(dtype, row, from + static_cast<std::size_t>(int_at(indices, i)) * bytes, width);
    } else if (indices.dtype() == DType::i32) {
      joins.at_32(row, from, indices.data<std::int32_t>() + begin, n, width, divisor);
    } else {
      joins.at_64(row, from, indices.data<std::int64_t>() + begin, n, width, divisor);
    }
    if (joins.at_32 == nullptr || !kFloatTypes.contains(dtype))
      divide_row(kind, dtype, row, count, width);
  });
}

// Ids or indices of a gradient must be in [0, limit).
void check_range(const char* what, const Tensor& numbers, std::int64_t limit) {
  const bool good = with_ints(numbers, [&](auto all) { return all_below(all, limit); });
  for (std::int64_t i = 0; !good && i < numbers.dim(0); ++i) {
    const std::int64_t number = int_at(numbers, i);
    require(number >= 0 && number < limit, what, " ", number, " out of range [0, ", limit, ").");
  }
}

// What the gradient of each segment is multiplied with.
template <class T, SegmentKind kind>
std::vector<T> segment_scales(const Tensor& ids, std::int64_t segments) {
  std::vector<T> scale(static_cast<std::size_t>(segments));
  with_ints(ids, [&](auto all) {
    const bool in_runs = ascend(all);
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      end = in_runs ? run_end(all, begin) : begin + 1;
      scale[static_cast<std::size_t>(all[begin])] += static_cast<T>(end - begin);
    }
    return true;
  });
  for (T& of_segment : scale) {
    const T size = std::max(of_segment, T{1});
    of_segment = T{1} / (kind == SegmentKind::kMean ? size : std::sqrt(size));
  }
  return scale;
}

void fill_zero(const KernelCall& call, const Tensor& tensor) {
  auto* const bytes = static_cast<std::byte*>(tensor.raw_data());
  call.parallel_for(tensor.byte_size(), 0.03, [=](std::size_t begin, std::size_t end) {
    std::memset(bytes + begin, 0, end - begin);
  });
}

// Asks for a row that is soon changed: the next one may be anywhere.
void fetch_row(const void* row, std::size_t bytes) {
  constexpr std::size_t kLine = 64, kMaxBytes = 512;
  for (std::size_t byte = 0; byte < std::min(bytes, kMaxBytes); byte += kLine)
    __builtin_prefetch(static_cast<const std::byte*>(row) + byte, 1);
}

template <class T, SegmentKind kind>
void sparse_segment_grad(KernelCall& call) {
  constexpr std::size_t kRowsAhead = 8;
  const Tensor &grad = call.input_tensor(0), &indices = call.input_tensor(1);
  const Tensor& ids = call.input_tensor(2);
  check_vectors(grad, indices, ids);
  const Tensor& out = call.output_tensor(0);
  const std::int64_t segments = grad.dim(0);
  const auto width = static_cast<std::size_t>(segments == 0 ? 0 : grad.element_count() / segments);
  check_range("Segment id", ids, segments);
  check_range("Index", indices, out.dim(0));
  const std::vector<T> scale = segment_scales<T, kind>(ids, segments);
  fill_zero(call, out);
  const AddScaledRow add = find_add_scaled_row(dtype_of<T>);
  T* const to = out.data<T>();
  const T* const from = grad.data<T>();
  const double nanos = 5 + 0.2 * static_cast<double>(width);
  with_ints(ids, [&](auto segment) {
    return with_ints(indices, [&](auto places) {
      for_row_parts(call, places, width * sizeof(T), nanos, [&](std::size_t count, auto at) {
        const auto row = [&](std::size_t k) {
          return to + static_cast<std::size_t>(places[at(k)]) * width;
        };
        for (std::size_t k = 0; k < count; ++k) {
          if (k + kRowsAhead < count) fetch_row(row(k + kRowsAhead), width * sizeof(T));
          const auto id = static_cast<std::size_t>(segment[at(k)]);
          add(row(k), from + id * width, &scale[id], width);
        }
      });
      return true;
    });
  });
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
