#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/ragged/ragged_or_dense.h"
#include "rill/api/strings/strings.h"

// Functions of tf.strings that take strings apart: a row for each string. The result has one
// dimension more than the strings and is ragged, unless it is the row of a single string. Ranks
// must be known (InvalidArgument).
namespace rill::strings {

using ragged::RaggedOrDense;

struct NamedOptions {
  std::string name = {};
};
// Each byte as a string.
RaggedOrDense bytes_split(const RaggedOrDense& input, const NamedOptions& options = {},
                          std::source_location at = std::source_location::current());

// The words of each string, as strings::split has them.
RaggedOrDense ragged_split(const RaggedOrDense& input, const SplitOptions& options = {},
                           std::source_location at = std::source_location::current());

// errors: what becomes of bytes that are no character. "replace" puts replacement_char, "ignore"
// drops them, "strict" fails the step.
struct UnicodeOptions {
  std::string errors = "replace";  // or "strict", "ignore"
  std::int64_t replacement_char = 65533;
  bool replace_control_characters = false;
  std::string name = {};
};
// The code points of each string, as int32; with the byte at which each begins. Encodings are
// "UTF-8", "UTF-16-BE" and "UTF-32-BE", and for reading those that the op knows.
RaggedOrDense unicode_decode(const RaggedOrDense& input, const std::string& encoding,
                             const UnicodeOptions& options = {},
                             std::source_location at = std::source_location::current());
std::pair<RaggedOrDense, RaggedOrDense> unicode_decode_with_offsets(
    const RaggedOrDense& input, const std::string& encoding, const UnicodeOptions& options = {},
    std::source_location at = std::source_location::current());
// The characters of each string, in its encoding.
RaggedOrDense unicode_split(const RaggedOrDense& input, const std::string& encoding,
                            const UnicodeOptions& options = {},
                            std::source_location at = std::source_location::current());
// Strings of the code points in the last dimension.
RaggedOrDense unicode_encode(const RaggedOrDense& input, const std::string& encoding,
                             const UnicodeOptions& options = {},
                             std::source_location at = std::source_location::current());

// preserve_short_sequences: a row shorter than all widths becomes one n-gram instead of none.
struct NgramsOptions {
  std::string separator = " ";
  std::optional<std::pair<std::string, std::string>> pad_values = {};  // left, right
  std::int64_t padding_width = -1;                                     // as many as a width needs
  bool preserve_short_sequences = false;
  std::string name = {};
};
// Every `widths` neighbours in the last dimension, joined; a plain tensor's stay one, padded with
// "". Throws InvalidArgument for widths below 1 and for a scalar.
RaggedOrDense ngrams(const RaggedOrDense& data, const std::vector<std::int64_t>& widths,
                     const NgramsOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill::strings
