#include "rill/ops/parsing/example_bytes.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

// "hello" six times over.
const std::string kZlib("\170\234\313\110\315\311\311\317\300\105\000\000\300\344\014\171", 16);
const std::string kGzip(
    "\037\213\010\000\000\000\000\000\002\003\313\110\315\311\311\317\300\105\000\000"
    "\322\101\054\102\036\000\000\000",
    28);
const std::string kZlibOfNothing("\170\234\003\000\000\000\000\001", 8);

void add_tensors(std::vector<OpCase>& rows) {
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean}) {
    rows.push_back({.op = "SerializeTensor", .in = {sequence(type, {2, 3})}});
    rows.push_back({.op = "SerializeTensor", .in = {filled(type, {}, 1)}});
  }
  rows.push_back({.op = "SerializeTensor", .in = {strings({2}, {"a", "bc"})}});
  rows.push_back({.op = "SerializeTensor", .in = {filled<float>({0, 2}, 1)}});
  const auto parse = [&](const std::string& bytes, DType type, const char* error = "") {
    rows.push_back({.op = "ParseTensor",
                    .in = {byte_tensor({}, {bytes})},
                    .attrs = {{"out_type", type}},
                    .error = error});
  };
  const std::string two_floats("\x08\x01\x12\x04\x12\x02\x08\x02\"\x08\0\0\x80?\0\0\0@", 18);
  parse(two_floats, DType::f32);
  parse(std::string("\x08\x03\x12\x04\x12\x02\x08\x03:\x01\x07", 11), DType::i32);
  parse(
      "\x08\x07\x12\x04\x12\x02\x08\x02"
      "B\x01"
      "aB\x02"
      "bc",
      DType::string);
  parse(two_floats, DType::i32,
        "Type mismatch between parsed tensor \\(float\\) and dtype \\(int32\\)");
  parse("hello world", DType::i32, "Could not parse `serialized` as TensorProto");
  parse("", DType::i32, "Cannot parse tensor from proto");
  parse(
      "\x08\x01\x12\x04\x12\x02\x08\x03\"\x03"
      "abc",
      DType::f32, "Cannot parse tensor from proto");
  rows.push_back({.op = "ParseTensor",
                  .in = {byte_tensor({1}, {two_floats})},
                  .attrs = {{"out_type", DType::f32}},
                  .error = "scalar"});
}

void add_json(std::vector<OpCase>& rows) {
  const auto add = [&](std::initializer_list<const char*> json, const char* error = "") {
    rows.push_back({.op = "DecodeJSONExample",
                    .in = {strings({static_cast<std::int64_t>(json.size())}, json)},
                    .error = error});
  };
  add({R"({"features":{"feature":{"a":{"floatList":{"value":[1,2.5]}}}}})", "{}"});
  add({R"({"features":{"feature":{"a":{"bytes_list":{"value":["YWI="]}}}}})"});
  add({R"({"features":{"feature":{"a":{"int64List":{"value":["1",-2]}}}}})"});
  add({});
  add({"{}", R"({"featuresx":1})"}, "Error while parsing JSON: .*Cannot find field");
  add({"not json"}, "Error while parsing JSON: Unexpected token");
  add({""}, "Error while parsing JSON: Unexpected end of string");
}

void add_compressed(std::vector<OpCase>& rows) {
  const auto add = [&](const char* type, std::initializer_list<std::string> bytes,
                       const char* error = "") {
    rows.push_back({.op = "DecodeCompressed",
                    .in = {byte_tensor({static_cast<std::int64_t>(bytes.size())}, bytes)},
                    .attrs = {{"compression_type", type}},
                    .error = error});
  };
  add("", {"abc", ""});
  add("ZLIB", {kZlib, kZlibOfNothing, "", kZlib + "more", kZlib + kZlib});
  add("GZIP", {kGzip, "", kGzip + kGzip});
  add("ZLIB", {});
  rows.push_back({.op = "DecodeCompressed",
                  .in = {byte_tensor({}, {kGzip})},
                  .attrs = {{"compression_type", "GZIP"}}});
  add("ZLIB", {kZlib, "hello world"}, "inflate\\(\\) failed with error -3: incorrect header check");
  add("ZLIB", {kZlib.substr(0, 15) + "x"},
      "inflate\\(\\) failed with error -3: incorrect data check");
  add("GZIP", {kZlib}, "incorrect header check");
  add("GZIP", {kGzip + "junk"}, "incorrect header check");
  add("SNAPPY", {kZlib}, "Only ZLIB, GZIP or NONE are supported compressions");
}

}  // namespace

extern const OpCases kSerializedCases{"serialized", [] {
                                        std::vector<OpCase> rows;
                                        add_tensors(rows);
                                        add_json(rows);
                                        add_compressed(rows);
                                        return rows;
                                      }};

}  // namespace rill
