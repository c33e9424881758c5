#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/io/record_reader.h"
#include "rill/io/record_writer.h"

namespace rill {
namespace {

using Records = std::vector<std::string>;

const Records& samples() {
  static const Records records{"hello", "", std::string(1000, 'x'), std::string(3'000'000, 'y'),
                               std::string("\0\1\2", 3)};
  return records;
}

void write_records(const std::string& path, const Records& records, Compression compression) {
  RecordWriter writer(path, {.compression = compression});
  for (const auto& record : records) writer.write(record);
  writer.close();
}

Records read_records(RecordReader& reader) {
  Records records;
  for (std::string record; reader.read(&record);) records.push_back(record);
  return records;
}

class Record : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(Packed, Record,
                         testing::Values(Compression::none, Compression::zlib, Compression::gzip));

TEST_P(Record, round_trip) {
  const ScratchDirectory scratch;
  write_records(scratch / "a", samples(), GetParam());
  for (const std::size_t buffer : {0, 1, 7, 1 << 20}) {
    RecordReader reader(
        scratch / "a",
        {.compression = GetParam(), .buffer_size = buffer, .zlib = {.buffer_size = buffer}});
    EXPECT_EQ(read_records(reader), samples()) << buffer;
    std::string record;
    EXPECT_FALSE(reader.read(&record));
    reader.seek(21);  // back to the second record
    EXPECT_EQ(read_records(reader).size(), samples().size() - 1);
  }
}

TEST_P(Record, flushed_records_can_be_read_before_the_file_is_closed) {
  const ScratchDirectory scratch;
  RecordWriter writer(scratch / "a", {.compression = GetParam()});
  RecordReader reader(scratch / "a", {.compression = GetParam()});
  std::string record;
  EXPECT_FALSE(reader.read(&record));
  for (const char* text : {"one", "two"}) {
    writer.write(text);
    writer.flush();
    ASSERT_TRUE(reader.read(&record));
    EXPECT_EQ(record, text);
    EXPECT_FALSE(reader.read(&record));
  }
}

TEST_P(Record, long_streams_can_be_flushed_anywhere) {
  const ScratchDirectory scratch;
  Records records;
  for (int i = 0; i < 3000; ++i) {
    records.push_back(str_cat("record ", i));
    for (int k = 0; k < 700; ++k) records.back().push_back(static_cast<char>(i * k % 251 % 37));
  }
  RecordWriter writer(scratch / "a", {.compression = GetParam()});
  for (std::size_t i = 0; i < records.size(); ++i) {
    writer.write(records[i]);
    if (i != 1900) continue;
    writer.flush();
    RecordReader reader(scratch / "a", {.compression = GetParam()});
    EXPECT_EQ(read_records(reader).size(), i + 1);
  }
  writer.close();
  RecordReader reader(scratch / "a", {.compression = GetParam()});
  EXPECT_EQ(read_records(reader), records);
  if (GetParam() != Compression::none) {
    EXPECT_LT(read_file(scratch / "a").size(), 1'000'000u);
  }
}

TEST_P(Record, a_truncated_file_can_be_read_once_it_is_complete) {
  const ScratchDirectory scratch;
  const Records records{"hello", "world"};
  write_records(scratch / "whole", records, GetParam());
  const std::string whole = read_file(scratch / "whole");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write_file(scratch / "part", whole.substr(0, size));
    RecordReader reader(scratch / "part", {.compression = GetParam()});
    std::string record;
    Records found;
    const std::string error = error_of([&] {
      while (reader.read(&record)) found.push_back(record);
    });
    EXPECT_LE(found.size(), 2u);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], records[i]);
    if (!error.empty()) {
      EXPECT_EQ(error, str_cat("DataLoss: truncated record at ", found.size() * 21, " in ",
                               scratch / "part"));
    } else if (GetParam() == Compression::none) {
      EXPECT_EQ(size % 21, 0u);
    }
  }
  if (GetParam() != Compression::none) return;
  const auto growing = file_system_of(scratch.path()).create(scratch / "g", WriteMode::truncate);
  growing->append(whole.substr(0, 30));
  growing->flush();
  RecordReader reader(scratch / "g");
  std::string record;
  EXPECT_TRUE(reader.read(&record));
  EXPECT_EQ(reader.offset(), 21u);
  EXPECT_NE(error_of([&] { reader.read(&record); }), "");
  growing->append(whole.substr(30));
  growing->flush();
  EXPECT_TRUE(reader.read(&record));
  EXPECT_EQ(record, "world");
}

TEST(Record, bytes_are_as_documented) {
  const ScratchDirectory scratch;
  write_records(scratch / "a", {"hello", ""}, Compression::none);
  EXPECT_EQ(read_file(scratch / "a"),
            std::string("\x05\0\0\0\0\0\0\0\xea\xb2\x04\x3ehello\xbb\x1f\x1c\x19"
                        "\0\0\0\0\0\0\0\0\x29\x03\x98\x07\xd8\xea\x82\xa2",
                        37));
}

TEST(Record, every_flipped_bit_is_noticed) {
  const ScratchDirectory scratch;
  write_records(scratch / "a", {"hello", "world"}, Compression::none);
  const std::string whole = read_file(scratch / "a");
  for (std::size_t i = 21; i < whole.size(); ++i) {
    std::string broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ 4);
    write_file("ram://record_test", broken);
    RecordReader reader("ram://record_test");
    EXPECT_TRUE(reader.skip());
    const char* at = i < 33 ? "21" : "33";
    EXPECT_EQ(error_of([&] { reader.skip(); }),
              str_cat("DataLoss: corrupted record at ", at, " in ram://record_test"));
    EXPECT_EQ(reader.offset(), 21u);
  }
}

TEST(Record, corrupt_compression_is_data_loss_with_the_file) {
  write_file("ram://record_test", "this is no gzip file");
  RecordReader reader("ram://record_test", {.compression = Compression::gzip});
  const std::string error = error_of([&] { reader.skip(); });
  EXPECT_TRUE(error.starts_with("DataLoss: inflate() failed with error -3: incorrect header check"))
      << error;
  EXPECT_NE(error.find("ram://record_test"), std::string::npos);
}

TEST(Record, a_closed_writer_says_so) {
  RecordWriter writer("ram://record_test");
  writer.close();
  writer.close();
  EXPECT_EQ(error_of([&] { writer.write("x"); }),
            "FailedPrecondition: Writer not initialized or previously closed");
}

TEST(Record, senseless_options_are_refused) {
  EXPECT_TRUE(error_of([] {
                RecordWriter("ram://record_test",
                             {.compression = Compression::zlib, .zlib = {.level = 77}});
              }).starts_with("InvalidArgument: zlib cannot pack with level 77"));
  EXPECT_EQ(compression_named("GZIP"), Compression::gzip);
  EXPECT_EQ(compression_named("LZ4"), Compression::none);
}

}  // namespace
}  // namespace rill
