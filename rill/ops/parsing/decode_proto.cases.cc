#include "rill/ops/parsing/example_bytes.h"
#include "rill/ops/parsing/proto_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

// A message of kShapeType: { dim { size: 3 name: "x" } dim { size: -4 } unknown_rank: true }
const std::string kShapeBytes(
    "\x12\x05\x08\x03\x12\x01x\x12\x0b\x08\xfc\xff\xff\xff\xff\xff\xff\xff\xff\x01\x18\x01", 22);

struct Kind {
  const char* name;
  std::vector<DType> types;
};
const std::vector<Kind> kKinds{{"double", {DType::f64}},
                               {"float", {DType::f32, DType::f64}},
                               {"int64", {DType::i64}},
                               {"uint64", {DType::u64}},
                               {"int32", {DType::i32, DType::i64}},
                               {"fixed64", {DType::u64}},
                               {"fixed32", {DType::u32, DType::u64}},
                               {"bool", {DType::boolean}},
                               {"string", {DType::string}},
                               {"message", {DType::string}},
                               {"bytes", {DType::string}},
                               {"uint32", {DType::u32, DType::u64}},
                               {"enum", {DType::i32}},
                               {"sfixed32", {DType::i32, DType::i64}},
                               {"sfixed64", {DType::i64}},
                               {"sint32", {DType::i32, DType::i64}},
                               {"sint64", {DType::i64}}};

using Names = std::vector<std::string>;
using Types = std::vector<DType>;

OpCase decode(Tensor bytes, const char* type, Names names, Types types, AttrMap more = {},
              const char* error = "") {
  more["message_type"] = type;
  more["field_names"] = std::move(names);
  more["output_types"] = std::move(types);
  return {
      .op = "DecodeProtoV2", .in = {std::move(bytes)}, .attrs = std::move(more), .error = error};
}
AttrMap test_types() { return {{"descriptor_source", "bytes://" + kTestTypes}}; }
OpCase decode_test(std::initializer_list<std::string> messages, Names names, Types types,
                   const char* error = "") {
  return decode(byte_tensor({static_cast<std::int64_t>(messages.size())}, messages), "t.M",
                std::move(names), std::move(types), test_types(), error);
}

void add_decoded(std::vector<OpCase>& rows) {
  const Tensor shapes = byte_tensor({2}, {kShapeBytes, ""});
  rows.push_back(
      decode(shapes, kShapeType, {"unknown_rank", "dim"}, {DType::boolean, DType::string}));
  rows.push_back(decode(byte_tensor({}, {kShapeBytes}), kShapeType, {"dim"}, {DType::string}));
  rows.push_back(decode(byte_tensor({1, 2}, {"\x08\x03\x12\x01x", ""}),
                        "tensorflow.TensorShapeProto.Dim", {"size", "name"},
                        {DType::i64, DType::string}));
  rows.push_back(decode(shapes, kShapeType, {"dim", "dim"}, {DType::string, DType::string},
                        {{"descriptor_source", ""}}));
  rows.push_back(decode(shapes, kShapeType, {"dim"}, {DType::string}, {{"sanitize", true}}));
  rows.push_back(decode(shapes, kShapeType, {}, {}));
  rows.push_back(decode(byte_tensor({1}, {"dim { size: 3 name: \"q\" } unknown_rank: true"}),
                        kShapeType, {"dim", "unknown_rank"}, {DType::string, DType::boolean},
                        {{"message_format", "text"}}));
  for (const Kind& kind : kKinds)
    for (const DType type : kind.types)
      rows.push_back(decode_test(
          {kTestMessage, ""}, {str_cat("o_", kind.name), str_cat("r_", kind.name)}, {type, type}));
  rows.push_back(decode_test({"", kTestMessage}, {"d_int", "d_str", "p_int", "d_enum"},
                             {DType::i32, DType::string, DType::i32, DType::i32}));
  // One field several times, packed and not, and laid out in a way that is not declared.
  rows.push_back(decode_test({std::string("\x48\x01\x48\x02", 4)}, {"o_int32"}, {DType::i32}));
  rows.push_back(decode_test({"\x52\x02\x01\x02\x50\x03"}, {"r_int32"}, {DType::i32}));
  rows.push_back(decode_test({"\x08\x05"}, {"o_double"}, {DType::f64}));
}

void add_decoding_errors(std::vector<OpCase>& rows) {
  const Tensor bytes = byte_tensor({1}, {kShapeBytes}), bad = byte_tensor({1}, {"\xff\xff"});
  const Names dim{"dim"};
  const Types text{DType::string};
  rows.push_back(decode(bytes, kShapeType, {"unknown_rank"}, text, {},
                        "Unexpected output type for tensorflow.TensorShapeProto.unknown_rank: 7 to "
                        "7"));
  rows.push_back(decode(bytes, kShapeType, {"zz"}, text, {},
                        "Unknown field: zz in message type tensorflow.TensorShapeProto"));
  rows.push_back(decode(bytes, "tensorflow.Nope", dim, text, {},
                        "No descriptor found for message type tensorflow.Nope"));
  for (const char* source : {"/no/such/file", "bytes://junk"})
    rows.push_back(decode(bytes, kShapeType, dim, text, {{"descriptor_source", source}},
                          "Source does not represent serialized file descriptor set proto"));
  rows.push_back(
      decode(bad, kShapeType, dim, text, {}, "CountFields: Failed to consume entire buffer"));
  rows.push_back(
      decode(bad, kShapeType, dim, text, {{"sanitize", true}}, "Unable to parse binary protobuf"));
  rows.push_back(decode(byte_tensor({1}, {"dimx { size: 3 }"}), kShapeType, dim, text,
                        {{"message_format", "text"}}, "Unable to parse text protobuf"));
  rows.push_back(decode(bytes, kShapeType, dim, text, {{"message_format", "json"}},
                        "format must be one of binary or text"));
  rows.push_back(decode(byte_tensor({0}, {}), kShapeType, dim, text, {},
                        "Bufs argument must contain at least one value"));
  rows.push_back(decode(bytes, kShapeType, dim, {}, {}, "must have the same length"));
  rows.push_back(decode_test({std::string("\x48") + std::string(11, '\xff')}, {"o_int32"},
                             {DType::i32}, "Failed"));
}

}  // namespace

extern const OpCases kDecodeProtoCases{"decode_proto", [] {
                                         std::vector<OpCase> rows;
                                         add_decoded(rows);
                                         add_decoding_errors(rows);
                                         return rows;
                                       }};

}  // namespace rill
