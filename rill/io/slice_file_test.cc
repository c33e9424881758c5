#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/slice_file_reader.h"
#include "rill/io/slice_file_writer.h"
#include "rill/io/table_reader.h"
#include "rill/io/table_testing.h"

namespace rill {
namespace {

TEST(SliceFileTest, bytes_are_tensorflows) {
  SliceFileWriter writer("ram://slice_file_test/one");
  writer.add("w", Tensor::vector<float>({1, 2}));
  writer.finish();
  TableReader table(file_system_of("ram://").open("ram://slice_file_test/one"));
  ASSERT_TRUE(table.find(""));
  EXPECT_EQ(hex(table.value()),
            "0a150a0f0a01771204120208021801220"
            "20a0012020801");
  ASSERT_TRUE(table.find(std::string("\0w\0\1\1\1\x80\x7f", 8)));
  EXPECT_EQ(hex(table.value()),
            "12130a0177"
            "12020a00"
            "1a0a2a080000803f00000040");
}

template <class T>
void expect_round_trip(const std::string& name, std::initializer_list<T> values) {
  const std::string path = "ram://slice_file_test/" + name;
  const Tensor before = Tensor::vector<T>(values);
  SliceFileWriter writer(path);
  writer.add(name, before);
  writer.finish();
  const Tensor after = SliceFileReader(path).read(name);
  ASSERT_EQ(after.dtype(), before.dtype());
  ASSERT_EQ(after.shape(), before.shape());
  for (std::int64_t i = 0; i < before.element_count(); ++i)
    EXPECT_EQ(after.data<T>()[i], before.data<T>()[i]) << name;
}

TEST(SliceFileTest, round_trip) {
  expect_round_trip<double>("double", {1.5, -2});
  expect_round_trip<std::int32_t>("int32", {1, -2});
  expect_round_trip<std::int64_t>("int64", {1, -2});
  expect_round_trip<std::uint8_t>("uint8", {1, 255});
  expect_round_trip<std::int16_t>("int16", {1, -300});
  expect_round_trip<bool>("bool", {true, false});
  expect_round_trip<std::complex<float>>("complex", {{1, 2}, {3, -4}});
  expect_round_trip<std::string>("string", {"x", ""});
}

TEST(SliceFileTest, slices_are_assembled) {
  SliceFileWriter writer("ram://slice_file_test/parts");
  writer.add_slice("a", {4}, TensorSlice::parse("0,2"), Tensor::vector<float>({1, 2}));
  writer.add_slice("a", {4}, TensorSlice::parse("2,2"), Tensor::vector<float>({3, 4}));
  EXPECT_THROW(writer.add_slice("a", {4}, TensorSlice::parse("2,2"), Tensor::vector<float>({3, 4})),
               Error);
  EXPECT_THROW(writer.add_slice("a", {5}, TensorSlice::parse("0,1"), Tensor::vector<float>({3})),
               Error);
  EXPECT_THROW(writer.add_slice("b", {4}, TensorSlice::parse("0,3"), Tensor::vector<float>({3})),
               Error);
  EXPECT_FALSE(file_exists("ram://slice_file_test/parts"));
  writer.finish();
  const Tensor whole = SliceFileReader("ram://slice_file_test/parts").read("a");
  ASSERT_EQ(whole.shape(), Shape({4}));
  EXPECT_EQ(whole.data<float>()[2], 3);
}

}  // namespace
}  // namespace rill
