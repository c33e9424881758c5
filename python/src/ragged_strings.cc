// Functions of tf.strings whose results are ragged.
#include "rill/api/strings/ragged_strings.h"
#include "array_functions.h"
#include "errors.h"
#include "plain_values.h"
#include "ragged_tensors.h"

namespace rill::python {
namespace {

using ragged::RaggedOrDense;

RaggedOrDense text_rows(const Call& call, const char* name) {
  return ragged_or_dense(call[name], DType::string);
}

strings::UnicodeOptions unicode_options(const Call& call, bool has_control = false) {
  return {.errors = call.text("errors"),
          .replacement_char = call.integer("replacement_char"),
          .replace_control_characters = has_control && call.flag("replace_control_characters"),
          .name = call.name()};
}

nb::object give_both(const std::pair<RaggedOrDense, RaggedOrDense>& both) {
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
       return give(strings::bytes_split(text_rows(call, "input"), {.name = call.name()}));
     },
     "The bytes of each string."},
    {"strings.unicode_decode(input, input_encoding, errors='replace', replacement_char=65533, "
     "replace_control_characters=False, name=None)",
     [](const Call& call) {
       return give(strings::unicode_decode(text_rows(call, "input"), call.text("input_encoding"),
                                           unicode_options(call, true)));
     },
     "The code points of each string."},
    {"strings.unicode_decode_with_offsets(input, input_encoding, errors='replace', "
     "replacement_char=65533, replace_control_characters=False, name=None)",
     [](const Call& call) {
       return give_both(strings::unicode_decode_with_offsets(
           text_rows(call, "input"), call.text("input_encoding"), unicode_options(call, true)));
     },
     "The code points of each string, and where they begin."},
    {"strings.unicode_split(input, input_encoding, errors='replace', replacement_char=65533, "
     "name=None)",
     [](const Call& call) {
       return give(strings::unicode_split(text_rows(call, "input"), call.text("input_encoding"),
                                          unicode_options(call)));
     },
     "The characters of each string."},
    {"strings.unicode_split_with_offsets(input, input_encoding, errors='replace', "
     "replacement_char=65533, name=None)",
     [](const Call& call) {
       const RaggedOrDense input = text_rows(call, "input");
       const std::string encoding = call.text("input_encoding");
       const auto offsets =
           strings::unicode_decode_with_offsets(input, encoding, unicode_options(call)).second;
       return give_both({strings::unicode_split(input, encoding, unicode_options(call)), offsets});
     },
     "The characters of each string, and where they begin."},
    {"strings.unicode_encode(input, output_encoding, errors='replace', replacement_char=65533, "
     "name=None)",
     [](const Call& call) {
       return give(strings::unicode_encode(ragged_or_dense(call["input"]),
                                           call.text("output_encoding"), unicode_options(call)));
     },
     "Strings of code points."},
    {"strings.ngrams(data, ngram_width, separator=' ', pad_values=None, padding_width=None, "
     "preserve_short_sequences=False, name=None)",
     [](const Call& call) {
       return give(
           strings::ngrams(text_rows(call, "data"), integers(call["ngram_width"]),
                           {.separator = call.text("separator"),
                            .pad_values = pad_values(call["pad_values"]),
                            .padding_width = call.optional_integer("padding_width").value_or(-1),
                            .preserve_short_sequences = call.flag("preserve_short_sequences"),
                            .name = call.name()}));
     },
     "Neighbours in each row, joined."},
};

}  // namespace

void bind_ragged_strings() { add_functions(kRaggedStrings); }

}  // namespace rill::python
