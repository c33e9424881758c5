#include "rill/ops/parsing/example_bytes.h"
#include "rill/ops/parsing/proto_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor sizes(Shape shape, std::initializer_list<double> numbers) {
  return values(DType::i32, std::move(shape), numbers);
}

OpCase encode(Tensor counts, std::vector<Tensor> fields, std::vector<std::string> names,
              const char* type = kShapeType, const char* error = "") {
  return {.op = "EncodeProto",
          .in = {std::move(counts), list(std::move(fields))},
          .attrs = {{"field_names", std::move(names)}, {"message_type", type}},
          .error = error};
}

OpCase encode_test(Tensor counts, std::vector<Tensor> fields, std::vector<std::string> names) {
  OpCase row = encode(std::move(counts), std::move(fields), std::move(names), "t.M");
  row.attrs["descriptor_source"] = "bytes://" + kTestTypes;
  return row;
}

void add_encoded(std::vector<OpCase>& rows) {
  const Tensor yes = tensor<bool>({1, 1}, {true}), dims = byte_tensor({1, 2}, {"\x08\x03", ""});
  rows.push_back(encode(sizes({1, 2}, {1, 2}), {yes, dims}, {"unknown_rank", "dim"}));
  rows.push_back(encode(sizes({1, 2}, {2, 1}), {dims, yes}, {"dim", "unknown_rank"}));
  rows.push_back(encode(sizes({1, 1}, {-1}), {yes}, {"unknown_rank"}));
  rows.push_back(encode(sizes({0, 1}, {}), {Tensor(DType::boolean, {0, 1})}, {"unknown_rank"}));
  rows.push_back(
      encode(sizes({1, 2, 1}, {1, 0}), {tensor<bool>({1, 2, 1}, {true, false})}, {"unknown_rank"}));
  struct Kind {
    const char* name;
    std::vector<DType> types;
  };
  for (const Kind& kind : std::vector<Kind>{{"double", {DType::f64}},
                                            {"float", {DType::f32, DType::f64}},
                                            {"int64", {DType::i64}},
                                            {"int32", {DType::i32, DType::i64}},
                                            {"enum", {DType::i32}},
                                            {"sfixed32", {DType::i32, DType::i64}},
                                            {"sfixed64", {DType::i64}},
                                            {"sint32", {DType::i32, DType::i64}},
                                            {"sint64", {DType::i64}}})
    for (const DType type : kind.types)
      rows.push_back(
          encode_test(sizes({2, 2}, {1, 2, 0, 1}),
                      {values(type, {2, 1}, {-7, 0}), values(type, {2, 2}, {1, -2, 300, 0})},
                      {str_cat("o_", kind.name), str_cat("r_", kind.name)}));
  for (const Kind& kind : std::vector<Kind>{{"uint64", {DType::u64}},
                                            {"uint32", {DType::u32, DType::u64}},
                                            {"fixed64", {DType::u64}},
                                            {"fixed32", {DType::u32, DType::u64}},
                                            {"bool", {DType::boolean}}})
    for (const DType type : kind.types)
      rows.push_back(encode_test(sizes({1, 1}, {2}), {values(type, {1, 2}, {1, 4000000000.0})},
                                 {str_cat("r_", kind.name)}));
  for (const char* name : {"r_string", "r_bytes", "r_message"})
    rows.push_back(
        encode_test(sizes({1, 1}, {2}), {byte_tensor({1, 2}, {"", "\x48\x03"})}, {name}));
  for (const DType type : {DType::i32, DType::i64})
    rows.push_back(encode_test(sizes({2, 1}, {3, 0}), {values(type, {2, 3}, {1, -2, 300, 0, 0, 0})},
                               {"p_int"}));
  rows.push_back(
      encode_test(sizes({1, 1}, {1}), {values(DType::i64, {1, 1}, {1LL << 40})}, {"o_int32"}));
}

void add_encoding_errors(std::vector<OpCase>& rows) {
  const Tensor yes = tensor<bool>({1, 1}, {true});
  rows.push_back(encode(sizes({1, 1}, {3}), {byte_tensor({1, 2}, {"", ""})}, {"dim"}, kShapeType,
                        "Size to write must not be larger than value tensor; but saw: 3 > 2 at "
                        "message 0 field 0"));
  rows.push_back(
      encode(sizes({2, 1}, {1, 1}), {yes}, {"unknown_rank"}, kShapeType,
             "sizes should be batch_size \\+ \\[len\\(field_names\\)\\].  Saw: \\[2,1\\] "
             "but expected: \\[1,1\\]"));
  rows.push_back(encode(sizes({1, 2}, {1, 1}), {yes}, {"unknown_rank"}, kShapeType,
                        "Saw: \\[1,2\\] but expected: \\[1,1\\]"));
  rows.push_back(encode(sizes({1}, {1}), {tensor<bool>({1}, {true})}, {"unknown_rank"}, kShapeType,
                        "at least rank 2 but is rank 1"));
  rows.push_back(encode(sizes({1, 1}, {1}), {yes}, {"zz"}, kShapeType,
                        "Unknown field: zz in message type tensorflow.TensorShapeProto"));
  rows.push_back(
      encode(sizes({1, 1}, {1}), {filled<float>({1, 1}, 1)}, {"unknown_rank"}, kShapeType,
             "Incompatible type for field unknown_rank.  Saw dtype: float but field type "
             "is: bool"));
  rows.push_back(encode(sizes({1, 1}, {1}), {yes}, {"unknown_rank"}, "tensorflow.Nope",
                        "No descriptor found for message type tensorflow.Nope"));
  rows.push_back(encode(sizes({1, 1}, {1}), {yes}, {"unknown_rank", "dim"}, kShapeType,
                        "Length of inputs list must match field_names"));
  rows.push_back(encode(sizes({1, 2}, {1, 1}), {yes, byte_tensor({2, 1}, {"", ""})},
                        {"unknown_rank", "dim"}, kShapeType, "must be equal, but are 1 and 2"));
}

}  // namespace

extern const OpCases kEncodeProtoCases{"encode_proto", [] {
                                         std::vector<OpCase> rows;
                                         add_encoded(rows);
                                         add_encoding_errors(rows);
                                         return rows;
                                       }};

}  // namespace rill
