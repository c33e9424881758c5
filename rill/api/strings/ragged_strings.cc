#include "rill/api/strings/ragged_strings.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/string.h"

namespace rill::strings {
namespace {

Output vector_argument(const Input& input) {
  const Output x = as_tensor(input, "input", DType::string);
  require(x.shape().rank() == 1, "a vector of strings is needed, not a tensor of shape ",
          x.shape());
  return x;
}

RaggedTensor rows(const Output& values, const Output& splits) { return {values, {splits}}; }

}  // namespace

RaggedTensor bytes_split(const Input& input, const NamedOptions& options, std::source_location at) {
  const Block in(options.name, "StringsByteSplit", at);
  const Output x = vector_argument(input);
  const auto made = raw::StringSplit(x, "", {.skip_empty = false});
  const Output ids = slice(made.indices, {SliceRange{}, SlicePart(Input(0))});
  const Output splits = ragged::splits_of_rowids(ids, Input(parts::item(made.shape, 0)));
  return ragged::from_row_splits(made.values, splits, {.validate = false});
}

RaggedTensor unicode_decode(const Input& input, const std::string& encoding,
                            const UnicodeOptions& options, std::source_location at) {
  const Block in(options.name, "UnicodeDecode", at);
  const auto made =
      raw::UnicodeDecode(vector_argument(input), encoding,
                         {.errors = options.errors,
                          .replacement_char = options.replacement_char,
                          .replace_control_characters = options.replace_control_characters});
  return rows(made.char_values, made.row_splits);
}

std::pair<RaggedTensor, RaggedTensor> unicode_decode_with_offsets(const Input& input,
                                                                  const std::string& encoding,
                                                                  const UnicodeOptions& options,
                                                                  std::source_location at) {
  const Block in(options.name, "UnicodeDecodeWithOffsets", at);
  const auto made = raw::UnicodeDecodeWithOffsets(
      vector_argument(input), encoding,
      {.errors = options.errors,
       .replacement_char = options.replacement_char,
       .replace_control_characters = options.replace_control_characters});
  return {rows(made.char_values, made.row_splits), rows(made.char_to_byte_starts, made.row_splits)};
}

Output unicode_encode(const RaggedTensor& input, const std::string& encoding,
                      const UnicodeOptions& options, std::source_location at) {
  const Block in(options.name, "UnicodeEncode", at);
  require(input.ragged_rank() == 1, "unicode_encode: one ragged dimension is needed, not ",
          input.ragged_rank());
  return raw::UnicodeEncode(input.flat_values, input.row_splits(), encoding,
                            {.errors = options.errors,
                             .replacement_char = options.replacement_char,
                             .name = in.own_name()});
}

RaggedTensor unicode_split(const Input& input, const std::string& encoding,
                           const UnicodeOptions& options, std::source_location at) {
  const Block in(options.name, "UnicodeSplit", at);
  const RaggedTensor codes = unicode_decode(
      input, encoding, {.errors = options.errors, .replacement_char = options.replacement_char});
  const Output each = as_tensor(raw::ExpandDims(codes.flat_values, -1));
  const RaggedTensor single = ragged::from_tensor(each, {.row_splits_dtype = codes.splits_type()});
  const Output characters = unicode_encode(
      single, encoding, {.errors = options.errors, .replacement_char = options.replacement_char});
  return rows(characters, codes.row_splits());
}

RaggedTensor ngrams(const RaggedTensor& data, const std::vector<std::int64_t>& widths,
                    const NgramsOptions& options, std::source_location at) {
  const Block in(options.name, "StringNGrams", at);
  for (const std::int64_t width : widths)
    require(width >= 1, "All ngram_widths must be greater than 1. Got ", width);
  require(!options.pad_values || options.padding_width != 0, "padding_width must not be 0");
  const auto pads = options.pad_values.value_or(std::pair<std::string, std::string>());
  const std::int64_t pad_width = options.pad_values ? options.padding_width : 0;
  const auto made =
      raw::StringNGrams(data.flat_values, data.nested_row_splits.back(), options.separator, widths,
                        pads.first, pads.second, pad_width, options.preserve_short_sequences);
  RaggedTensor result{made.ngrams, data.nested_row_splits};
  result.nested_row_splits.back() = made.ngrams_splits;
  return result;
}

}  // namespace rill::strings
