#include <gtest/gtest.h>

#include <map>

#include "rill/base/file_testing.h"
#include "rill/io/table_reader.h"
#include "rill/io/table_testing.h"

namespace rill {
namespace {

using Entries = std::map<std::string, std::string>;
constexpr const char* kTablePath = "ram://table_test";

TableReader open_table() { return TableReader(ram_files().open(kTablePath)); }

Entries read_table() {
  Entries entries;
  TableReader reader = open_table();
  for (reader.first(); reader.valid(); reader.next())
    EXPECT_TRUE(entries.emplace(reader.key(), reader.value()).second);
  return entries;
}

Entries numbered(int count) {
  Entries entries{{"", "the empty key"}};
  for (int i = 0; i < count; ++i)
    entries[str_cat("layer_", i % 7, "/weights_", i)] =
        std::string(static_cast<std::size_t>(i % 90), 'v');
  return entries;
}

class Table : public testing::TestWithParam<BlockCompression> {};
INSTANTIATE_TEST_SUITE_P(Packed, Table,
                         testing::Values(BlockCompression::none, BlockCompression::snappy));

TEST_P(Table, what_is_written_is_read_in_order_and_by_key) {
  for (const int count : {0, 1, 15, 16, 17, 1000}) {
    for (const std::size_t block_size : {std::size_t{1}, std::size_t{300}, kBlockSize}) {
      const Entries entries = numbered(count);
      write_table(kTablePath, entries, {GetParam(), block_size});
      EXPECT_EQ(read_table(), entries);
      TableReader reader = open_table();
      for (const auto& [key, value] : entries) {
        ASSERT_TRUE(reader.find(key)) << key;
        EXPECT_EQ(reader.value(), value);
        EXPECT_FALSE(reader.find(key + "!"));
        const auto after = entries.upper_bound(key);
        EXPECT_EQ(reader.valid(), after != entries.end());
        if (reader.valid()) {
          EXPECT_EQ(reader.key(), after->first);
        }
      }
    }
  }
}

TEST(Table, large_entries_get_blocks_of_their_own) {
  const Entries entries{{"a", "1"}, {"b", std::string(3 * kBlockSize, 'x')}, {"c", "3"}};
  write_table(kTablePath, entries);
  EXPECT_EQ(read_table(), entries);
}

TEST(Table, an_empty_table_has_no_entries) {
  write_table(kTablePath, {});
  EXPECT_TRUE(read_table().empty());
  TableReader reader = open_table();
  EXPECT_FALSE(reader.find("x"));
}

TEST(Table, keys_must_ascend) {
  const auto file = ram_files().create(kTablePath, WriteMode::truncate);
  TableWriter writer(*file);
  writer.add("b", "");
  EXPECT_TRUE(
      error_of([&] { writer.add("a", ""); }).starts_with("InvalidArgument: keys of a table"));
  EXPECT_TRUE(
      error_of([&] { writer.add("b", ""); }).starts_with("InvalidArgument: keys of a table"));
}

TEST(Table, whatever_is_broken_is_data_loss_with_the_file) {
  const Entries entries = numbered(40);
  write_table(kTablePath, entries, {BlockCompression::snappy, 300});
  const std::string whole = read_file(kTablePath);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char mask : {'\x01', '\x80'}) {
      std::string broken = whole;
      broken[i] = static_cast<char>(broken[i] ^ mask);
      write_file(kTablePath, broken);
      Entries found;
      const std::string error = error_of([&] { found = read_table(); });
      if (error.empty()) {  // the metaindex and the padding of the footer are not looked at
        EXPECT_EQ(found, entries) << i;
      } else {
        EXPECT_TRUE(error.starts_with("DataLoss: ")) << error;
        EXPECT_NE(error.find(kTablePath), std::string::npos) << error;
      }
    }
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(kTablePath, whole.substr(0, size));
    EXPECT_TRUE(error_of([&] { read_table(); }).starts_with("DataLoss: ")) << size;
  }
}

}  // namespace
}  // namespace rill
