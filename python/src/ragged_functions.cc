// What tf.RaggedTensor (python/rill/_ragged_tensor.py) is made of: ragged tensors pass as tuples of
// their tensors, (flat_values, row_splits...).
#include "array_functions.h"
#include "errors.h"
#include "package.h"
#include "plain_values.h"
#include "ragged_tensors.h"
#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/strings/ragged_strings.h"
#include "shapes.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

RaggedTensor ragged_of_parts(nb::handle parts) {
  RaggedTensor result;
  for (nb::handle part : parts) {
    const Output tensor = tensor_object(part).output;
    if (result.flat_values) {
      result.nested_row_splits.push_back(tensor);
    } else {
      result.flat_values = tensor;
    }
  }
  return result;
}

nb::object give_ragged(const RaggedTensor& ragged) {
  nb::list parts;
  parts.append(give(ragged.flat_values));
  for (const Output& splits : ragged.nested_row_splits) parts.append(give(splits));
  return nb::tuple(parts);
}

RaggedTensor ragged_arg(const Call& call, const char* name) {
  const nb::handle value = call[name];
  if (!nb::isinstance(value, package::ragged_tensor.get()))
    type_error("'", name, "' must be a RaggedTensor, not ", type_name_of(value));
  return ragged_of_parts(nb::object(value.attr("_parts")));
}

// `values` is a tuple of the parts of a ragged tensor, or what becomes a tensor.
nb::object with_splits(const Call& call, const Input& splits) {
  const ragged::FromOptions options{.validate = call.flag("validate"), .name = call.name()};
  const nb::handle values = call["values"];
  if (call.flag("is_ragged"))
    return give_ragged(ragged::from_row_splits(ragged_of_parts(values), splits, options));
  return give_ragged(ragged::from_row_splits(call.input("values"), splits, options));
}

Output count_of(const Call& call, DType type) {
  if (call.flag("is_ragged")) return ragged::nrows(ragged_of_parts(call["values"]));
  return parts::item(shape(call.input("values"), {.out_type = type}), 0);
}

const Function kRagged[] = {
    {"ragged_from_row_splits(values, is_ragged, row_splits, name, validate)",
     [](const Call& call) { return with_splits(call, call.input("row_splits", DType::invalid)); }},
    {"ragged_from_row_lengths(values, is_ragged, row_lengths, name, validate)",
     [](const Call& call) {
       return with_splits(call, ragged::splits_of_lengths(call.input("row_lengths")));
     }},
    {"ragged_from_row_limits(values, is_ragged, row_limits, name, validate)",
     [](const Call& call) {
       return with_splits(call, ragged::splits_of_limits(call.input("row_limits")));
     }},
    {"ragged_from_row_starts(values, is_ragged, row_starts, name, validate)",
     [](const Call& call) {
       const Output starts = as_tensor(call.input("row_starts"), "row_starts");
       return with_splits(
           call, ragged::splits_of_starts(starts, count_of(call, base_type(starts.dtype()))));
     }},
    {"ragged_from_value_rowids(values, is_ragged, value_rowids, nrows, name, validate)",
     [](const Call& call) {
       return with_splits(call, ragged::splits_of_rowids(call.input("value_rowids"),
                                                         call.optional_input("nrows")));
     }},
    {"ragged_from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)",
     [](const Call& call) {
       return give_ragged(ragged::from_tensor(
           call.input("tensor"), {.lengths = call.optional_input("lengths"),
                                  .padding = call.optional_input("padding"),
                                  .ragged_rank = static_cast<int>(call.integer("ragged_rank")),
                                  .row_splits_dtype = call.dtype("row_splits_dtype"),
                                  .name = call.name()}));
     }},
    {"ragged_from_sparse(st_input, name, row_splits_dtype)",
     [](const Call& call) {
       return give_ragged(ragged::from_sparse(sparse_of(call["st_input"]), call.name(),
                                              call.dtype("row_splits_dtype")));
     }},
    {"ragged_to_tensor(parts, default_value, name)",
     [](const Call& call) {
       return give(ragged::to_tensor(ragged_of_parts(call["parts"]),
                                     call.optional_input("default_value"), call.name()));
     }},
    {"ragged_to_sparse(parts, name)",
     [](const Call& call) {
       return give(ragged::to_sparse(ragged_of_parts(call["parts"]), call.name()));
     }},
    {"ragged_nrows(parts)",
     [](const Call& call) { return give(ragged::nrows(ragged_of_parts(call["parts"]))); }},
    {"ragged_row_lengths(parts)",
     [](const Call& call) { return give(ragged::row_lengths(ragged_of_parts(call["parts"]))); }},
    {"ragged_bounding_shape(parts, name)",
     [](const Call& call) {
       return give(ragged::bounding_shape(ragged_of_parts(call["parts"]), call.name()));
     }},
    {"ragged_rows(parts, start, stop)",
     [](const Call& call) {
       return give_ragged(ragged::rows(ragged_of_parts(call["parts"]), call.optional_input("start"),
                                       call.optional_input("stop")));
     }},
    {"ragged_shape(parts)",
     [](const Call& call) { return shape_object(ragged_of_parts(call["parts"]).shape()); }},
    {"ragged_range(starts, limits, deltas, name, row_splits_dtype)",
     [](const Call& call) {
       return give_ragged(ragged::range(
           call.input("starts"), call.input("limits"), call.input("deltas"),
           {.row_splits_dtype = call.dtype("row_splits_dtype"), .name = call.name()}));
     }},
    {"ragged_rowids(splits)",
     [](const Call& call) { return give(ragged::rowids_of_splits(call.input("splits"))); }},
    {"ragged_splits(segment_ids, num_segments)",
     [](const Call& call) {
       return give(ragged::splits_of_rowids(call.input("segment_ids"),
                                            call.optional_input("num_segments")));
     }},
};

// --- strings -----------------------------------------------------------------------------------

strings::UnicodeOptions unicode_options(const Call& call, bool has_control = false) {
  return {.errors = call.text("errors"),
          .replacement_char = call.integer("replacement_char"),
          .replace_control_characters = has_control && call.flag("replace_control_characters"),
          .name = call.name()};
}

nb::object give_both(const std::pair<RaggedTensor, RaggedTensor>& both) {
  return nb::make_tuple(give(both.first), give(both.second));
}

std::optional<std::pair<std::string, std::string>> pad_values(nb::handle value) {
  if (value.is_none()) return {};
  if (PyTuple_Check(value.ptr()))
    return std::pair(text_of(nb::object(value[0]), "pad_values"),
                     text_of(nb::object(value[1]), "pad_values"));
  return std::pair(text_of(value, "pad_values"), text_of(value, "pad_values"));
}

const Function kRaggedStrings[] = {
    {"strings.bytes_split(input, name=None)",
     [](const Call& call) {
       return give(strings::bytes_split(call.input("input"), {.name = call.name()}));
     },
     "The bytes of each string."},
    {"strings.unicode_decode(input, input_encoding, errors='replace', replacement_char=65533, "
     "replace_control_characters=False, name=None)",
     [](const Call& call) {
       return give(strings::unicode_decode(call.input("input"), call.text("input_encoding"),
                                           unicode_options(call, true)));
     },
     "The code points of each string."},
    {"strings.unicode_decode_with_offsets(input, input_encoding, errors='replace', "
     "replacement_char=65533, replace_control_characters=False, name=None)",
     [](const Call& call) {
       return give_both(strings::unicode_decode_with_offsets(
           call.input("input"), call.text("input_encoding"), unicode_options(call, true)));
     },
     "The code points of each string, and where they begin."},
    {"strings.unicode_split(input, input_encoding, errors='replace', replacement_char=65533, "
     "name=None)",
     [](const Call& call) {
       return give(strings::unicode_split(call.input("input"), call.text("input_encoding"),
                                          unicode_options(call)));
     },
     "The characters of each string."},
    {"strings.unicode_split_with_offsets(input, input_encoding, errors='replace', "
     "replacement_char=65533, name=None)",
     [](const Call& call) {
       const Input input = call.input("input");
       const std::string encoding = call.text("input_encoding");
       const auto offsets =
           strings::unicode_decode_with_offsets(input, encoding, unicode_options(call)).second;
       return give_both({strings::unicode_split(input, encoding, unicode_options(call)), offsets});
     },
     "The characters of each string, and where they begin."},
    {"strings.unicode_encode(input, output_encoding, errors='replace', replacement_char=65533, "
     "name=None)",
     [](const Call& call) {
       return give(strings::unicode_encode(ragged_arg(call, "input"), call.text("output_encoding"),
                                           unicode_options(call)));
     },
     "Strings of code points."},
    {"strings.ngrams(data, ngram_width, separator=' ', pad_values=None, padding_width=None, "
     "preserve_short_sequences=False, name=None)",
     [](const Call& call) {
       return give(
           strings::ngrams(ragged_arg(call, "data"), integers(call["ngram_width"]),
                           {.separator = call.text("separator"),
                            .pad_values = pad_values(call["pad_values"]),
                            .padding_width = call.optional_integer("padding_width").value_or(-1),
                            .preserve_short_sequences = call.flag("preserve_short_sequences"),
                            .name = call.name()}));
     },
     "Neighbours in each row, joined."},
};

}  // namespace

nb::object give(const RaggedTensor& ragged) {
  return package::ragged_tensor.get().attr("_of")(give_ragged(ragged));
}

void bind_ragged_functions() {
  add_functions(kRagged);
  add_functions(kRaggedStrings);
}

}  // namespace rill::python
