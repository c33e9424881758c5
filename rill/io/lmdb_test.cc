#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/lmdb_reader.h"

namespace rill {
namespace {

// Written by LMDB: keys "000" to "099" whose values are "value N " 4 * (N % 4) times, and "long".
const std::string kEntries = "tests/script/io/entries";

TEST(LmdbReader, entries_over_several_pages) {
  LmdbReader reader(kEntries);
  std::string key, value, wanted;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(reader.read(&key, &value)) << i;
    EXPECT_EQ(key, str_cat(i < 10 ? "00" : "0", i));
    wanted.clear();
    for (int k = 0; k < 4 * (i % 4); ++k) wanted += str_cat("value ", i, " ");
    EXPECT_EQ(value, wanted);
  }
  ASSERT_TRUE(reader.read(&key, &value));
  EXPECT_EQ(key, "long");
  EXPECT_EQ(value, std::string(5000, 'B'));  // has pages of its own
  EXPECT_FALSE(reader.read(&key, &value));
  EXPECT_FALSE(reader.read(&key, &value));
}

TEST(LmdbReader, none) {
  LmdbReader reader("tests/script/io/empty.mdb");
  std::string key, value;
  EXPECT_FALSE(reader.read(&key, &value));
}

// How many entries are read before an error, at most `limit`.
int entries_before_error(const std::string& bytes, int limit, Code* code) {
  int count = 0;
  *code = Code::kOk;
  write_file("ram://lmdb_test", bytes);
  try {
    LmdbReader reader("ram://lmdb_test");
    std::string key, value;
    while (count < limit && reader.read(&key, &value)) ++count;
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("ram://lmdb_test"), std::string::npos) << error.what();
    *code = error.code();
  }
  return count;
}

TEST(LmdbReader, broken_files_are_errors) {
  const std::string good = read_file(kEntries + "/data.mdb");
  Code code{};
  EXPECT_EQ(entries_before_error(good, 1000, &code), 101);
  EXPECT_EQ(code, Code::kOk);
  for (const std::size_t size : {0u, 100u, 4096u, 8192u, 12288u}) {
    entries_before_error(good.substr(0, size), 1000, &code);
    EXPECT_EQ(code, Code::kDataLoss) << size;
  }
  entries_before_error(std::string(20000, 'x'), 1000, &code);
  EXPECT_EQ(code, Code::kDataLoss);
  // Whatever byte is wrong, it comes to an end.
  for (std::size_t at = 0; at < good.size(); at += at % 4096 < 256 ? 1 : 97)
    for (const char wrong : {'\0', '\1', '\7', '\xff'}) {
      std::string bad = good;
      bad[at] = wrong;
      EXPECT_LE(entries_before_error(bad, 5000, &code), 5000);
      EXPECT_TRUE(code == Code::kOk || code == Code::kDataLoss || code == Code::kUnimplemented);
    }
}

}  // namespace
}  // namespace rill
