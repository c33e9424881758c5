#pragma once

#include <initializer_list>

#include "rill/graph/op_decl_text.h"

// Whether the arguments and attributes of a declaration are written in the registration language,
// found out by the compiler. Op's constructor (op_parse.cc) reads the same language at run time,
// for ops of libraries as well.
namespace rill::decl_text {

// What arguments need to know of an attribute.
struct Attr {
  std::string_view name = {}, kind = {};  // kind: "type", "int", "string", ...
  bool is_list = false;
};

// { ... } or one word: the kind, and which values are allowed.
struct Allowed {
  std::string_view kind = {};
  TypeSet types = {};
  std::string_view strings = {};  // "'SAME', 'VALID'", as written
};

constexpr bool is_kind(std::string_view word) {
  for (const std::string_view kind :
       {"string", "int", "float", "bool", "type", "shape", "tensor", "func"})
    if (word == kind) return true;
  return false;
}

// What stands between braces, the opening one taken already: types, or strings in quotes.
constexpr Allowed scan_allowed(Scanner& s) {
  Allowed allowed{.kind = s.peek("'") || s.peek("\"") ? "string" : "type"};
  do {
    if (allowed.kind == "string") {
      (void)s.quoted();
      continue;
    }
    const TypeSet types = types_named(s.word());
    demand(!types.empty(), "the types of an attribute in braces: one of them does not exist");
    allowed.types = allowed.types | types;
  } while (s.accept(",") && !s.peek("}"));
  demand(s.accept("}"), "the values of an attribute in braces: '}' or ',' is expected");
  return allowed;
}

// What stands after "name:", up to the limit and the default.
constexpr Allowed scan_kind(Scanner& s) {
  Scanner strings = s;
  if (s.accept("{")) {
    Allowed allowed = scan_allowed(s);
    if (allowed.kind == "string") allowed.strings = strings.message();
    return allowed;
  }
  const std::string_view word = s.word();
  if (is_kind(word)) return {.kind = word};
  const TypeSet types = types_named(word);
  demand(!types.empty() && type_named(word).empty(),
         "the kind of an attribute: string, int, float, bool, type, shape, tensor, func, a class "
         "of types such as numbertype, or values in braces");
  return {.kind = "type", .types = types};
}

constexpr bool is_allowed_string(std::string_view value, std::string_view allowed) {
  if (allowed.empty()) return true;
  Scanner s(allowed);
  for (s.accept("{"); !s.accept("}"); s.accept(","))
    if (s.quoted() == value) return true;
  return false;
}

constexpr void scan_shape(Scanner& s) {
  if (s.peek("{")) return (void)s.message();
  if (s.accept("<unknown>") || s.accept("?")) return;
  demand(s.accept("["), "a default that is a shape: { ... }, [2,?] or <unknown>");
  for (bool first = true; !s.accept("]"); first = false) {
    demand(first || s.accept(","), "a default that is a shape: ',' is expected");
    demand(s.accept("?") || is_int(s.word()), "a default that is a shape: a size is expected");
  }
}

constexpr void scan_value(Scanner& s, const Allowed& allowed) {
  const std::string_view kind = allowed.kind;
  if (kind == "string") {
    demand(is_allowed_string(s.quoted(), allowed.strings), "a default is not among the values");
  } else if (kind == "int") {
    demand(is_int(s.word()), "the default of an int is not one");
  } else if (kind == "float") {
    demand(is_number(s.word()), "the default of a float is no number");
  } else if (kind == "bool") {
    const std::string_view word = s.word();
    demand(word == "true" || word == "false", "the default of a bool: true or false");
  } else if (kind == "type") {
    const TypeSet type = type_named(s.word());
    demand(!type.empty(), "the default of a type is none");
    demand(allowed.types.empty() || !(allowed.types & type).empty(),
           "a default is not among the types");
  } else if (kind == "shape") {
    scan_shape(s);
  } else if (kind == "func" && !s.peek("{")) {
    demand(s.peek("'") || s.peek("\"") ? !s.quoted().empty() : is_name(s.word()),
           "the default of a func is no name");
  } else {
    (void)s.message();
  }
}

constexpr void scan_default(Scanner& s, const Allowed& allowed, bool is_list) {
  if (!is_list) return scan_value(s, allowed);
  demand(s.accept("["), "the default of a list begins with '['");
  for (bool first = true; !s.accept("]"); first = false) {
    demand(first || s.accept(","), "the default of a list: ',' or ']' is expected");
    scan_value(s, allowed);
  }
}

// "T: {float, double} = DT_FLOAT", "N: int >= 1", "shapes: list(shape) >= 0 = []".
constexpr Attr check_attr(std::string_view text) {
  Scanner s(text);
  Attr attr{.name = s.word()};
  demand(is_name(attr.name), "an attribute begins with its name");
  demand(s.accept(":"), "an attribute needs a colon after its name");
  attr.is_list = s.accept("list(");
  const Allowed allowed = scan_kind(s);
  attr.kind = allowed.kind;
  demand(!attr.is_list || s.accept(")"), "list( is not closed");
  if (s.accept(">=")) {
    demand(attr.is_list || attr.kind == "int", "only an int or a list has a minimum");
    demand(is_int(s.word()), "the minimum of an attribute is an integer");
  }
  if (s.accept("=")) scan_default(s, allowed, attr.is_list);
  demand(s.done(), "an attribute ends after its default");
  return attr;
}

// What stands for a type or a count in an argument.
struct Arg {
  std::string_view name = {}, number = {}, type = {};  // number: of "N * T", else empty
};

// "x: T", "values: N * T", "ref: Ref(T)".
constexpr Arg check_arg(std::string_view text) {
  Scanner s(text);
  Arg arg{.name = s.word()};
  demand(is_name(arg.name), "an argument begins with its name");
  demand(s.accept(":"), "an argument needs a colon after its name");
  const bool is_ref = s.accept("Ref(");
  arg.type = s.word();
  if (s.accept("*")) {
    arg.number = arg.type;
    arg.type = s.word();
    demand(is_name(arg.number), "the count in front of '*' is the name of an attribute");
  }
  demand(is_name(arg.type), "the type of an argument is a type or the name of an attribute");
  demand(!is_ref || s.accept(")"), "Ref( is not closed");
  demand(s.done(), "an argument ends after its type");
  return arg;
}

using Texts = std::initializer_list<const char*>;

constexpr Attr find_attr(const Texts& attrs, std::string_view name) {
  for (const char* const text : attrs)
    if (Scanner(text).word() == name) return check_attr(text);
  return {};
}

constexpr void check_types(const Arg& arg, const Texts& attrs) {
  if (!arg.number.empty()) {
    const Attr number = find_attr(attrs, arg.number);
    demand(number.kind == "int" && !number.is_list, "\"N * T\" needs an attribute N: int");
  }
  if (!type_named(arg.type).empty()) return;
  const Attr type = find_attr(attrs, arg.type);
  demand(type.kind == "type", "the type of an argument is neither a type nor a type attribute");
  demand(!type.is_list || arg.number.empty(), "a list of types cannot be repeated");
}

constexpr void check_unique(std::string_view name, const Texts& texts) {
  int count = 0;
  for (const char* const other : texts) count += Scanner(other).word() == name;
  demand(count <= 1, "two arguments or attributes have one name");
}

constexpr void check_names(const Texts& inputs, const Texts& outputs, const Texts& attrs) {
  for (const char* const text : attrs) check_unique(check_attr(text).name, attrs);
  for (const Texts& args : {inputs, outputs}) {
    for (const char* const text : args) {
      const Arg arg = check_arg(text);
      check_types(arg, attrs);
      check_unique(arg.name, args);
    }
  }
  for (const char* const text : inputs)
    demand(find_attr(attrs, check_arg(text).name).name.empty(),
           "an input and an attribute have one name");
}

}  // namespace rill::decl_text
