// Reads what TensorFlow wrote (tools/io_goldens.py).
#include <gtest/gtest.h>

#include "rill/base/files.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/event_reader.h"
#include "rill/io/record_reader.h"
#include "rill/io/record_writer.h"
#include "rill/io/sample_values.h"
#include "rill/tensor/list_value.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

std::string golden(std::string_view name) { return join_path("tests/golden/io", name); }

TEST(GoldenFiles, records) {
  const std::pair<const char*, Compression> kFiles[] = {{"records", Compression::none},
                                                        {"records.zlib", Compression::zlib},
                                                        {"records.gzip", Compression::gzip}};
  for (const auto& [name, compression] : kFiles) {
    RecordReader reader(golden(name), {.compression = compression});
    for (const std::string& expected : sample_records()) {
      std::string record;
      ASSERT_TRUE(reader.read(&record)) << name;
      EXPECT_EQ(record, expected) << name;
    }
    EXPECT_FALSE(reader.skip()) << name;
  }
}

TEST(GoldenFiles, checkpoint) {
  const auto reader = CheckpointReader::open(golden("model"));
  const auto samples = sample_tensors();
  EXPECT_EQ(reader->tensors().size(), samples.size() + 2);  // and "rows", "list"
  for (const auto& [name, tensor] : samples)
    EXPECT_TRUE(identical(reader->read(name), tensor)) << name;
  const Tensor rows = counted_floats(10, 4);
  EXPECT_TRUE(identical(reader->read("rows"), rows));
  EXPECT_TRUE(
      identical(reader->read_slice("rows", TensorSlice::parse("6,4:0,4")), rows.slice(6, 10)));
  EXPECT_TRUE(identical(reader->read_slice("rows", TensorSlice::parse("5,3:-")), rows.slice(5, 8)));
  const Tensor list = reader->read("list");
  const auto* elements = list.scalar_value<Variant>().get<ListValue>();
  ASSERT_NE(elements, nullptr);
  ASSERT_EQ(elements->elements.size(), 3u);
  EXPECT_TRUE(identical(elements->elements[2], Tensor::vector<float>({4, 5})));
}

TEST(GoldenFiles, merged_checkpoint) {
  const auto reader = CheckpointReader::open(golden("merged"));
  EXPECT_EQ(reader->tensors().size(), 3u);
  EXPECT_TRUE(identical(reader->read("v0"), counted_floats(1, 2)));
  EXPECT_TRUE(identical(reader->read("v1"), counted_floats(2, 2)));
  EXPECT_TRUE(identical(reader->read("rows"), counted_floats(10, 4)));
}

// Written again by us, the checkpoint is TensorFlow's to the byte.
TEST(GoldenFiles, merged_checkpoint_is_written_alike) {
  const Tensor rows = counted_floats(10, 4);
  const std::vector<std::string> parts{"ram://golden/tmp/0", "ram://golden/tmp/1"};
  for (int i = 0; i < 2; ++i) {
    BundleWriter writer(parts[static_cast<std::size_t>(i)]);
    writer.add(str_cat("v", i), counted_floats(i + 1, 2));
    writer.add_slice("rows", {10, 4}, TensorSlice({{5 * i, 5}, {0, 4}}),
                     rows.slice(5 * i, 5 * i + 5));
    writer.finish();
  }
  merge_bundles(parts, "ram://golden/merged");
  for (const char* suffix : {".index", ".data-00000-of-00002", ".data-00001-of-00002"})
    EXPECT_EQ(read_file(str_cat("ram://golden/merged", suffix)),
              read_file(golden(str_cat("merged", suffix))))
        << suffix;
  remove_tree("ram://golden");
}

TEST(GoldenFiles, version_1_checkpoint) {
  const auto reader = CheckpointReader::open(golden("old-*-of-00002"));
  const auto samples = sample_tensors();
  int count = 0;
  for (const auto& [name, stored] : reader->tensors()) {
    if (name == "rows") continue;
    ASSERT_TRUE(samples.contains(name)) << name;
    EXPECT_TRUE(identical(reader->read(name), samples.at(name))) << name;
    ++count;
  }
  EXPECT_EQ(count, 18);  // the types that the format has, and three others
  const Tensor rows = counted_floats(10, 4);
  EXPECT_TRUE(identical(reader->read("rows"), rows));
  EXPECT_TRUE(identical(reader->read_slice("rows", TensorSlice::parse("5,3:-")), rows.slice(5, 8)));
  EXPECT_TRUE(
      identical(reader->read_slice("rows", TensorSlice::parse("0,6:0,4")), rows.slice(0, 6)));
}

TEST(GoldenFiles, events) {
  EventReader reader(golden("events"));
  tensorflow::Event event;
  ASSERT_TRUE(reader.read(&event));
  EXPECT_TRUE(event.file_version().starts_with("brain.Event:"));
  for (int step = 1; step <= 3; ++step) {
    ASSERT_TRUE(reader.read(&event));
    EXPECT_EQ(event.step(), step);
    EXPECT_EQ(event.wall_time(), 1'500'000'000 + step * 0.25);
    EXPECT_EQ(event.summary().value(0).tag(), "loss");
    EXPECT_EQ(event.summary().value(0).simple_value(), static_cast<float>(1.0 / step));
  }
  while (reader.read(&event)) EXPECT_FALSE(event.has_summary());
}

}  // namespace
}  // namespace rill
