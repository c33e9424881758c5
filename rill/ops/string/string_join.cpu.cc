#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/string/join_shapes.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kStringJoin, kReduceJoin, kUnsortedSegmentJoin;

namespace {

// Joins piece(0), piece(1), ... with one allocation.
template <class Piece>
void join_into(std::string& out, std::size_t count, const std::string& separator, Piece piece) {
  if (count == 0) return;
  std::size_t size = separator.size() * (count - 1);
  for (std::size_t i = 0; i < count; ++i) size += piece(i).size();
  out.reserve(size);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += separator;
    out += piece(i);
  }
}

void string_join(KernelCall& call) {
  const auto& separator = call.node().attr<std::string>("separator");
  const auto out = call.output<std::string>(0);
  const auto count = static_cast<std::size_t>(call.input_count());
  std::vector<std::span<const std::string>> inputs;
  for (int i = 0; i < call.input_count(); ++i) inputs.push_back(call.input<std::string>(i));
  call.parallel_for(
      out.size(), 30.0 * static_cast<double>(count), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          join_into(out[i], count, separator, [&](std::size_t k) -> const std::string& {
            return inputs[k][inputs[k].size() == 1 ? 0 : i];
          });
      });
}

// Offsets of all places in `dims` of x; the first dimension is the quickest.
std::vector<std::int64_t> offsets_along(std::span<const int> dims, const Shape& x) {
  const Dims strides = row_major_strides(x);
  std::vector<std::int64_t> offsets{0};
  for (const int d : dims) {
    const std::vector<std::int64_t> inner = std::move(offsets);
    offsets.clear();
    for (std::int64_t i = 0; i < x.dim(d); ++i)
      for (const std::int64_t offset : inner) offsets.push_back(offset + i * strides[d]);
  }
  return offsets;
}

void reduce_join(KernelCall& call) {
  const auto& separator = call.node().attr<std::string>("separator");
  const Tensor& x = call.input_tensor(0);
  const JoinedDims joined = joined_dims(call.input_tensor(1), x.rank(), Code::kOutOfRange);
  const bool keep_dims = call.node().attr<bool>("keep_dims");
  const Shape shape = reduce_join_output(x.shape(), joined, keep_dims).full();
  const auto out = call.allocate_output(0, shape).flat<std::string>();
  if (out.empty()) return;
  std::vector<int> kept;
  for (int d = x.rank() - 1; d >= 0; --d)
    if (!joined.contains(d)) kept.push_back(d);
  const auto starts = offsets_along(kept, x.shape());
  const auto pieces = offsets_along(joined.dims, x.shape());
  const auto* texts = x.data<std::string>();
  call.parallel_for(out.size(), 30.0 * static_cast<double>(pieces.size()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        join_into(out[i], pieces.size(), separator,
                                  [&](std::size_t k) -> const std::string& {
                                    return texts[starts[i] + pieces[k]];
                                  });
                    });
}

void segment_join(KernelCall& call) {
  const auto& separator = call.node().attr<std::string>("separator");
  const Tensor &x = call.input_tensor(0), &ids = call.input_tensor(1);
  const Tensor& count = call.input_tensor(2);
  require(count.rank() == 0, "Number of segments must be a scalar, got shape ", count.shape());
  const std::int64_t segments = int_at(count, 0);
  require(segments >= 0, "Number of segments must be non-negative but got ", segments);
  const Shape shape =
      segment_join_output(x.shape(), ids.shape(), segments, Code::kOutOfRange).full();
  const auto* texts = x.data<std::string>();
  auto* out = call.allocate_output(0, shape).data<std::string>();
  if (ids.element_count() == 0) return;
  const std::int64_t width = x.element_count() / ids.element_count();
  for (std::int64_t i = 0; i < ids.element_count(); ++i) {
    const std::int64_t id = int_at(ids, i);
    require(id >= 0 && id < segments,
            "segment_ids are not allowed to exceed num_segments or to have negative values. Got ",
            id, " with num_segments ", segments);
    for (std::int64_t k = 0; k < width; ++k) {
      std::string& joined = out[id * width + k];
      if (!joined.empty()) joined += separator;  // so nothing behind a first string that is empty
      joined += texts[i * width + k];
    }
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kStringJoin, .run = string_join},
    {.op = &kReduceJoin, .run = reduce_join, .allocates = true},
    {.op = &kUnsortedSegmentJoin, .run = segment_join, .allocates = true}};

}  // namespace

extern const KernelTable kStringJoinCpu{kEntries};

}  // namespace rill
