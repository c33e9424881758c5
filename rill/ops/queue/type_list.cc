#include "rill/ops/queue/type_list.h"

#include <algorithm>

namespace rill {
namespace {

std::string signature(DType handle, std::span<const DType> inputs, std::span<const DType> outputs) {
  const char* first = handle == DType::resource ? "resource" : "string_ref";
  return str_cat(first, inputs.empty() ? "" : ", ", type_list(inputs), "->", type_list(outputs));
}

}  // namespace

std::string type_list(std::span<const DType> types) {
  std::string text;
  for (const DType type : types) text += str_cat(text.empty() ? "" : ", ", type);
  return text;
}

std::string shape_list(std::span<const PartialShape> shapes) {
  std::string text;
  for (const PartialShape& shape : shapes) text += str_cat(text.empty() ? "" : ",", shape);
  return str_cat("[", text, "]");
}

void check_signature(const KernelNode& node, std::span<const DType> inputs,
                     std::span<const DType> outputs) {
  const auto given = std::span(node.input_types).subspan(1);
  if (std::ranges::equal(given, inputs) && std::ranges::equal(node.output_types, outputs)) return;
  const DType handle = node.input_type(0);
  raise(Code::kInvalidArgument,
        "Signature mismatch, have: ", signature(handle, given, node.output_types),
        " expected: ", signature(handle, inputs, outputs));
}

}  // namespace rill
