#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rill/tensor/dtype.h"
#include "rill/tensor/shape.h"
#include "rill/tensor/tensor.h"

namespace rill {

enum class AttrKind : std::uint8_t { kString, kInt, kFloat, kBool, kType, kShape, kTensor, kFunc };
std::string_view attr_kind_name(AttrKind kind);  // "string", "int", ...

class AttrValue;
using AttrMap = std::map<std::string, AttrValue, std::less<>>;

// A function by name, with values for its own attributes.
struct FuncName {
  std::string name;
  AttrMap attrs;
};
bool operator==(const FuncName& a, const FuncName& b);

// In the body of a function: the value that the attribute `name` of the function has.
struct AttrPlaceholder {
  std::string name;
  friend bool operator==(const AttrPlaceholder&, const AttrPlaceholder&) = default;
};

// Asking std::variant whether it can be made from a T would ask AttrValue again, without end.
template <class T, class Variant>
inline constexpr bool kIsAlternative = false;
template <class T, class... Alternative>
inline constexpr bool kIsAlternative<T, std::variant<Alternative...>> =
    (std::is_same_v<T, Alternative> || ...);

// The value of one attribute: a scalar of some AttrKind or a list of such; in the body of a
// function it may also be a placeholder for one. An int literal is an int attribute and a double a
// float one: AttrSpec::adapt turns ints into floats where an op wants these.
//
//   AttrMap attrs{{"T", DType::f32}, {"strides", std::vector<std::int64_t>{1, 2, 2, 1}}};
class AttrValue {
 public:
  template <class T>
  using List = std::vector<T>;
  using Storage =
      std::variant<std::monostate, std::string, std::int64_t, float, bool, DType, PartialShape,
                   Tensor, FuncName, List<std::string>, List<std::int64_t>, List<float>, List<bool>,
                   List<DType>, List<PartialShape>, List<Tensor>, List<FuncName>, AttrPlaceholder>;

  AttrValue() = default;
  AttrValue(const char* s) : storage_(std::string(s)) {}
  AttrValue(std::string_view s) : storage_(std::string(s)) {}
  AttrValue(int i) : storage_(std::int64_t{i}) {}
  AttrValue(double f) : storage_(static_cast<float>(f)) {}
  template <class T>
  requires kIsAlternative<std::remove_cvref_t<T>, Storage> AttrValue(T&& value)
      : storage_(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(value)) {}
  // A list whose element kind no element tells: `list(kind)` of length zero.
  static AttrValue empty_list(AttrKind kind);

  bool has_value() const { return storage_.index() != 0; }
  bool is_list() const { return storage_.index() > 8 && !is_placeholder(); }
  bool is_placeholder() const { return std::holds_alternative<AttrPlaceholder>(storage_); }
  // Of the value or of the list's elements; only when has_value() and no placeholder.
  AttrKind kind() const;
  std::string kind_text() const;  // "int", "list(type)"

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&storage_);
  }
  // Throws InvalidArgument, naming both kinds, when the value is not a T.
  template <class T>
  const T& get() const {
    if (const T* value = std::get_if<T>(&storage_)) return *value;
    wrong_kind(AttrValue(T{}).kind_text());
  }
  std::size_t list_size() const;  // 1 when not a list
  const Storage& storage() const { return storage_; }

  friend bool operator==(const AttrValue& a, const AttrValue& b);

 private:
  [[noreturn]] void wrong_kind(const std::string& wanted) const;
  Storage storage_;
};

std::string to_text(const AttrValue& value);  // short form for messages: "[float, int32]"

// The value under `name`; throws InvalidArgument when it is missing or of another kind.
template <class T>
const T& attr(const AttrMap& attrs, std::string_view name);
const AttrValue& find_attr(const AttrMap& attrs, std::string_view name);
template <class T>
const T& attr(const AttrMap& attrs, std::string_view name) {
  return find_attr(attrs, name).get<T>();
}

}  // namespace rill
