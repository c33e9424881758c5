#include "rill/ops/parsing/example_bytes.h"
#include "rill/ops/parsing/feature_testing.h"

namespace rill {
namespace {

struct DenseList {
  const char* key;
  DType type;
  PartialShape shape;
};

// What is asked of a SequenceExample.
struct Wanted {
  std::vector<SparseSpec> context_sparse = {};
  std::vector<DenseSpec> context_dense = {};
  std::vector<SparseSpec> list_sparse = {};
  std::vector<DenseList> list_dense = {};
  std::vector<std::string> may_miss = {};
};

template <class Items>
std::vector<std::string> keys_of(const Items& items) {
  std::vector<std::string> keys;
  for (const auto& item : items) keys.emplace_back(item.key);
  return keys;
}
template <class Items>
std::vector<Tensor> key_tensors(const Items& items) {
  std::vector<Tensor> keys;
  for (const auto& item : items) keys.push_back(strings({}, {item.key}));
  return keys;
}
template <class Items>
std::vector<DType> types_of(const Items& items) {
  std::vector<DType> types;
  for (const auto& item : items) types.push_back(item.type);
  return types;
}
template <class Items>
std::vector<PartialShape> shapes_of(const Items& items) {
  std::vector<PartialShape> shapes;
  for (const auto& item : items) shapes.push_back(item.shape);
  return shapes;
}
std::vector<Tensor> defaults_of(const Wanted& wanted) {
  std::vector<Tensor> values;
  for (const DenseSpec& dense : wanted.context_dense) values.push_back(dense.default_value);
  return values;
}

AttrMap attrs_of(const Wanted& wanted) {
  std::vector<DType> dense_types;
  for (const DenseSpec& dense : wanted.context_dense)
    dense_types.push_back(dense.default_value.dtype());
  return {{"Ncontext_sparse", static_cast<int>(wanted.context_sparse.size())},
          {"Ncontext_dense", static_cast<int>(wanted.context_dense.size())},
          {"Nfeature_list_sparse", static_cast<int>(wanted.list_sparse.size())},
          {"Nfeature_list_dense", static_cast<int>(wanted.list_dense.size())},
          {"context_sparse_types", types_of(wanted.context_sparse)},
          {"Tcontext_dense", dense_types},
          {"feature_list_dense_types", types_of(wanted.list_dense)},
          {"context_dense_shapes", shapes_of(wanted.context_dense)},
          {"feature_list_sparse_types", types_of(wanted.list_sparse)},
          {"feature_list_dense_shapes", shapes_of(wanted.list_dense)}};
}

OpCase parse_sequence_batch(std::initializer_list<std::string> examples, const Wanted& wanted,
                            const char* error = "", std::initializer_list<const char*> names = {}) {
  AttrMap attrs = attrs_of(wanted);
  attrs["feature_list_dense_missing_assumed_empty"] = wanted.may_miss;
  attrs["context_sparse_keys"] = keys_of(wanted.context_sparse);
  attrs["context_dense_keys"] = keys_of(wanted.context_dense);
  attrs["feature_list_sparse_keys"] = keys_of(wanted.list_sparse);
  attrs["feature_list_dense_keys"] = keys_of(wanted.list_dense);
  return {
      .op = "ParseSequenceExample",
      .in = {byte_tensor({static_cast<std::int64_t>(examples.size())}, examples),
             strings({static_cast<std::int64_t>(names.size())}, names), list(defaults_of(wanted))},
      .attrs = std::move(attrs),
      .error = error};
}

OpCase parse_single_sequence(const std::string& bytes, const Wanted& wanted, const char* error = "",
                             const char* name = "") {
  const Tensor may_miss = Tensor::of<std::string>(
      {static_cast<std::int64_t>(wanted.may_miss.size())}, std::span(wanted.may_miss));
  return {
      .op = "ParseSingleSequenceExample",
      .in = {byte_tensor({}, {bytes}), may_miss, list(key_tensors(wanted.context_sparse)),
             list(key_tensors(wanted.context_dense)), list(key_tensors(wanted.list_sparse)),
             list(key_tensors(wanted.list_dense)), list(defaults_of(wanted)), strings({}, {name})},
      .attrs = attrs_of(wanted),
      .error = error};
}

// The same for both ops.
void add_sequence(std::vector<OpCase>& rows, const std::string& bytes, const Wanted& wanted,
                  const char* error = "") {
  rows.push_back(parse_sequence_batch({bytes}, wanted, error, {"nn"}));
  rows.push_back(parse_single_sequence(bytes, wanted, error, "nn"));
}

std::string first_example() {
  return sequence_example(
      {{"c", floats({1, 2})}, {"s", ints({5, -6})}},
      {{"d", feature_list({ints({1, 2}), ints({3, 4})})},
       {"t", feature_list({byte_strings({"a"}), byte_strings({}), "", byte_strings({"b", "c"})})},
       {"f", feature_list({floats({1.5F}), floats({2.5F}), floats({3.5F})})}});
}
std::string second_example() {
  return sequence_example({{"c", floats({3, 4})}},
                          {{"d", feature_list({ints({7, 8})})},
                           {"t", feature_list({byte_strings({"zz", "y", "x"})})},
                           {"f", feature_list({})},
                           {"u", feature_list({byte_strings({"only", "here"})})}});
}

Wanted everything() {
  return {.context_sparse = {{"s", DType::i64}, {"none", DType::f32}},
          .context_dense = {{"c", kNoFloat, {2}},
                            {"e", values(DType::f32, {1}, {7}), {1}},
                            {"g", strings({}, {"text"}), PartialShape::scalar()}},
          .list_sparse = {{"t", DType::string}, {"d", DType::i64}, {"none", DType::f32}},
          .list_dense = {{"f", DType::f32, {1}}, {"u", DType::string, {2}}},
          .may_miss = {"u", "unheard of"}};
}

void add_sequences(std::vector<OpCase>& rows) {
  rows.push_back(
      parse_sequence_batch({first_example(), second_example(), first_example()}, everything()));
  rows.push_back(parse_single_sequence(first_example(), everything()));
  rows.push_back(parse_single_sequence(second_example(), everything()));
  rows.push_back(parse_sequence_batch({second_example()}, everything(), "", {"a name"}));
  add_sequence(rows, first_example() + second_example(),
               {.context_dense = {{"c", kNoFloat, {2}}}, .list_dense = {{"d", DType::i64, {2}}}});
  const Wanted no_dense{.context_sparse = {{"s", DType::i64}}, .list_sparse = {{"d", DType::i64}}};
  add_sequence(rows, "", no_dense);
  rows.push_back(parse_sequence_batch({}, no_dense));
  add_sequence(rows, first_example(), {});
  add_sequence(rows, first_example(),
               {.list_dense = {{"gone", DType::f32, {2, 3}}}, .may_miss = {"gone"}});
}

void add_sequence_errors(std::vector<OpCase>& rows) {
  // Nothing is set in the feature, which is not the same as missing.
  add_sequence(
      rows, sequence_example({{"c", ""}}, {}),
      {.context_dense = {{"c", filled<float>({2}, 1), {2}}}},
      "(Context feature: c.  Data types don't match. Expected type: float  Feature is:|Unexpected "
      "number of elements in example nn)");
  const std::string bytes = first_example();
  add_sequence(
      rows, bytes, {.context_dense = {{"z", kNoFloat, {2}}}},
      "(Context feature 'z' is required but could not be found|Inconsistent max number of elements "
      "for feature z: expected 2, but found 0)");
  add_sequence(rows, bytes, {.context_dense = {{"c", kNoInt, {2}}}},
               "Name: nn, Context feature: c.  Data types don't match. Expected type: int64");
  add_sequence(
      rows, bytes, {.context_dense = {{"c", kNoFloat, {3}}}},
      "(Number of float values != expected.  values size: 2 but output shape: \\[3\\]|Inconsistent "
      "max number of elements for feature c: expected 3, but found 2)");
  add_sequence(rows, bytes, {.context_sparse = {{"s", DType::f32}}},
               "Name: nn, Context feature: s.  Data types don't match. Expected type: float");
  add_sequence(
      rows, bytes, {.list_dense = {{"z", DType::f32, {2}}}},
      "Name: nn, Feature list 'z' is required but could not be found.  Did you mean to include it "
      "in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults\\?");
  add_sequence(
      rows, bytes, {.list_dense = {{"d", DType::f32, {2}}}},
      "Name: nn, Feature list: d, Index: 0.  Data types don't match. Expected type: float");
  add_sequence(
      rows, bytes, {.list_dense = {{"d", DType::i64, {3}}}},
      "(Number of int64 values != expected.  values size: 2 but output shape: \\[3\\]|Feature list "
      "'d' has an unexpected number of values)");
  add_sequence(
      rows, bytes, {.list_sparse = {{"t", DType::i64}}},
      "Name: nn, Feature [lL]ist: t, Index: 0.  Data types don't match. Expected type: int64");
  add_sequence(rows, bytes, {.context_dense = {{"z", filled<float>({3}, 1), {2}}}},
               "_value\\[0\\].shape\\(\\) == \\[3\\] != context_dense_shapes");
  add_sequence(rows, bytes, {.context_dense = {{"c", kNoFloat, {-1}}}},
               "Shape \\[\\?\\] is not fully defined");
  add_sequence(rows, bytes, {.list_dense = {{"d", DType::i64, {-1}}}},
               "Shape \\[\\?\\] is not fully defined");
  add_sequence(
      rows, "hello world", everything(),
      "(Could not parse example input, value: 'hello world'|Invalid protocol message input, "
      "example "
      "id: nn)");
  add_sequence(rows, sequence_example({}, {{"d", feature_list({ints({1}), "", ints({2})})}}),
               {.list_dense = {{"d", DType::i64, {1}}}}, "d, Index: 1");
  rows.push_back(parse_sequence_batch(
      {bytes}, {}, "example_names must be empty or have the correct number", {"a", "b"}));
}

}  // namespace

extern const OpCases kParseSequenceCases{"parse_sequence", [] {
                                           std::vector<OpCase> rows;
                                           add_sequences(rows);
                                           add_sequence_errors(rows);
                                           return rows;
                                         }};

}  // namespace rill
