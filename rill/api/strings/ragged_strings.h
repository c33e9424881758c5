#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/ragged/ragged_tensor.h"

// Functions of tf.strings that take a vector of strings apart: a row for each string.
namespace rill::strings {

struct NamedOptions {
  std::string name;
};
// Each byte as a string. Throws InvalidArgument unless `input` is a vector, as the others do.
RaggedTensor bytes_split(const Input& input, const NamedOptions& options = {},
                         std::source_location at = std::source_location::current());

// errors: what becomes of bytes that are no character. "replace" puts replacement_char, "ignore"
// drops them, "strict" fails the step.
struct UnicodeOptions {
  std::string errors = "replace";  // or "strict", "ignore"
  std::int64_t replacement_char = 65533;
  bool replace_control_characters = false;
  std::string name;
};
// The code points of each string, as int32; with the byte at which each begins. Encodings are
// "UTF-8", "UTF-16-BE" and "UTF-32-BE", and for reading those that the op knows.
RaggedTensor unicode_decode(const Input& input, const std::string& encoding,
                            const UnicodeOptions& options = {},
                            std::source_location at = std::source_location::current());
std::pair<RaggedTensor, RaggedTensor> unicode_decode_with_offsets(
    const Input& input, const std::string& encoding, const UnicodeOptions& options = {},
    std::source_location at = std::source_location::current());
// The characters of each string, in its encoding.
RaggedTensor unicode_split(const Input& input, const std::string& encoding,
                           const UnicodeOptions& options = {},
                           std::source_location at = std::source_location::current());
// Strings of code points.
Output unicode_encode(const RaggedTensor& input, const std::string& encoding,
                      const UnicodeOptions& options = {},
                      std::source_location at = std::source_location::current());

// preserve_short_sequences: a row shorter than all widths becomes one n-gram instead of none.
struct NgramsOptions {
  std::string separator = " ";
  std::optional<std::pair<std::string, std::string>> pad_values;  // left, right
  std::int64_t padding_width = -1;                                // as many as a width needs
  bool preserve_short_sequences = false;
  std::string name;
};
// Every `widths` neighbours in each row, joined. Throws InvalidArgument for widths below 1.
RaggedTensor ngrams(const RaggedTensor& data, const std::vector<std::int64_t>& widths,
                    const NgramsOptions& options = {},
                    std::source_location at = std::source_location::current());

}  // namespace rill::strings
