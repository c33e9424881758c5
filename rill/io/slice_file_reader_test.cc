#include "rill/io/slice_file_reader.h"

#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/io/table_testing.h"
#include "tensorflow/core/util/saved_tensor_slice.pb.h"

namespace rill {
namespace {

constexpr const char* kSliceFilePath = "ram://slice_file_reader_test";

// "w", a float vector of two.
const std::string kMeta(
    "\x0a\x15\x0a\x0f\x0a\x01w\x12\x04\x12\x02\x08\x02\x18\x01\x22\x02\x0a\x00\x12\x02\x08\x01",
    23);
const std::string kDataKey("\x00w\x00\x01\x01\x01\x80\x7f", 8);
const std::string kData(
    "\x12\x13\x0a\x01w\x12\x02\x0a\x00\x1a\x0a\x2a\x08\x00\x00\x80\x3f\x00\x00\x00\x40", 21);

std::string error_reading() {
  return error_of([] { CheckpointReader::open(kSliceFilePath)->read("w"); });
}

TEST(SliceFile, documented_bytes_are_read) {
  write_table(kSliceFilePath, {{"", kMeta}, {kDataKey, kData}});
  const auto reader = CheckpointReader::open(kSliceFilePath);
  EXPECT_EQ(reader->describe(), "w (DT_FLOAT) [2]\n");
  EXPECT_TRUE(identical(reader->read("w"), Tensor::vector<float>({1, 2})));
  EXPECT_EQ(reader->read_slice("w", TensorSlice::parse("1,1")).flat<float>()[0], 2);
  EXPECT_TRUE(error_of([&] { reader->read("v"); }).starts_with("NotFound: Key v"));
}

TEST(SliceFile, what_is_broken_is_data_loss_with_tensor_and_file) {
  write_table(kSliceFilePath, {{"", kMeta}});
  EXPECT_EQ(error_reading(),
            "DataLoss: part - of tensor w is missing in ram://slice_file_reader_test");
  write_table(kSliceFilePath, {{kDataKey, kData}});
  EXPECT_EQ(error_reading(), "DataLoss: ram://slice_file_reader_test has no list of its tensors");
  write_table(kSliceFilePath, {{"", "\xff"}});
  EXPECT_TRUE(error_reading().starts_with("DataLoss: cannot parse"));
  tensorflow::SavedTensorSlices data;
  ASSERT_TRUE(data.ParseFromString(kData));
  data.mutable_data()->mutable_data()->add_float_val(3);
  write_table(kSliceFilePath, {{"", kMeta}, {kDataKey, data.SerializeAsString()}});
  EXPECT_EQ(
      error_reading(),
      "DataLoss: part - of tensor w in ram://slice_file_reader_test has 3 values for shape [2]");
}

TEST(SliceFile, a_shape_that_no_memory_holds_is_refused) {
  tensorflow::SavedTensorSlices meta;
  ASSERT_TRUE(meta.ParseFromString(kMeta));
  meta.mutable_meta()->mutable_tensor(0)->mutable_shape()->mutable_dim(0)->set_size(std::int64_t{1}
                                                                                    << 45);
  write_table(kSliceFilePath, {{"", meta.SerializeAsString()}, {kDataKey, kData}});
  EXPECT_TRUE(error_reading().starts_with("DataLoss: part - of tensor w"));
}

}  // namespace
}  // namespace rill
