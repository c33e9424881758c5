#include "rill/ops/array/slice/gather.h"

#include <algorithm>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/short_copy.h"
#include "rill/ops/array/values/element_types.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {

extern const OpDecl kGather, kGatherV2, kGatherNd;

GatherPlan::GatherPlan(const Shape& params, const Shape& indices, std::int64_t axis,
                       std::int64_t batch_dims) {
  const int rank = params.rank();
  require(axis >= -rank && axis < rank, "params must be at least ", rank_with(axis),
          " dimensional");
  if (axis < 0) axis += rank;
  if (batch_dims < 0) batch_dims += indices.rank();
  require(batch_dims >= 0 && batch_dims <= std::min<std::int64_t>(axis, indices.rank()),
          "batch_dims (", batch_dims, ") must be less than or equal to axis (", axis, ").");
  const bool empty = params.element_count() == 0;  // then products of dimensions may overflow
  Dims out;
  for (int d = 0; d < axis; ++d) {
    require(d >= batch_dims || params.dim(d) == indices.dim(d), "params.shape[", d,
            "]: ", params.dim(d), " should be equal to indices.shape[", d,
            "]: ", d < indices.rank() ? indices.dim(d) : -1);
    if (!empty) (d < batch_dims ? batch : outer) *= params.dim(d);
    out.push_back(params.dim(d));
  }
  for (auto d = static_cast<int>(batch_dims); d < indices.rank(); ++d)
    out.push_back(indices.dim(d));
  limit = params.dim(static_cast<int>(axis));
  for (auto d = static_cast<int>(axis) + 1; d < rank; ++d) {
    if (!empty) inner *= params.dim(d);
    out.push_back(params.dim(d));
  }
  output = Shape(out.span());
}

std::string index_text(const Shape& shape, std::int64_t position) {
  std::string text;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    text = str_cat(position % shape.dim(d), text.empty() ? "" : ",", text);
    position /= shape.dim(d);
  }
  return text.empty() ? text : "[" + text + "]";
}

namespace {

template <class Index>
void check_typed_indices(const Tensor& indices, std::int64_t limit) {
  const auto values = indices.flat<Index>();
  // The sign of `outside` is set by an index that is negative or behind the last one.
  using Word = std::make_unsigned_t<Index>;
  const auto last =
      static_cast<Word>(std::min<std::int64_t>(limit - 1, std::numeric_limits<Index>::max()));
  Word outside = 0;
  for (const Index value : values)
    outside |= static_cast<Word>(value) | (last - static_cast<Word>(value));
  if (static_cast<Index>(outside) >= 0) return;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= limit) [[unlikely]]
      raise(Code::kInvalidArgument, "indices",
            index_text(indices.shape(), static_cast<std::int64_t>(i)), " = ", values[i],
            " is not in [0, ", limit, ")");
}

// Rows named by indices come from anywhere in memory: they are asked for some rows ahead.
constexpr std::int64_t kAhead = 8;
constexpr std::int64_t kMaxLines = 8;  // of one row: behind them the hardware has seen the pattern

inline void prefetch_row(const void* row, std::size_t bytes) {
  const auto* at = static_cast<const char*>(row);
  const auto end = std::min<std::size_t>(bytes, kMaxLines * 64);
  for (std::size_t i = 0; i < end; i += 64) __builtin_prefetch(at + i);
}

template <class T, class Index>
void gather_rows(const KernelCall& call, const GatherPlan& plan, const T* params,
                 std::span<const Index> indices, T* output) {
  const auto per_batch = static_cast<std::int64_t>(indices.size()) / plan.batch;
  const std::int64_t inner = plan.inner;
  const std::int64_t row_count = plan.batch * plan.outer * per_batch;
  const bool short_rows = is_short_copy<T>(inner);
  const double nanos = 4 + 0.1 * static_cast<double>(inner) * sizeof(T);
  call.parallel_for(
      static_cast<std::size_t>(row_count), nanos, [&](std::size_t begin, std::size_t end) {
        for (auto row = static_cast<std::int64_t>(begin); row < static_cast<std::int64_t>(end);) {
          const std::int64_t block = row / per_batch;  // one (batch, outer) pair
          const std::int64_t from = row % per_batch;
          const std::int64_t to = std::min(per_batch, from + static_cast<std::int64_t>(end) - row);
          const T* src = params + block * plan.limit * inner;
          const Index* index = indices.data() + block / plan.outer * per_batch;
          T* dst = output + row * inner;
          if (inner == 1) {
            for (std::int64_t i = from; i < to; ++i) *dst++ = src[index[i]];
          } else {
            const auto bytes = static_cast<std::size_t>(inner) * sizeof(T);
            for (std::int64_t i = from; i < to; ++i, dst += inner) {
              if (i + kAhead < to) prefetch_row(src + index[i + kAhead] * inner, bytes);
              if constexpr (std::is_trivially_copyable_v<T>) {
                if (short_rows) {
                  copy_vectors(dst, src + index[i] * inner, static_cast<std::int64_t>(bytes));
                  continue;
                }
              }
              std::copy_n(src + index[i] * inner, inner, dst);
            }
          }
          row += to - from;
        }
      });
}

template <class Index>
void gather_typed(const KernelCall& call, const GatherPlan& plan, const Tensor& params,
                  const Tensor& indices, const Tensor& output) {
  with_element_type(params.dtype(), [&]<class T>(T*) {
    gather_rows<T, Index>(call, plan, static_cast<const T*>(params.raw_data()),
                          indices.flat<Index>(), static_cast<T*>(output.raw_data()));
  });
}

}  // namespace

void check_indices(const Tensor& indices, std::int64_t limit) {
  if (indices.dtype() == DType::i32)
    check_typed_indices<std::int32_t>(indices, limit);
  else
    check_typed_indices<std::int64_t>(indices, limit);
}

void gather(const KernelCall& call, const GatherPlan& plan, const Tensor& params,
            const Tensor& indices, const Tensor& output) {
  check_indices(indices, plan.limit);
  if (output.element_count() == 0) return;
  if (indices.dtype() == DType::i32)
    gather_typed<std::int32_t>(call, plan, params, indices, output);
  else
    gather_typed<std::int64_t>(call, plan, params, indices, output);
}

Shape gather_nd_shape(const Shape& params, const Shape& indices) {
  require(indices.rank() >= 1, "indices must be at least a vector");
  const int last = indices.rank() - 1;
  require(indices.dim(last) <= params.rank(),
          "index innermost dimension length must be <= params rank; saw: ", indices.dim(last),
          " vs. ", params.rank());
  Dims out(indices.dims().first(static_cast<std::size_t>(last)));
  for (auto d = static_cast<int>(indices.dim(last)); d < params.rank(); ++d)
    out.push_back(params.dim(d));
  return Shape(out.span());
}

namespace {

[[noreturn]] void refuse_row(const KernelCall& call, const Tensor& params, const Tensor& indices,
                             std::int64_t row) {
  const auto depth = indices.dim(indices.rank() - 1);
  std::vector<std::string> entries;
  for (std::int64_t k = 0; k < depth; ++k)
    entries.push_back(std::to_string(int_at(indices, row * depth + k)));
  const Shape rows(indices.shape().dims().first(static_cast<std::size_t>(indices.rank() - 1)));
  raise(Code::kInvalidArgument, "indices", index_text(rows, row), " = [", join(entries, ", "),
        "] does not index into param shape ", params.shape(), ", node name: ", call.node().name);
}

// The slices that rows [begin, end) of `indices` name; each has `slice` elements.
template <class T, class Index>
void gather_nd_rows(const KernelCall& call, const Tensor& params, const Tensor& indices,
                    const Tensor& output, std::int64_t slice, std::int64_t begin,
                    std::int64_t end) {
  const auto depth = static_cast<int>(indices.dim(indices.rank() - 1));
  const Dims dims(params.shape().dims());
  const auto* src = static_cast<const T*>(params.raw_data());
  T* dst = static_cast<T*>(output.raw_data()) + begin * slice;
  const Index* index = indices.data<Index>() + begin * depth;
  for (std::int64_t row = begin; row < end; ++row, index += depth, dst += slice) {
    std::int64_t place = 0;
    for (int d = 0; d < depth; ++d) {
      if (index[d] < 0 || index[d] >= dims[d]) [[unlikely]]
        refuse_row(call, params, indices, row);
      place = place * dims[d] + index[d];
    }
    if (slice == 1)
      *dst = src[place];
    else
      std::copy_n(src + place * slice, slice, dst);
  }
}

}  // namespace

void gather_nd(const KernelCall& call, const Tensor& params, const Tensor& indices,
               const Tensor& output) {
  const Dims rows(indices.shape().dims().first(static_cast<std::size_t>(indices.rank() - 1)));
  require(params.element_count() > 0 || Shape(rows.span()).element_count() == 0,
          "Requested more than 0 entries, but params is empty.  Params shape: ", params.shape());
  if (output.element_count() == 0) return;
  std::int64_t slice = 1;  // elements that one row of indices names
  for (auto d = static_cast<int>(indices.dim(indices.rank() - 1)); d < params.rank(); ++d)
    slice *= params.dim(d);
  const std::int64_t row_count = output.element_count() / slice;
  const double nanos =
      4 + 0.1 * static_cast<double>(slice) * static_cast<double>(element_size(params.dtype()));
  with_element_type(params.dtype(), [&]<class T>(T*) {
    call.parallel_for(
        static_cast<std::size_t>(row_count), nanos, [&](std::size_t begin, std::size_t end) {
          const auto first = static_cast<std::int64_t>(begin),
                     last = static_cast<std::int64_t>(end);
          indices.dtype() == DType::i32
              ? gather_nd_rows<T, std::int32_t>(call, params, indices, output, slice, first, last)
              : gather_nd_rows<T, std::int64_t>(call, params, indices, output, slice, first, last);
        });
  });
}

namespace {

void gather_first(KernelCall& call) {
  const Tensor &params = call.input_tensor(0), &indices = call.input_tensor(1);
  gather(call, GatherPlan(params.shape(), indices.shape(), 0, 0), params, indices,
         call.output_tensor(0));
}

void gather_v2(KernelCall& call) {
  const Tensor &params = call.input_tensor(0), &indices = call.input_tensor(1);
  const GatherPlan plan(params.shape(), indices.shape(), int_at(call.input_tensor(2), 0),
                        call.node().attr<std::int64_t>("batch_dims"));
  gather(call, plan, params, indices, call.output_tensor(0));
}

void gather_nd_kernel(KernelCall& call) {
  gather_nd(call, call.input_tensor(0), call.input_tensor(1), call.output_tensor(0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kGather, .run = gather_first},
    {.op = &kGatherV2, .run = gather_v2},
    {.op = &kGatherNd, .run = gather_nd_kernel},
};

}  // namespace

extern const KernelTable kGatherCpu{kEntries};

}  // namespace rill
