#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/state/element_update.h"

namespace rill {

extern const OpDecl kUnsortedSegmentSum;

namespace {

template <class Id>
void add_rows(const Tensor& data, const Tensor& ids, const Tensor& out) {
  const std::int64_t segments = out.dim(0);
  const auto width = static_cast<std::size_t>(
      ids.element_count() == 0 ? 0 : data.element_count() / ids.element_count());
  const std::size_t row_bytes = width * element_size(out.dtype());
  const auto add = element_update(UpdateKind::kAdd, out.dtype()).with_row;
  const auto* from = static_cast<const std::byte*>(data.raw_data());
  auto* to = static_cast<std::byte*>(out.raw_data());
  const auto places = ids.flat<Id>();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t id = places[i];
    if (id < 0) continue;
    require(id < segments, "segment_ids[", i, "] = ", id, " is out of range [0, ", segments, ")");
    if (width > 0)
      add(out.dtype(), to + static_cast<std::size_t>(id) * row_bytes, from + i * row_bytes, width);
  }
}

void unsorted_segment_sum(KernelCall& call) {
  const Tensor &data = call.input_tensor(0), &ids = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  if (out.byte_size() > 0) std::memset(out.raw_data(), 0, out.byte_size());
  ids.dtype() == DType::i64 ? add_rows<std::int64_t>(data, ids, out)
                            : add_rows<std::int32_t>(data, ids, out);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kUnsortedSegmentSum, .types = kUpdateTypes, .run = unsorted_segment_sum}};

}  // namespace

extern const KernelTable kSegmentCpu{kEntries};

}  // namespace rill
