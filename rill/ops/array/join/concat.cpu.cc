#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/join/side_by_side.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kConcat, kConcatV2, kConcatOffset, kPack;

namespace {

// Inputs [first, last) along `axis` of the output.
void concat_inputs(const KernelCall& call, int first, int last, std::int64_t axis) {
  const Tensor& output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  SideBySide all(output, axis);
  for (int i = first; i < last; ++i) all.add(call.input_tensor(i));
  all.join(call);
}

void concat(KernelCall& call) {
  concat_inputs(call, 1, call.input_count(), int_at(call.input_tensor(0), 0));
}
void concat_v2(KernelCall& call) {
  const int last = call.input_count() - 1;
  concat_inputs(call, 0, last, int_at(call.input_tensor(last), 0));
}
void pack(KernelCall& call) {
  concat_inputs(call, 0, call.input_count(), call.node().attr<std::int64_t>("axis"));
}

std::string list_text(std::span<const std::int32_t> values) {
  std::string text = "[";
  for (const std::int32_t value : values) text += str_cat(text.size() > 1 ? " " : "", value);
  return text + "]";
}

void concat_offset(KernelCall& call) {
  const auto first = call.input<std::int32_t>(1);
  const auto rank = static_cast<std::int64_t>(first.size());
  std::int64_t axis = call.input<std::int32_t>(0)[0];
  require(axis >= -rank && axis < rank, "Concat dim is out of range: ", axis, " vs. ", rank);
  if (axis < 0) axis += rank;
  std::int64_t offset = 0;
  for (int i = 1; i < call.input_count(); ++i) {
    const auto shape = call.input<std::int32_t>(i);
    const auto out = call.output<std::int32_t>(i - 1);
    require(shape.size() == first.size(), "input ", i - 1, " should contain ", rank,
            " elements, but got ", shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool along = static_cast<std::int64_t>(d) == axis;
      if (!along && shape[d] != first[d])
        raise(Code::kInvalidArgument, "All dimensions except ", axis, " must match. Input ", i - 1,
              " has shape ", list_text(shape), " and doesn't match input 0 with shape ",
              list_text(first), ".");
      out[d] = along ? static_cast<std::int32_t>(offset) : 0;
    }
    offset += shape[static_cast<std::size_t>(axis)];
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kConcat, .run = concat},
    {.op = &kConcatV2, .run = concat_v2},
    {.op = &kConcatOffset, .run = concat_offset, .expensive = false},
    {.op = &kPack, .run = pack},
};

}  // namespace

extern const KernelTable kConcatCpu{kEntries};

}  // namespace rill
