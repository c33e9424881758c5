#include "rill/api/strings/strings.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/string.h"
#include "rill/api/ragged/ragged_tensor.h"
#include "rill/api/strings/ragged_strings.h"

namespace rill::strings {
namespace {

// The text of a string that is no tensor.
std::optional<std::string> known_text(const Input& input) {
  if (!input.is_value()) return {};
  return input.value(DType::string).scalar_value<std::string>();
}

template <class Made>
SparseTensor words(const Made& made) {
  return {made.indices, made.values, made.shape};
}

Input backwards(Output x) {
  if (!x.shape().has_rank()) return raw::Range(parts::minus(rank(x), 1), -1, -1, {.name = "range"});
  std::vector<std::int64_t> axes;
  for (int i = x.shape().rank() - 1; i >= 0; --i) axes.push_back(i);
  return as_tensor(parts::ints(axes));
}

}  // namespace

Output reduce_join(const Input& inputs, const ReduceJoinOptions& options, std::source_location at) {
  const Block in("", "ReduceJoin", at);
  const Output x = as_tensor(inputs, "Const", DType::string);
  const Input axis = options.axis ? *options.axis : backwards(x);
  return raw::ReduceJoin(
      x, axis,
      {.keep_dims = options.keepdims, .separator = options.separator, .name = options.name});
}

Output regex_full_match(const Input& input, const Input& pattern, const RegexOptions& options,
                        std::source_location at) {
  if (const auto text = known_text(pattern))
    return raw::StaticRegexFullMatch(input, *text, {.name = options.name}, at);
  return raw::RegexFullMatch(input, pattern, {.name = options.name}, at);
}

Output regex_replace(const Input& input, const Input& pattern, const Input& rewrite,
                     const RegexReplaceOptions& options, std::source_location at) {
  const auto expression = known_text(pattern), replacement = known_text(rewrite);
  if (expression && replacement)
    return raw::StaticRegexReplace(input, *expression, *replacement,
                                   {.replace_global = options.replace_global, .name = options.name},
                                   at);
  return raw::RegexReplace(input, pattern, rewrite,
                           {.replace_global = options.replace_global, .name = options.name}, at);
}

Output format(const std::string& template_text, const Inputs& inputs, const FormatOptions& options,
              std::source_location at) {
  require(!options.placeholder.empty(), "the placeholder must not be empty");
  std::size_t found = 0;
  for (std::size_t i = template_text.find(options.placeholder); i != std::string::npos;
       i = template_text.find(options.placeholder, i + options.placeholder.size()))
    ++found;
  require(found == inputs.size(), found, " placeholder(s) in template does not match ",
          inputs.size(), " tensor(s) provided as input");
  return raw::StringFormat(inputs,
                           {.template_ = template_text,
                            .placeholder = options.placeholder,
                            .summarize = options.summarize,
                            .name = options.name},
                           at);
}

SparseTensor split(const Input& input, const SplitOptions& options, std::source_location at) {
  const Block in(options.name, "StringSplit", at);
  Output x = as_tensor(input, "input", DType::string);
  if (x.shape().has_rank() && x.shape().rank() > 1)
    return ragged::to_sparse(std::get<RaggedTensor>(
        ragged_split(x, {.sep = options.sep, .maxsplit = options.maxsplit})));
  if (x.shape().has_rank() && x.shape().rank() == 0) x = expand_dims(x, 0);
  const Output sep = as_tensor(options.sep.value_or(""), "Const", DType::string);
  return words(raw::StringSplitV2(x, sep, {.maxsplit = options.maxsplit}));
}

SparseTensor string_split(const Input& source, const StringSplitOptions& options,
                          std::source_location at) {
  const Block in(options.name, "StringSplit", at);
  const Output sep = as_tensor(options.sep, "Const", DType::string);
  const Output x = as_tensor(source, "Const", DType::string);
  return words(raw::StringSplit(x, sep, {.skip_empty = options.skip_empty}));
}

}  // namespace rill::strings
