#pragma once

#include <string>
#include <string_view>

namespace rill::script {

// Reads one statement piece by piece. Every failure is an InvalidArgument that quotes the rest.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end();
  char peek();                         // '\0' at the end; white space is skipped
  bool take(std::string_view symbol);  // true if it was there
  void expect(std::string_view symbol);
  bool take_word(std::string_view word);  // a whole identifier
  std::string name();                     // identifiers, with the / . - of node names and devices
  std::string peek_name();                // "" when there is none
  std::string number();                   // as written
  std::string text();                     // between double quotes, with \n \t \" and \\ escapes
  std::string_view rest() const { return rest_; }

  [[noreturn]] void fail(std::string_view wanted) const;

 private:
  void skip_space();
  std::string_view rest_;
};

}  // namespace rill::script
