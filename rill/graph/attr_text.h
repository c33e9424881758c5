#pragma once

#include <string>
#include <string_view>

#include "rill/graph/attr.h"

namespace rill {

// Reads words, strings and punctuation of the registration language, skipping white space.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text), rest_(text) {}

  bool done();                           // nothing but white space is left
  bool peek(char c);                     // the next character that is not white space is `c`
  bool accept(std::string_view symbol);  // takes `symbol` if it comes next
  void expect(std::string_view symbol);  // throws InvalidArgument if something else comes next
  std::string_view word();               // letters, digits and _ . + -; throws if there is none
  std::string quoted_string();           // '...' or "..." with C escapes
  bool at_string() { return peek('"') || peek('\''); }
  [[noreturn]] void fail(std::string_view wanted);

 private:
  void skip_space();
  std::string_view text_, rest_;
};

// A value written as in a declaration: 4, 'SAME', DT_FLOAT, [1, 2], { dim { size: 2 } }, or
// { dtype: DT_INT32 int_val: 3 }. Shapes may also be written [2,?] and <unknown>.
// Throws InvalidArgument when the text is not one value of that kind.
AttrValue parse_attr_value(std::string_view text, AttrKind kind, bool is_list);
AttrValue scan_attr_value(TextScanner& scanner, AttrKind kind, bool is_list);

// "[2,?]", "[]", "?" or "<unknown>" as a shape.
PartialShape parse_shape(std::string_view text);

}  // namespace rill
