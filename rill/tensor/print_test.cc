#include <gtest/gtest.h>

#include <cmath>

#include "rill/tensor/resource_handle.h"
#include "rill/tensor/tensor.h"

namespace rill {
namespace {

template <class T>
Tensor counted(Shape shape, T step) {
  Tensor t(dtype_of<T>, std::move(shape));
  for (std::int64_t i = 0; i < t.element_count(); ++i) t.data<T>()[i] = static_cast<T>(i) * step;
  return t;
}

// What is expected below is what str() of NumPy 1.26 gives.
TEST(Print, floats_share_a_notation_and_a_width) {
  EXPECT_EQ(print(Tensor::vector<float>({1, 2.5f, -3.25f})), "[ 1.    2.5  -3.25]");
  EXPECT_EQ(print(Tensor::vector<float>({1 / 3.0f, 2 / 3.0f, 1})),
            "[0.33333334 0.6666667  1.        ]");
  EXPECT_EQ(print(Tensor::vector<double>({1e-5, 1, 12345.678})),
            "[1.0000000e-05 1.0000000e+00 1.2345678e+04]");
  EXPECT_EQ(print(Tensor::vector<float>({NAN, INFINITY, -INFINITY, -0.0f})),
            "[ nan  inf -inf  -0.]");
}

TEST(Print, half_has_its_own_shortest_digits) {
  EXPECT_EQ(print(Tensor::vector<half>({half(0.333f), half(65504), half(1e-4f)})),
            "[3.33e-01 6.55e+04 1.00e-04]");
  EXPECT_EQ(print(Tensor::vector<half>({half(28448), half(INFINITY)})), "[28448.    inf]");
  EXPECT_EQ(print(Tensor::scalar(half(65504))), "65500.0");
  EXPECT_EQ(print(Tensor::scalar(half(0.015625f))), "0.01563");
}

TEST(Print, integers_booleans_and_complex_numbers) {
  EXPECT_EQ(print(Tensor::of<std::int32_t>({2, 3}, {-3, -2, -1, 0, 1, 2})),
            "[[-3 -2 -1]\n [ 0  1  2]]");
  EXPECT_EQ(print(Tensor::of<bool>({1, 2}, {true, false})), "[[ True False]]");
  EXPECT_EQ(print(Tensor::vector<std::complex<float>>({{1, 2}, {1 / 3.0f, -1.5f}})),
            "[1.        +2.j  0.33333334-1.5j]");
  EXPECT_EQ(print(Tensor::vector<std::uint64_t>({1, 18446744073709551615u})),
            "[                   1 18446744073709551615]");
}

TEST(Print, scalars) {
  EXPECT_EQ(print(Tensor::scalar(1.0f)), "1.0");
  EXPECT_EQ(print(Tensor::scalar(1e16f)), "1e+16");
  EXPECT_EQ(print(Tensor::scalar(123456790528.f)), "123456790000.0");
  EXPECT_EQ(print(Tensor::scalar(1.2345e-4)), "0.00012345");
  EXPECT_EQ(print(Tensor::scalar(std::complex<float>(0, 1))), "1j");
  EXPECT_EQ(print(Tensor::scalar(std::complex<float>(1, -INFINITY))), "(1-infj)");
  EXPECT_EQ(print(Tensor::scalar(true)), "True");
  EXPECT_EQ(print(Tensor::scalar(std::string("a"))), "b'a'");
}

TEST(Print, strings_are_bytes_literals) {
  EXPECT_EQ(print(Tensor::vector<std::string>(
                {"a", "it's", "\"", "'\"", std::string("\n\t\r\\\0\xff", 6), ""})),
            R"([b'a' b"it's" b'"' b'\'"' b'\n\t\r\\\x00\xff' b''])");
}

TEST(Print, long_rows_wrap_and_large_arrays_show_their_corners) {
  EXPECT_EQ(print(counted<double>({30}, 1.5)),
            "[ 0.   1.5  3.   4.5  6.   7.5  9.  10.5 12.  13.5 15.  16.5 18.  19.5\n"
            " 21.  22.5 24.  25.5 27.  28.5 30.  31.5 33.  34.5 36.  37.5 39.  40.5\n"
            " 42.  43.5]");
  EXPECT_EQ(print(counted<std::int32_t>({2, 600}, 1)),
            "[[   0    1    2 ...  597  598  599]\n"
            " [ 600  601  602 ... 1197 1198 1199]]");
  EXPECT_EQ(print(counted<std::int64_t>({2, 2, 2}, 1)), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
  EXPECT_EQ(print(counted<std::int32_t>({9}, 1), 8), "[0 1 2 ... 6 7 8]");
}

TEST(Print, any_shape_and_type_can_be_shown) {
  EXPECT_EQ(print(Tensor(DType::f32, {2, 0})), "[]");
  EXPECT_EQ(print(Tensor()), "<no value>");
  EXPECT_EQ(print(Tensor::scalar(ResourceHandle{.name = "v"})), "<resource v>");
  EXPECT_EQ(print(Tensor::vector<bfloat16>({bfloat16(1.5f), bfloat16(1 / 3.0f)})),
            "[1.5 0.333984]");
  std::vector<std::int64_t> ones(kMaxRank, 1);
  const std::string deep = print(Tensor::zeros(DType::f32, Shape(ones)));
  EXPECT_EQ(deep, str_cat(std::string(kMaxRank, '['), "0.", std::string(kMaxRank, ']')));
}

// What is expected below is what tf.Assert shows.
TEST(Summary, shows_the_first_elements) {
  const Tensor matrix = counted<std::int32_t>({2, 3}, 1);
  EXPECT_EQ(summary(matrix, 3), "[[0 1 2]...]");
  EXPECT_EQ(summary(matrix, 1), "[[0...]...]");
  EXPECT_EQ(summary(matrix, 5), "[[0 1 2][3 4...]...]");
  EXPECT_EQ(summary(matrix, 0), "[...]");
  EXPECT_EQ(summary(matrix, -1), "[[0 1 2][3 4 5]]");
  EXPECT_EQ(summary(counted<std::int32_t>({2, 3, 4}, 1), 5), "[[[0 1 2 3][4...]]...]");
  EXPECT_EQ(summary(counted<std::int32_t>({4}, 1), 2), "[0 1...]");
  EXPECT_EQ(summary(Tensor::scalar(3.0f)), "[3]");
  EXPECT_EQ(summary(Tensor(DType::f32, {2, 0})), "[]");
}

TEST(Summary, writes_elements_as_tensorflow_does) {
  EXPECT_EQ(summary(Tensor::vector<float>({1.5f, 1 / 3.0f, 1e10f, NAN, 1234567, 1e6f}), -1),
            "[1.5 0.333333343 1e+10 nan 1234567 1e+06]");
  EXPECT_EQ(summary(Tensor::vector<double>({1 / 3.0, 1e10})), "[0.33333333333333331 10000000000]");
  EXPECT_EQ(summary(Tensor::vector<half>({half(1 / 3.0f)})), "[0.333251953]");
  EXPECT_EQ(summary(Tensor::vector<bool>({true, false})), "[1 0]");
  EXPECT_EQ(summary(Tensor::vector<std::string>({"a", "\"'\n\x01h\xc3\xa9"})),
            "[a \\\"\\'\\n\\001h\xc3\xa9]");
  EXPECT_EQ(summary(Tensor::scalar(std::complex<float>(1, 2))), "[?]");
}

// What is expected below is what tf.strings.format shows.
TEST(EdgeSummary, shows_both_ends_of_every_dimension) {
  EXPECT_EQ(edge_summary(counted<std::int32_t>({10}, 1)), "[0 1 2 ... 7 8 9]");
  EXPECT_EQ(edge_summary(counted<std::int32_t>({6}, 1)), "[0 1 2 3 4 5]");
  EXPECT_EQ(edge_summary(counted<std::int32_t>({2, 3, 4}, 1), 1),
            "[[[0 ... 3]\n  ...\n  [8 ... 11]]\n\n [[12 ... 15]\n  ...\n  [20 ... 23]]]");
  EXPECT_EQ(edge_summary(counted<std::int32_t>({10}, 1), -1), "[0 1 2 3 4 5 6 7 8 9]");
  EXPECT_EQ(edge_summary(counted<std::int32_t>({10}, 1), 0), "[ ...]");
  EXPECT_EQ(edge_summary(Tensor(DType::f32, {2, 0})), "[\n ...]");
  EXPECT_EQ(edge_summary(Tensor(DType::f32, {0, 2})), "[]");
  EXPECT_EQ(edge_summary(Tensor::scalar(std::string("x"))), "\"x\"");
}

}  // namespace
}  // namespace rill
