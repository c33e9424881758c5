#include "rill/ops/parsing/example_bytes.h"
#include "rill/ops/parsing/feature_testing.h"

namespace rill {
namespace {

struct ExampleAttrs {
  std::vector<Tensor> sparse_keys, dense_keys, defaults;
  std::vector<std::string> sparse_names, dense_names;
  std::vector<DType> sparse_types, dense_types;
  std::vector<PartialShape> shapes;
  ExampleAttrs(const std::vector<SparseSpec>& sparse, const std::vector<DenseSpec>& dense) {
    for (const SparseSpec& s : sparse) {
      sparse_keys.push_back(strings({}, {s.key}));
      sparse_names.emplace_back(s.key);
      sparse_types.push_back(s.type);
    }
    for (const DenseSpec& d : dense) {
      dense_keys.push_back(strings({}, {d.key}));
      dense_names.emplace_back(d.key);
      defaults.push_back(d.default_value);
      dense_types.push_back(d.default_value.dtype());
      shapes.push_back(d.shape);
    }
  }
};

OpCase parse_batch(std::initializer_list<std::string> examples,
                   const std::vector<SparseSpec>& sparse, const std::vector<DenseSpec>& dense,
                   const char* error = "", std::initializer_list<const char*> names = {}) {
  const ExampleAttrs a(sparse, dense);
  return {.op = "ParseExample",
          .in = {byte_tensor({static_cast<std::int64_t>(examples.size())}, examples),
                 strings({static_cast<std::int64_t>(names.size())}, names), list(a.sparse_keys),
                 list(a.dense_keys), list(a.defaults)},
          .attrs = {{"Nsparse", static_cast<int>(sparse.size())},
                    {"Ndense", static_cast<int>(dense.size())},
                    {"sparse_types", a.sparse_types},
                    {"Tdense", a.dense_types},
                    {"dense_shapes", a.shapes}},
          .error = error};
}

// The same of one example or several, with the keys as vectors.
OpCase parse_v2(const Tensor& serialized, const std::vector<SparseSpec>& sparse,
                const std::vector<DenseSpec>& dense, const char* error = "") {
  const ExampleAttrs a(sparse, dense);
  const auto all = [](const std::vector<std::string>& names) {
    return Tensor::of<std::string>({static_cast<std::int64_t>(names.size())}, names);
  };
  return {.op = "ParseExampleV2",
          .in = {serialized, strings({0}, {}), all(a.sparse_names), all(a.dense_names),
                 strings({0}, {}), list(a.defaults)},
          .attrs = {{"Tdense", a.dense_types},
                    {"num_sparse", static_cast<int>(sparse.size())},
                    {"sparse_types", a.sparse_types},
                    {"ragged_value_types", std::vector<DType>()},
                    {"ragged_split_types", std::vector<DType>()},
                    {"dense_shapes", a.shapes}},
          .error = error};
}

OpCase parse_single(const std::string& bytes, const std::vector<SparseSpec>& sparse,
                    const std::vector<DenseSpec>& dense, const char* error = "") {
  const ExampleAttrs a(sparse, dense);
  return {.op = "ParseSingleExample",
          .in = {byte_tensor({}, {bytes}), list(a.defaults)},
          .attrs = {{"num_sparse", static_cast<int>(sparse.size())},
                    {"sparse_keys", a.sparse_names},
                    {"dense_keys", a.dense_names},
                    {"sparse_types", a.sparse_types},
                    {"Tdense", a.dense_types},
                    {"dense_shapes", a.shapes}},
          .error = error};
}

const float kBig = 1e30F;

void add_examples(std::vector<OpCase>& rows) {
  const std::string full = example({{"f", floats({1.5F, -2, kBig, 0})},
                                    {"i", ints({1, -1, INT64_MAX, INT64_MIN, 300})},
                                    {"s", byte_strings({"", "ab", std::string("\0\xff", 2)})}});
  const std::string short_one =
      example({{"s", byte_strings({"a string that is longer than others"})}, {"f", floats({})}});
  const std::string none = example({});
  const std::vector<SparseSpec> all{{"f", DType::f32}, {"i", DType::i64}, {"s", DType::string}};
  rows.push_back(parse_batch({full, short_one, none, "", full}, all, {}));
  rows.push_back(parse_batch({}, all, {{"d", kNoFloat, {2, 3}}, {"e", scalar<float>(1), {-1, 2}}}));
  rows.push_back(parse_batch({full, full}, {}, {}));
  const std::vector<DenseSpec> dense{{"f", kNoFloat, {2, 2}},
                                     {"i", kNoInt, {5}},
                                     {"s", kNoString, {3, 1}},
                                     {"missing", strings({2}, {"x", "y"}), {2}},
                                     {"z", scalar<std::int64_t>(7), PartialShape::scalar()}};
  rows.push_back(parse_batch({full, full, full}, {}, dense));
  const std::vector<DenseSpec> variable{{"f", values(DType::f32, {1}, {9}), {-1, 2}},
                                        {"i", scalar<std::int64_t>(-5), {-1}},
                                        {"s", strings({}, {"pad"}), {-1, 1}}};
  rows.push_back(parse_batch({full, short_one, none}, {{"other", DType::i64}}, variable));
  rows.push_back(parse_batch({none, none}, {}, variable));
  rows.push_back(parse_batch({example({{"a", floats({})}})}, {}, {{"a", kNoFloat, {0}}}));
  rows.push_back(
      parse_v2(byte_tensor({3}, {full, short_one, none}), {{"other", DType::i64}}, variable));
  rows.push_back(parse_v2(byte_tensor({2}, {full, full}), {{"q", DType::i64}}, dense));
  rows.push_back(parse_v2(byte_tensor({2}, {full, short_one}), all, {}));
  rows.push_back(parse_v2(byte_tensor({}, {full}), all, {}));
  rows.push_back(parse_v2(byte_tensor({0}, {}), all, {{"d", kNoFloat, {2, 3}}}));
  rows.push_back(parse_v2(byte_tensor({}, {full}), {{"q", DType::f32}}, dense));
  rows.push_back(parse_v2(byte_tensor({1}, {none}), {}, {{"f", kNoFloat, {2}}}, "is required"));
  rows.push_back(parse_single(full, all, {}));
  rows.push_back(parse_single(none, all, {}));
  rows.push_back(parse_single(full, {{"q", DType::i64}}, dense));
  rows.push_back(parse_single(full, {}, variable));
  rows.push_back(parse_single(none, {}, variable));
  rows.push_back(parse_single("", {}, {}));
  // Of features with one key the last one counts; kinds of the others do not matter.
  const std::string twice = example({{"a", ints({1})}, {"b", ints({5})}, {"a", floats({2, 3})}}) +
                            example({{"b", ints({6})}});
  rows.push_back(parse_batch({twice}, {{"b", DType::i64}}, {{"a", kNoFloat, {2}}}));
  rows.push_back(parse_single(twice, {{"b", DType::i64}}, {{"a", kNoFloat, {2}}}));
  // A feature in which nothing is set is none; fields nobody knows are passed over.
  const std::string unset = "\x10\x05\x1d\x01\x02\x03\x04" + example({{"a", ""}});
  rows.push_back(parse_batch({unset}, {{"a", DType::i64}}, {}));
  rows.push_back(parse_batch({unset}, {}, {{"a", scalar<float>(3), PartialShape::scalar()}}));
  // Lists whose values stand alone.
  const std::string unpacked =
      example({{"i", std::string("\x1a\x05\x08\x01\x08\x80\x01", 7)},
               {"f", std::string("\x12\x0a\x0d\0\0\x80\x3f\x0d\0\0\0\x40", 12)}});
  rows.push_back(parse_batch({unpacked}, {{"i", DType::i64}}, {{"f", kNoFloat, {2}}}));
  rows.push_back(parse_single(unpacked, {{"f", DType::f32}}, {{"i", kNoInt, {2}}}));
  // What nobody asks for may be broken.
  rows.push_back(parse_batch({example({{"x", "\x1a\x7f"}})}, {{"i", DType::i64}}, {}));
}

void add_example_errors(std::vector<OpCase>& rows) {
  const std::string good = example({{"a", floats({1, 2})}}), bad = example({{"a", floats({1})}}),
                    wrong = example({{"a", ints({1, 2})}});
  const std::vector<DenseSpec> a{{"a", kNoFloat, {2}}};
  rows.push_back(
      parse_batch({good, bad}, {}, a,
                  "Name: <unknown>, Key: a, Index: 1.  Number of float values != expected.  "
                  "Values size: 1 but output shape: \\[2\\]"));
  rows.push_back(
      parse_batch({good, bad}, {}, a, "Name: n1, Key: a, Index: 1.  Number", {"n0", "n1"}));
  rows.push_back(
      parse_batch({example({})}, {}, a,
                  "Feature: a \\(data type: float\\) is required but could not be found"));
  rows.push_back(parse_batch({wrong}, {}, a,
                             "Data types don't match. Data type: int64 but expected type: float"));
  rows.push_back(parse_batch({wrong}, {{"a", DType::string}}, {},
                             "Data types don't match. Expected type: string, Actual type: int64"));
  rows.push_back(
      parse_batch({"hello world"}, {}, a, "Could not parse example input, value: 'hello world'"));
  rows.push_back(
      parse_batch({good}, {}, {{"a", values(DType::f32, {1}, {9}), {-1, 3}}},
                  "Number of float values is not a multiple of stride length. Saw 2 values "
                  "but output shape is: \\[\\?,3\\]"));
  rows.push_back(
      parse_batch({good}, {}, {{"a", kNoFloat, {-1, 2}}},
                  "dense_shape\\[0\\] is a variable length shape: \\[\\?,2\\], therefore "
                  "def_value\\[0\\] must contain a single element"));
  rows.push_back(parse_batch({good}, {}, {{"a", filled<float>({3}, 1), {2}}},
                             "def_value\\[0\\].shape\\(\\) == \\[3\\] is not compatible with "
                             "dense_shapes_\\[0\\] == \\[2\\]"));
  rows.push_back(parse_batch({good}, {}, {{"a", kNoFloat, {2, -1}}},
                             "dense_shapes\\[0\\] has unknown rank or unknown inner dimensions"));
  rows.push_back(
      parse_batch({good}, {}, a, "Expected names have the same shape as serialized", {"n", "m"}));
  const std::string kind = example({{"a", std::string("\x22\0", 2)}}),
                    cut = example({{"a", std::string("\x1a\x03\x0a\x01\x82", 5)}}),
                    list = example({{"a", "\x12\x02\x10\x01"}});
  rows.push_back(parse_batch({kind}, {}, a, "Unsupported datatype"));
  rows.push_back(parse_batch({list}, {}, a, "Can't parse serialized Example"));
  rows.push_back(parse_batch({cut}, {{"a", DType::i64}}, {}, "Can't parse serialized Example"));
  rows.push_back(parse_batch({"\x0a\x05\x0a\x03\x0a\x01"
                              "a"},
                             {}, a, "Could not parse example input"));

  rows.push_back(parse_single(bad, {}, a, "Key: a.  Can't parse serialized Example"));
  rows.push_back(parse_single(
      example({}), {}, a, "Feature: a \\(data type: float\\) is required but could not be found"));
  rows.push_back(
      parse_single(wrong, {}, a, "Key: a.  Data types don't match. Data type: int64 but expected"));
  rows.push_back(
      parse_single(wrong, {{"a", DType::string}}, {},
                   "Key: a.  Data types don't match. Expected type: string, Actual type"));
  rows.push_back(
      parse_single("hello world", {}, a, "Could not parse example input, value: 'hello world'"));
  rows.push_back(
      parse_single(list, {{"a", DType::f32}}, {}, "Key: a.  Can't parse serialized Example"));
  rows.push_back(parse_single(good, {}, {{"a", kNoFloat, {-1}}}, "must contain a single element"));
}

// Many examples of many features, as in training.
void add_large_examples(std::vector<OpCase>& rows) {
  OpCase row = parse_batch({}, {{"i", DType::i64}, {"s", DType::string}},
                           {{"f", kNoFloat, {3}}, {"v", scalar<std::int64_t>(0), {-1}}});
  Tensor examples(DType::string, {500});
  for (int k = 0; k < 500; ++k) {
    const auto x = static_cast<float>(k);
    examples.data<std::string>()[k] = example({{"f", floats({x, x + 1, x / 2})},
                                               {"i", k % 3 == 0 ? ints({k}) : ints({k, -k, 7})},
                                               {"s", byte_strings({std::to_string(k), "tail"})},
                                               {"v", k % 7 == 0 ? ints({1, 2, 3, 4}) : ints({})}});
  }
  row.in[0] = examples;
  rows.push_back(row);
}

}  // namespace

extern const OpCases kParseExampleCases{"parse_example", [] {
                                          std::vector<OpCase> rows;
                                          add_examples(rows);
                                          add_example_errors(rows);
                                          add_large_examples(rows);
                                          return rows;
                                        }};

}  // namespace rill
