// tf.strings, and functions of tf.io on strings.
#include "array_functions.h"
#include "errors.h"
#include "inputs.h"
#include "ragged_tensors.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/parsing.h"
#include "rill/api/gen/quantize.h"
#include "rill/api/gen/string.h"
#include "rill/api/strings/ragged_strings.h"
#include "rill/api/strings/strings.h"
#include "sparse_tensors.h"
#include "truth.h"

namespace rill::python {
namespace {

// The words as a sparse matrix, or as ragged rows.
nb::object give_words(const SparseTensor& words, const std::string& result_type) {
  if (result_type == "SparseTensor") return give(words);
  if (result_type != "RaggedTensor")
    value_error("result_type must be 'RaggedTensor' or 'SparseTensor'.");
  return give(ragged::from_sparse(words));
}

std::int64_t bucket_count(const Call& call) {
  if (!call.has("num_buckets")) value_error("num_buckets must not be None");
  return call.integer("num_buckets");
}

const Function kStrings[] = {
    {"strings.reduce_join(inputs, axis=None, keep_dims=None, separator='', name=None, "
     "reduction_indices=None, keepdims=None)",
     [](const Call& call) {
       const nb::handle axis = either(call, "axis", "reduction_indices");
       const nb::handle keep = either(call, "keepdims", "keep_dims");
       OptionalInput axes;
       if (!axis.is_none()) axes = input_from(axis, "reduction_indices");
       return give(
           strings::reduce_join(text_input(call, "inputs"), {.axis = axes,
                                                             .keepdims = truth_of(keep),
                                                             .separator = call.text("separator"),
                                                             .name = call.name()}));
     },
     "Strings along dimensions, joined."},
    {"strings.join(inputs, separator='', name=None)",
     [](const Call& call) {
       return give(raw::StringJoin(call.inputs("inputs", DType::string),
                                   {.separator = call.text("separator"), .name = call.name()}));
     },
     "Strings joined element by element."},
    {"strings.length(input, name=None, unit='BYTE')",
     [](const Call& call) {
       return give(raw::StringLength(text_input(call, "input"),
                                     {.unit = call.text("unit"), .name = call.name()}));
     },
     "The lengths of strings."},
    {"strings.substr(input, pos, len, name=None, unit='BYTE')",
     [](const Call& call) {
       return give(raw::Substr(text_input(call, "input"), call.input("pos"), call.input("len"),
                               {.unit = call.text("unit"), .name = call.name()}));
     },
     "Parts of strings."},
    {"substr(input, pos, len, name=None, unit='BYTE')",
     [](const Call& call) {
       return give(raw::Substr(text_input(call, "input"), call.input("pos"), call.input("len"),
                               {.unit = call.text("unit"), .name = call.name()}));
     },
     "Parts of strings."},
    {"strings.regex_full_match(input, pattern, name=None)",
     [](const Call& call) {
       return give(strings::regex_full_match(text_input(call, "input"), text_input(call, "pattern"),
                                             {.name = call.name()}));
     },
     "Whether a regular expression matches whole strings."},
    {"strings.regex_replace(input, pattern, rewrite, replace_global=True, name=None)",
     [](const Call& call) {
       return give(strings::regex_replace(
           text_input(call, "input"), text_input(call, "pattern"), text_input(call, "rewrite"),
           {.replace_global = call.flag("replace_global"), .name = call.name()}));
     },
     "Strings with what a regular expression matches replaced."},
    {"strings.format(template, inputs, placeholder='{}', summarize=3, name=None)",
     [](const Call& call) {
       return give(strings::format(call.text("template"), same_typed(call["inputs"], "inputs"),
                                   {.placeholder = call.text("placeholder"),
                                    .summarize = call.integer("summarize"),
                                    .name = call.name()}));
     },
     "A text with tensors in place of its placeholders."},
    {"strings.to_number(string_tensor=None, out_type=tf.float32, name=None, input=None)",
     [](const Call& call) {
       const Input text = input_from(either(call, "input", "string_tensor"), "string_tensor");
       return give(
           raw::StringToNumber(text, {.out_type = call.dtype("out_type"), .name = call.name()}));
     },
     "The numbers that strings spell."},
    {"strings.to_hash_bucket(string_tensor=None, num_buckets=None, name=None, input=None)",
     [](const Call& call) {
       const Input text = input_from(either(call, "input", "string_tensor"), "string_tensor");
       return give(raw::StringToHashBucket(text, bucket_count(call), {.name = call.name()}));
     },
     "Hashes of strings."},
    {"string_split(source, sep=None, skip_empty=True, delimiter=None, "
     "result_type='SparseTensor', name=None)",
     [](const Call& call) {
       const nb::handle sep = either(call, "sep", "delimiter");
       strings::StringSplitOptions options;
       if (!sep.is_none()) options.sep = input_from(sep, "sep", DType::string);
       options.skip_empty = call.flag("skip_empty");
       options.name = call.name();
       return give_words(strings::string_split(text_input(call, "source"), options),
                         call.text("result_type"));
     },
     "The parts of strings between separators."},
    {"strings.split(input=None, sep=None, maxsplit=-1, result_type='SparseTensor', source=None, "
     "name=None)",
     [](const Call& call) {
       const nb::handle source = either(call, "input", "source");
       const auto sep = call.optional_input("sep", DType::string);
       const std::int64_t maxsplit = call.integer("maxsplit");
       if (call.text("result_type") == "RaggedTensor" || is_ragged(source)) {
         ragged::RaggedOrDense rows = ragged_or_dense(source, DType::string);
         Output* const plain = std::get_if<Output>(&rows);
         if (plain != nullptr && plain->shape().rank() == 0) *plain = expand_dims(*plain, 0);
         const ragged::RaggedOrDense words =
             strings::ragged_split(rows, {.sep = sep, .maxsplit = maxsplit, .name = call.name()});
         if (call.text("result_type") == "RaggedTensor") return give(words);
         return give(ragged::to_sparse(std::get<RaggedTensor>(words)));
       }
       return give_words(strings::split(input_from(source, "input", DType::string),
                                        {.sep = sep, .maxsplit = maxsplit, .name = call.name()}),
                         call.text("result_type"));
     },
     "The words of strings."},
    {"strings.unsorted_segment_join(inputs, segment_ids, num_segments, separator='', name=None)",
     [](const Call& call) {
       return give(raw::UnsortedSegmentJoin(
           text_input(call, "inputs"), call.input("segment_ids"), call.input("num_segments"),
           {.separator = call.text("separator"), .name = call.name()}));
     },
     "The strings of each segment, joined."},
};

const Function kStringParsing[] = {
    {"decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None)",
     [](const Call& call) {
       const nb::handle bytes = either(call, "input_bytes", "bytes");
       if (!call.has("out_type"))
         value_error("decode_raw_v1() missing 1 positional argument: 'out_type'");
       return give(
           raw::DecodeRaw(input_from(bytes, "bytes", DType::string), call.dtype("out_type"),
                          {.little_endian = call.flag("little_endian"), .name = call.name()}));
     },
     "The bytes of strings as numbers."},
    {"io.decode_csv(records, record_defaults, field_delim=',', use_quote_delim=True, name=None, "
     "na_value='', select_cols=None)",
     [](const Call& call) {
       const std::vector<std::int64_t> columns = integers(call["select_cols"]);
       for (std::size_t i = 1; i < columns.size(); ++i)
         if (columns[i - 1] >= columns[i]) value_error("select_cols is not strictly increasing.");
       if (!columns.empty() && columns[0] < 0) value_error("select_cols contains negative values.");
       const std::vector<Input> defaults = call.inputs("record_defaults");
       if (!columns.empty() && columns.size() != defaults.size())
         value_error("Length of select_cols and record_defaults do not match.");
       return give(raw::DecodeCSV(text_input(call, "records"), defaults,
                                  {.field_delim = call.text("field_delim"),
                                   .use_quote_delim = call.flag("use_quote_delim"),
                                   .na_value = call.text("na_value"),
                                   .select_cols = columns,
                                   .name = call.name()}));
     },
     "The columns of lines of comma-separated values."},
    {"io.decode_json_example(json_examples, name=None)",
     [](const Call& call) {
       return give(
           raw::DecodeJSONExample(text_input(call, "json_examples"), {.name = call.name()}));
     },
     "Examples in JSON as serialised examples."},
    {"io.serialize_tensor(tensor, name=None)",
     [](const Call& call) {
       return give(raw::SerializeTensor(call.input("tensor"), {.name = call.name()}));
     },
     "A tensor as a string."},
};

}  // namespace

void bind_string_functions() {
  add_functions(kStrings);
  add_functions(kStringParsing);
}

}  // namespace rill::python
