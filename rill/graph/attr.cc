#include "rill/graph/attr.h"

#include <algorithm>
#include <array>
#include <bit>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::array<std::string_view, 8> kKindNames = {"string", "int",   "float",  "bool",
                                                        "type",   "shape", "tensor", "func"};

std::string piece(const std::string& s) { return quoted(s); }
std::string piece(std::int64_t i) { return std::to_string(i); }
std::string piece(float f) { return str_cat(f); }
std::string piece(bool b) { return b ? "true" : "false"; }
std::string piece(DType t) { return std::string(dtype_name(t)); }
std::string piece(const PartialShape& s) { return to_text(s); }
std::string piece(const Tensor& t) { return summary(t); }
std::string piece(const FuncName& f) { return f.name; }
std::string piece(const AttrPlaceholder& p) { return "$" + p.name; }

template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}
// By bits, so that a NaN equals itself.
bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}
bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(a, b, [](float x, float y) { return same(x, y); });
}
bool same(const Tensor& a, const Tensor& b) { return identical(a, b); }
bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::ranges::equal(a, b, identical);
}

}  // namespace

std::string_view attr_kind_name(AttrKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

bool operator==(const FuncName& a, const FuncName& b) {
  return a.name == b.name && a.attrs == b.attrs;
}

AttrValue AttrValue::empty_list(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return List<std::string>();
    case AttrKind::kInt:
      return List<std::int64_t>();
    case AttrKind::kFloat:
      return List<float>();
    case AttrKind::kBool:
      return List<bool>();
    case AttrKind::kType:
      return List<DType>();
    case AttrKind::kShape:
      return List<PartialShape>();
    case AttrKind::kTensor:
      return List<Tensor>();
    case AttrKind::kFunc:
      return List<FuncName>();
  }
  return {};
}

AttrKind AttrValue::kind() const {
  const std::size_t i = storage_.index();
  return static_cast<AttrKind>(i > 8 ? i - 9 : i - 1);
}

std::string AttrValue::kind_text() const {
  if (!has_value()) return "nothing";
  if (is_placeholder()) return "placeholder";
  const std::string name(attr_kind_name(kind()));
  return is_list() ? str_cat("list(", name, ")") : name;
}

std::size_t AttrValue::list_size() const {
  return std::visit(
      []<class T>(const T& value) -> std::size_t {
        if constexpr (requires {
                        typename T::value_type;
                        value.data();
                      } &&
                      !std::is_same_v<T, std::string>) {
          return value.size();
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
          return value.size();
        } else {
          return 1;
        }
      },
      storage_);
}

bool operator==(const AttrValue& a, const AttrValue& b) {
  if (a.storage_.index() != b.storage_.index()) return false;
  return std::visit([&]<class T>(const T& value) { return same(value, std::get<T>(b.storage_)); },
                    a.storage_);
}

void AttrValue::wrong_kind(const std::string& wanted) const {
  raise(Code::kInvalidArgument, "AttrValue had value with type '", kind_text(), "' when '", wanted,
        "' expected");
}

std::string to_text(const AttrValue& value) {
  return std::visit(
      []<class T>(const T& v) -> std::string {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return "nothing";
        } else if constexpr (requires { piece(v); }) {
          return piece(v);
        } else {
          std::vector<std::string> items;
          for (const auto& item : v) items.push_back(piece(item));
          return str_cat("[", join(items, ", "), "]");
        }
      },
      value.storage());
}

const AttrValue& find_attr(const AttrMap& attrs, std::string_view name) {
  const auto it = attrs.find(name);
  require(it != attrs.end(), "No attr named '", name, "'");
  return it->second;
}

}  // namespace rill
