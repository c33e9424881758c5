#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/graph/op_decl.h"

namespace rill {

// One input or output of an op. Exactly one of type, type_attr and type_list_attr is set;
// number_attr makes it a list of equal types.
struct Arg {
  std::string name, doc;
  DType type = DType::invalid;
  std::string type_attr, number_attr, type_list_attr;
  bool is_ref = false;

  bool is_list() const { return !number_attr.empty() || !type_list_attr.empty(); }
};

struct AttrSpec {
  std::string name, doc;
  AttrKind kind = AttrKind::kInt;
  bool is_list = false;
  std::optional<AttrValue> default_value;
  std::optional<std::int64_t> minimum;       // of an int, or of a list's length
  std::vector<DType> allowed_types;          // empty: any
  std::vector<std::string> allowed_strings;  // empty: any

  std::string kind_text() const;  // "int", "list(type)"
  // Throws InvalidArgument naming the attribute when `value` breaks kind, minimum or allowed
  // values.
  void check(const AttrValue& value, std::string_view op_name) const;
  // Brings a value that means the same into this attribute's kind: an int where a float is wanted,
  // an empty list of another kind, a name where a function is wanted.
  void adapt(AttrValue& value) const;
};

// A declaration, parsed. Immutable once registered.
class Op {
 public:
  Op() = default;
  explicit Op(const OpDecl& decl);  // throws InvalidArgument on a malformed declaration

  std::string name, doc;
  std::vector<Arg> inputs, outputs;
  std::vector<AttrSpec> attrs;
  std::uint64_t traits = 0;
  FileAttr file_attr;
  ShapeFn shape = nullptr;
  CostFn cost = nullptr;  // nullptr: not known
  GradFn grad = nullptr;  // nullptr: none is defined
  int deprecated = 0;
  std::string deprecated_why;

  // Throws InvalidArgument when arguments refer to attributes that do not exist or are of another
  // kind, or when a name is used twice.
  void check() const;

  bool has(std::uint64_t trait) const { return (traits & trait) != 0; }
  const AttrSpec* find_attr(std::string_view name) const;
  const Arg* find_input(std::string_view name) const;
  // The attr that an input determines (through its type or length) need not be given.
  bool is_inferred(std::string_view attr_name) const;
};

// "Op<name=Add; signature=x:T, y:T -> z:T; attr=T:type>", as messages show a declaration.
std::string to_text(const Op& op);

// The registration language, one line each; throw InvalidArgument with what was expected. An
// argument alone cannot tell a type attribute from a list(type) attribute: Op's constructor does.
Arg parse_arg(std::string_view text);
AttrSpec parse_attr(std::string_view text);

inline constexpr std::int64_t kMaxArgLength = 1 << 20;

// The types an argument stands for once attributes are known; more than one for list arguments.
// Throws InvalidArgument when an attribute is missing or a length is out of range.
std::vector<DType> arg_types(const Arg& arg, const AttrMap& attrs);

}  // namespace rill
