#include <cstdio>
#include <map>
#include <set>

#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "tests/optest/commands.h"

namespace rill {
namespace {

constexpr DType kColumns[] = {DType::f32, DType::f64,  DType::f16,     DType::bf16,
                              DType::i8,  DType::i16,  DType::i32,     DType::i64,
                              DType::u8,  DType::u16,  DType::u32,     DType::u64,
                              DType::c64, DType::c128, DType::boolean, DType::string};

using Tested = std::map<std::string, std::set<DType>>;

const AttrSpec* first_type_attr(const Op& op) {
  for (const AttrSpec& attr : op.attrs)
    if (attr.kind == AttrKind::kType && !attr.is_list) return &attr;
  return nullptr;
}

// The value that a row gives to the op's first type attribute; invalid when there is none.
DType row_type(const OpCase& row, const Op& op) {
  const AttrSpec* attr = first_type_attr(op);
  if (attr == nullptr) return DType::invalid;
  if (const auto it = row.attrs.find(attr->name); it != row.attrs.end())
    return it->second.get<DType>();
  for (std::size_t i = 0; i < op.inputs.size() && i < row.in.size(); ++i)
    if (op.inputs[i].type_attr == attr->name && !row.in[i].values.empty())
      return row.in[i].values[0].dtype();
  return attr->default_value ? attr->default_value->get<DType>() : DType::invalid;
}

bool has_kernel(const Op& op, DType type) {
  const AttrSpec* attr = first_type_attr(op);
  if (attr == nullptr) return false;
  const auto& allowed = attr->allowed_types;
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), type) == allowed.end())
    return false;
  for (const KernelEntry* entry : standard_kernels().entries(op.name, "CPU"))
    if (entry->types.empty() || entry->types.contains(type)) return true;
  return false;
}

std::string line(const Op& op, const std::set<DType>& tested) {
  const bool typed = first_type_attr(op) != nullptr;
  std::string result = str_cat("| ", op.name, " |");
  for (const DType type : kColumns) {
    const bool row = tested.contains(type);
    result += row ? " ● |" : typed && has_kernel(op, type) ? " ○ |" : "   |";
  }
  if (!typed && standard_kernels().has_kernel(op.name, "CPU"))
    result += tested.empty() ? " ○" : " ●";
  return result;
}

}  // namespace

int print_support(const std::string& stem) {
  Tested tested;
  for (const OpCases* table : selected(stem))
    for (const NamedCase& c : named_cases(*table))
      tested[c.row.op].insert(row_type(c.row, standard_ops().at(c.row.op)));

  std::printf(
      "● tested against TensorFlow, ○ there is a kernel; behind the columns: ops without a "
      "type.\n\n| op |");
  for (const DType type : kColumns) std::printf(" %s |", std::string(dtype_name(type)).c_str());
  std::printf("\n|---|");
  for (std::size_t i = 0; i < std::size(kColumns); ++i) std::printf("---|");
  std::printf("\n");
  for (const Op* op : standard_ops().all())
    if (stem.empty() || tested.contains(op->name))
      std::printf("%s\n", line(*op, tested[op->name]).c_str());
  return 0;
}

}  // namespace rill
