#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/sparse/sparse_tensor.h"

// tf.strings: functions on strings that are more than one op.
namespace rill::strings {

struct ReduceJoinOptions {
  OptionalInput axis = {};  // all, from the last to the first
  bool keepdims = false;
  std::string separator = {};
  std::string name = {};
};
// The strings along dimensions, joined: [["a", "b"], ["c", "d"]] along axis 1 is ["ab", "cd"]. All
// dimensions are joined in the order of rows.
Output reduce_join(const Input& inputs, const ReduceJoinOptions& options = {},
                   std::source_location at = std::source_location::current());

struct RegexOptions {
  std::string name = {};
};
// Whether a regular expression (RE2's syntax) matches the whole string. One that is no tensor is
// compiled once. A wrong expression fails with InvalidArgument.
Output regex_full_match(const Input& input, const Input& pattern, const RegexOptions& options = {},
                        std::source_location at = std::source_location::current());

struct RegexReplaceOptions {
  bool replace_global = true;  // false: the first match only
  std::string name = {};
};
// \1 to \9 in `rewrite` are the groups of the match, \0 the whole.
Output regex_replace(const Input& input, const Input& pattern, const Input& rewrite,
                     const RegexReplaceOptions& options = {},
                     std::source_location at = std::source_location::current());

// summarize: elements shown at each end of a dimension; -1: all.
struct FormatOptions {
  std::string placeholder = "{}";
  std::int64_t summarize = 3;
  std::string name = {};
};
// `template_text` with the inputs in place of its placeholders. Throws InvalidArgument when there
// are more or fewer of them.
Output format(const std::string& template_text, const Inputs& inputs,
              const FormatOptions& options = {},
              std::source_location at = std::source_location::current());

struct SplitOptions {
  OptionalInput sep = {};  // any white space
  std::int64_t maxsplit = -1;
  std::string name = {};
};
// The words of strings: [...strings, most words], of a single string [1, words]. Strings of unknown
// rank are taken for a vector. Without a separator runs of
// white space count as one, as Python's split() has it; with one, neighbours give "" between them.
// maxsplit: of splits; -1: all.
SparseTensor split(const Input& input, const SplitOptions& options = {},
                   std::source_location at = std::source_location::current());

struct StringSplitOptions {
  Input sep = " ";  // each of its characters separates
  bool skip_empty = true;
  std::string name = {};
};
// The older split: skip_empty leaves out "" between separators.
SparseTensor string_split(const Input& source, const StringSplitOptions& options = {},
                          std::source_location at = std::source_location::current());

}  // namespace rill::strings

namespace rill {
using strings::string_split;
}
