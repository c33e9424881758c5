#include "rill/io/safetensors.h"

#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/json.h"

namespace rill {
namespace {

const std::string kSafetensorsPath = "ram://safetensors_test";

std::string with_length(std::string header, const std::string& data = {}) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i));
  return bytes + header + data;
}

TEST(Safetensors, round_trip) {
  const Tensor a = Tensor::of<float>({2, 2}, {1, 2, 3, 4}), b = Tensor::scalar(true),
               c = Tensor::vector<std::int64_t>({-1, 5});
  SafetensorsWriter writer(
      kSafetensorsPath,
      {{"a", {a.dtype(), a.shape()}}, {"b", {b.dtype(), b.shape()}}, {"c", {c.dtype(), c.shape()}}},
      {{"made by", "\"me\"\n"}});
  EXPECT_EQ(writer.order(), (std::vector<std::string>{"c", "a", "b"}));  // the widest first
  writer.add(c);
  EXPECT_THROW(writer.add(c), Error);  // not what comes next
  writer.add(a);
  EXPECT_THROW(writer.finish(), Error);
  writer.add(b);
  EXPECT_FALSE(file_exists(kSafetensorsPath));
  writer.finish();
  const SafetensorsReader reader(kSafetensorsPath);
  EXPECT_TRUE(identical(reader.read("a"), a));
  EXPECT_TRUE(identical(reader.read("b"), b));
  EXPECT_TRUE(identical(reader.read("c"), c));
  EXPECT_EQ(reader.metadata().at("made by"), "\"me\"\n");
  EXPECT_THROW(reader.read("d"), Error);
  remove_tree(kSafetensorsPath);
}

TEST(Safetensors, unfinished_files_go_away) {
  { const SafetensorsWriter writer(kSafetensorsPath, {{"a", {DType::f32, {3}}}}); }
  EXPECT_FALSE(file_exists(kSafetensorsPath));
  EXPECT_THROW(SafetensorsWriter(kSafetensorsPath, {{"s", {DType::string, {}}}}), Error);
  EXPECT_THROW(SafetensorsWriter(kSafetensorsPath, {{"__metadata__", {DType::f32, {}}}}), Error);
}

TEST(Safetensors, broken_files_are_errors) {
  const std::string entry = R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]})";
  write_file(kSafetensorsPath, with_length("{" + entry + "}", "ab"));
  EXPECT_EQ(SafetensorsReader(kSafetensorsPath).read("a").element_count(), 2);
  for (const std::string& bytes :
       {std::string("abc"), with_length("{" + entry + "}", "a"),
        with_length("{" + entry + "}", "abc"), with_length("[]"), with_length("{"),
        with_length("{\"a\":{}}"),
        with_length(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,2]}})", "ab"),
        with_length(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[2,0]}})", "ab"),
        with_length(R"({"a":{"dtype":"U8","shape":[-2],"data_offsets":[0,2]}})", "ab"),
        with_length(R"({"a":{"dtype":"no","shape":[2],"data_offsets":[0,2]}})", "ab")}) {
    write_file(kSafetensorsPath, bytes);
    EXPECT_THROW(SafetensorsReader{kSafetensorsPath}, Error) << bytes;
  }
  remove_tree(kSafetensorsPath);
}

TEST(Json, parse) {
  const Json json =
      parse_json(" {\"a\": [1, -2.5e3, true, null], \"b\\u00e9\\n\": {\"c\": \"\"}} ");
  ASSERT_NE(json.find("a"), nullptr);
  long long one = 0;
  EXPECT_TRUE(json.find("a")->items[0].is_count(&one));
  EXPECT_EQ(one, 1);
  EXPECT_FALSE(json.find("a")->items[1].is_count(&one));
  EXPECT_TRUE(json.find("a")->items[2].boolean);
  EXPECT_EQ(json.members[1].first, "b\u00e9\n");
  for (const char* text : {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "tru", "\"\\x\"", "\"\\ud800\"",
                           "1 2", "\"\n\"", "nan", "[1"})
    EXPECT_THROW(parse_json(text), Error) << text;
  EXPECT_EQ(parse_json(json_quoted("\"\\\x01\n\u00e9")).text, "\"\\\x01\n\u00e9");
}

}  // namespace
}  // namespace rill
