#include "rill/api/strings/ragged_strings.h"

#include <functional>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/string.h"
#include "rill/api/ragged/ragged_parts.h"

namespace rill::strings {
namespace {

using parts::ragged_in;
using Rows = std::vector<RaggedTensor>;  // of several results with the same rows

// What `apply` makes of a vector of strings, for strings of any rank.
std::vector<RaggedOrDense> for_each_string(const RaggedOrDense& input,
                                           const std::function<Rows(const Output&)>& apply) {
  const RaggedTensor* own = ragged_in(input);
  const int rank = parts::known_rank(input);
  std::vector<RaggedOrDense> results;
  if (own != nullptr) {
    for (const RaggedOrDense& inner : for_each_string(own->flat_values, apply))
      results.emplace_back(parts::with_flat_values(*own, inner));
  } else if (rank > 1) {
    return for_each_string(ragged::from_tensor(std::get<Output>(input), {.ragged_rank = rank - 1}),
                           apply);
  } else {
    const Output x = std::get<Output>(input);
    const Rows rows = apply(rank == 0 ? Output(raw::ExpandDims(x, 0)) : x);
    for (const RaggedTensor& row : rows)
      results.push_back(rank == 0 ? RaggedOrDense(row.flat_values) : RaggedOrDense(row));
  }
  return results;
}

RaggedTensor of_sparse(const Output& indices, const Output& values, const Output& shape) {
  const Output ids = slice(indices, {SliceRange{}, SlicePart(Input(0))});
  return {values, {ragged::splits_of_rowids(ids, Input(parts::item(shape, 0)))}};
}

}  // namespace

RaggedOrDense bytes_split(const RaggedOrDense& input, const NamedOptions& options,
                          std::source_location at) {
  const Block in(options.name, "StringsByteSplit", at);
  return for_each_string(input, [](const Output& x) -> Rows {
    const auto made = raw::StringSplit(x, "", {.skip_empty = false});
    return {of_sparse(made.indices, made.values, made.shape)};
  })[0];
}

RaggedOrDense ragged_split(const RaggedOrDense& input, const SplitOptions& options,
                           std::source_location at) {
  const Block in(options.name, "StringSplit", at);
  const Output sep = as_tensor(options.sep.value_or(""), "Const", DType::string);
  return for_each_string(input, [&](const Output& x) -> Rows {
    const auto made = raw::StringSplitV2(x, sep, {.maxsplit = options.maxsplit});
    return {of_sparse(made.indices, made.values, made.shape)};
  })[0];
}

RaggedOrDense unicode_decode(const RaggedOrDense& input, const std::string& encoding,
                             const UnicodeOptions& options, std::source_location at) {
  const Block in(options.name, "UnicodeDecode", at);
  return for_each_string(input, [&](const Output& x) -> Rows {
    const auto made =
        raw::UnicodeDecode(x, encoding,
                           {.errors = options.errors,
                            .replacement_char = options.replacement_char,
                            .replace_control_characters = options.replace_control_characters});
    return {{made.char_values, {made.row_splits}}};
  })[0];
}

std::pair<RaggedOrDense, RaggedOrDense> unicode_decode_with_offsets(const RaggedOrDense& input,
                                                                    const std::string& encoding,
                                                                    const UnicodeOptions& options,
                                                                    std::source_location at) {
  const Block in(options.name, "UnicodeDecodeWithOffsets", at);
  const auto both = for_each_string(input, [&](const Output& x) -> Rows {
    const auto made = raw::UnicodeDecodeWithOffsets(
        x, encoding,
        {.errors = options.errors,
         .replacement_char = options.replacement_char,
         .replace_control_characters = options.replace_control_characters});
    return {{made.char_values, {made.row_splits}}, {made.char_to_byte_starts, {made.row_splits}}};
  });
  return {both[0], both[1]};
}

RaggedOrDense unicode_encode(const RaggedOrDense& input, const std::string& encoding,
                             const UnicodeOptions& options, std::source_location at) {
  const Block in(options.name, "UnicodeEncode", at);
  const auto encoded = [&](const RaggedTensor& codes) {
    return raw::UnicodeEncode(
        codes.flat_values, codes.row_splits(), encoding,
        {.errors = options.errors, .replacement_char = options.replacement_char});
  };
  const RaggedTensor* own = ragged_in(input);
  const int rank = parts::known_rank(input);
  if (own != nullptr && rank == 2) return encoded(*own);
  if (own != nullptr)
    return parts::under(own->row_splits(),
                        unicode_encode(parts::values_of(*own), encoding, options));
  require(rank > 0, "input_tensor's rank must be at least 1.");
  const Output x = std::get<Output>(input);
  if (rank == 2) return encoded(ragged::from_tensor(x));
  if (rank > 2) {  // all but the last dimension in one, and back
    const Output dims = shape(x);
    const Output rows = raw::Reshape(x, parts::list_of({-1, parts::item(dims, -1)}));
    const auto flat = unicode_encode(rows, encoding, options);
    return raw::Reshape(std::get<Output>(flat), parts::range_of(dims, {}, -1));
  }
  const auto one = unicode_encode(raw::ExpandDims(x, 0), encoding, options);
  return raw::Squeeze(std::get<Output>(one), {.squeeze_dims = {0}});
}

RaggedOrDense unicode_split(const RaggedOrDense& input, const std::string& encoding,
                            const UnicodeOptions& options, std::source_location at) {
  const Block in(options.name, "UnicodeSplit", at);
  const UnicodeOptions inner{.errors = options.errors,
                             .replacement_char = options.replacement_char};
  const RaggedOrDense codes = unicode_decode(input, encoding, inner);
  const RaggedTensor* rows = ragged_in(codes);
  const Output each =
      raw::ExpandDims(rows != nullptr ? rows->flat_values : std::get<Output>(codes), -1);
  const RaggedOrDense characters = unicode_encode(each, encoding, inner);
  return rows != nullptr ? RaggedOrDense(parts::with_flat_values(*rows, characters)) : characters;
}

RaggedOrDense ngrams(const RaggedOrDense& data, const std::vector<std::int64_t>& widths,
                     const NgramsOptions& options, std::source_location at) {
  const Block in(options.name, "StringNGrams", at);
  for (const std::int64_t width : widths)
    require(width >= 1, "All ngram_widths must be greater than 1. Got ", width);
  require(!options.pad_values || options.padding_width != 0, "padding_width must not be 0");
  const int rank = parts::known_rank(data);
  require(rank > 0, "Data must have rank>0");
  const bool is_vector = rank == 1;
  const RaggedTensor rows = is_vector
                                ? ragged::from_tensor(raw::ExpandDims(std::get<Output>(data), 0))
                                : parts::raised(data, rank - 1, DType::i64);
  const auto pads = options.pad_values.value_or(std::pair<std::string, std::string>());
  const std::int64_t pad_width = options.pad_values ? options.padding_width : 0;
  const auto made =
      raw::StringNGrams(rows.flat_values, rows.nested_row_splits.back(), options.separator, widths,
                        pads.first, pads.second, pad_width, options.preserve_short_sequences);
  if (is_vector) return made.ngrams;
  RaggedTensor result{made.ngrams, rows.nested_row_splits};
  result.nested_row_splits.back() = made.ngrams_splits;
  if (ragged_in(data) == nullptr) return ragged::to_tensor(result, "");
  return result;
}

}  // namespace rill::strings
