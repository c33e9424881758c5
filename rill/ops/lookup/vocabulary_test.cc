#include "rill/ops/lookup/vocabulary.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "rill/base/error.h"

namespace rill {
namespace {

class VocabularyTest : public testing::Test {
 protected:
  // A vocabulary in a file that holds `text`.
  Vocabulary of(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return {.file = path_,
            .key_type = DType::string,
            .value_type = DType::i64,
            .key_index = kWholeLine,
            .value_index = kLineNumber,
            .lines = -1,
            .delimiter = '\t'};
  }
  void TearDown() override { std::remove(path_.c_str()); }

  static void expect_error(const Vocabulary& vocabulary, Code code, const std::string& part) {
    try {
      read_vocabulary(vocabulary);
      ADD_FAILURE() << "no error, expected " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_NE(error.message().find(part), std::string::npos) << error.what();
    }
  }

  const std::string path_ = testing::TempDir() + "vocabulary_test.txt";
};

template <class T>
std::vector<T> items(const Tensor& t) {
  return {t.flat<T>().begin(), t.flat<T>().end()};
}

TEST_F(VocabularyTest, lines_and_their_numbers) {
  const auto [keys, values] = read_vocabulary(of("a\nb\r\nc"));
  EXPECT_EQ(items<std::string>(keys), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(items<std::int64_t>(values), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST_F(VocabularyTest, columns_of_every_type) {
  Vocabulary v = of("a 7 x 1.5\nb -8 y 2\n");
  v.delimiter = ' ';
  v.key_index = 0;
  v.value_index = 3;
  v.value_type = DType::f32;
  EXPECT_EQ(items<float>(read_vocabulary(v).second), (std::vector<float>{1.5, 2}));
  v.value_type = DType::f64;
  EXPECT_EQ(items<double>(read_vocabulary(v).second), (std::vector<double>{1.5, 2}));
  v.value_index = 1;
  v.value_type = DType::i32;
  EXPECT_EQ(items<std::int32_t>(read_vocabulary(v).second), (std::vector<std::int32_t>{7, -8}));
  v.value_index = 2;
  v.value_type = DType::string;
  EXPECT_EQ(items<std::string>(read_vocabulary(v).second), (std::vector<std::string>{"x", "y"}));
}

TEST_F(VocabularyTest, only_so_many_lines) {
  Vocabulary v = of("a\nb\nc\n");
  v.lines = 2;
  EXPECT_EQ(read_vocabulary(v).first.element_count(), 2);
  v.lines = 5;
  expect_error(v, Code::kInvalidArgument, "expected 5 but got 3");
}

TEST_F(VocabularyTest, errors) {
  expect_error(of("a\n\nc\n"), Code::kInvalidArgument, "empty line found at position 3.");
  expect_error(of(""), Code::kOutOfRange, "Read no line");
  Vocabulary missing = of("a\n");
  missing.file += ".nowhere";
  expect_error(missing, Code::kNotFound, "No such file or directory");
  Vocabulary columns = of("a\t1\nb\n");
  columns.key_index = 0;
  columns.value_index = 1;
  expect_error(columns, Code::kInvalidArgument, "line 1 (b) : expected at least 2 got 1");
  Vocabulary number = of("a\tx\n");
  number.key_index = 0;
  number.value_index = 1;
  expect_error(number, Code::kInvalidArgument, "Field x in line 0 is not a valid int64.");
  Vocabulary lines = of("a\n");
  lines.value_type = DType::f32;
  expect_error(lines, Code::kInvalidArgument,
               "Value index for line number requires table value dtype of int64, got float");
}

}  // namespace
}  // namespace rill
