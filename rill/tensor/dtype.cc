#include "rill/tensor/dtype.h"

#include <array>

#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant.h"

namespace rill {
namespace {

struct DTypeInfo {
  std::string_view name, ref_name, numpy_name;
  std::size_t size;
};

// Indexed by the enum.
constexpr std::array<DTypeInfo, kDTypeCount> kInfo = {{
    {"invalid", "invalid_ref", "invalid", 0},
    {"float", "float_ref", "float32", 4},
    {"double", "double_ref", "float64", 8},
    {"int32", "int32_ref", "int32", 4},
    {"uint8", "uint8_ref", "uint8", 1},
    {"int16", "int16_ref", "int16", 2},
    {"int8", "int8_ref", "int8", 1},
    {"string", "string_ref", "object", sizeof(std::string)},
    {"complex64", "complex64_ref", "complex64", 8},
    {"int64", "int64_ref", "int64", 8},
    {"bool", "bool_ref", "bool", 1},
    {"qint8", "qint8_ref", "qint8", 1},
    {"quint8", "quint8_ref", "quint8", 1},
    {"qint32", "qint32_ref", "qint32", 4},
    {"bfloat16", "bfloat16_ref", "bfloat16", 2},
    {"qint16", "qint16_ref", "qint16", 2},
    {"quint16", "quint16_ref", "quint16", 2},
    {"uint16", "uint16_ref", "uint16", 2},
    {"complex128", "complex128_ref", "complex128", 16},
    {"half", "half_ref", "float16", 2},
    {"resource", "resource_ref", "resource", sizeof(ResourceHandle)},
    {"variant", "variant_ref", "variant", sizeof(Variant)},
    {"uint32", "uint32_ref", "uint32", 4},
    {"uint64", "uint64_ref", "uint64", 8},
}};

const DTypeInfo& info(DType t) {
  return is_valid(t) ? kInfo[static_cast<std::size_t>(base_type(t))] : kInfo[0];
}

}  // namespace

std::string_view dtype_name(DType t) { return is_ref(t) ? info(t).ref_name : info(t).name; }
std::string_view numpy_name(DType t) { return info(t).numpy_name; }
std::size_t element_size(DType t) { return info(t).size; }

bool parse_dtype(std::string_view name, DType* dtype) {
  std::string plain(name);
  if (plain.starts_with("DT_")) {
    plain = plain.substr(3);
    for (char& c : plain)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const bool ref = plain.ends_with("_ref");
  if (ref) plain.resize(plain.size() - 4);
  for (int i = 1; i < kDTypeCount; ++i) {
    const DTypeInfo& candidate = kInfo[static_cast<std::size_t>(i)];
    if (plain != candidate.name && (plain != candidate.numpy_name || plain == "object")) continue;
    *dtype = ref ? ref_type(static_cast<DType>(i)) : static_cast<DType>(i);
    return true;
  }
  return false;
}

}  // namespace rill
