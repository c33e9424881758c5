#include "rill/io/npy.h"

#include <gtest/gtest.h>

#include <random>

#include "rill/base/file_testing.h"

namespace rill {
namespace {

TEST(Npy, header_is_numpys) {
  const std::string bytes = npy_bytes(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\0\x76\0", 10));
  EXPECT_TRUE(bytes.substr(10).starts_with(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, ), }"));
  EXPECT_EQ(bytes.size(), 128u + 24);
}

TEST(Npy, round_trip) {
  const Tensor tensors[] = {Tensor::scalar(2.5f),
                            Tensor::vector<std::int8_t>({-1, 5}),
                            Tensor::of<double>({0, 4}, {}),
                            Tensor::of<std::uint64_t>({1, 2}, {0, ~std::uint64_t{0}}),
                            Tensor::vector<bool>({true, false}),
                            Tensor::vector<std::string>({"", "a", "\xff"}),
                            Tensor::of<std::string>({0}, {})};
  for (const Tensor& tensor : tensors)
    EXPECT_TRUE(identical(parse_npy(npy_bytes(tensor)), tensor)) << print(tensor);
  EXPECT_TRUE(error_of([] { npy_bytes(Tensor(DType::bf16, {})); }).starts_with("Unimplemented"));
}

// Whatever the bytes are, they are read or refused.
TEST(Npy, broken_files) {
  const std::string good = npy_bytes(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(error_of([&] { parse_npy(std::string_view(good).substr(0, size)); }).empty());
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bad = good;
    for (int changes = 0; changes < 3; ++changes)
      bad[random() % 80] = static_cast<char>(
          random() % 2 == 0 ? random() % 256 : "0123456789()<>|SU',"[random() % 19]);
    const std::string error = error_of([&] { parse_npy(bad); });
    EXPECT_TRUE(error.empty() || error.starts_with("InvalidArgument")) << error;
  }
}

}  // namespace
}  // namespace rill
