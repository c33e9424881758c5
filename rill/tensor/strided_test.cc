#include "rill/tensor/strided.h"

#include <gtest/gtest.h>

#include "rill/tensor/tensor.h"

namespace rill {
namespace {

StridedView view_of(const Tensor& t) { return dense_view(t.raw_data(), t.shape(), sizeof(int)); }
StridedView view_as(const Tensor& t, const Shape& to) {
  return broadcast_view(t.raw_data(), t.shape(), to, sizeof(int));
}

Tensor int_range(Shape shape) {
  Tensor t(DType::i32, std::move(shape));
  int next = 0;
  for (int& x : t.flat<int>()) x = next++;
  return t;
}

TEST(RowLoop, JoinsDenseDimensionsIntoOneRow) {
  const Tensor a = int_range({2, 3, 4}), b = int_range({2, 3, 4});
  const RowLoop loop{view_of(a), view_of(b)};
  EXPECT_EQ(loop.row_length(), 24u);
  EXPECT_EQ(loop.piece_count(), 1u);
}

TEST(RowLoop, DoesNotMergeTheBroadcastDimension) {
  const Tensor out = int_range({5, 2, 3}), bias = int_range({2, 3});
  const RowLoop loop{view_of(out), view_as(bias, out.shape())};
  EXPECT_EQ(loop.row_length(), 6u);
  EXPECT_EQ(loop.piece_count(), 5u);
  EXPECT_EQ(loop.step(1), 4);
}

TEST(RowLoop, RepeatsAScalarWithStepZero) {
  const Tensor out = int_range({5, 2}), one = int_range({});
  const RowLoop loop{view_of(out), view_as(one, out.shape())};
  EXPECT_EQ(loop.row_length(), 10u);
  EXPECT_EQ(loop.step(1), 0);
}

TEST(RowLoop, RunsNothingForEmptyShapesAndOneRowForScalars) {
  const Tensor empty = int_range({3, 0, 2}), scalar = int_range({});
  EXPECT_EQ((RowLoop{view_of(empty)}.piece_count()), 0u);
  EXPECT_EQ((RowLoop{view_of(scalar)}.piece_count()), 1u);
  EXPECT_EQ((RowLoop{view_of(scalar)}.row_length()), 1u);
}

TEST(RowLoop, RefusesOperandsOfOtherShapes) {
  const Tensor a = int_range({2, 3}), b = int_range({3, 2});
  EXPECT_THROW((RowLoop{view_of(a), view_of(b)}), Error);
}

// out[i, j, ...] = a + b at the highest rank, checked against indices worked out one by one.
TEST(ForEachRow, BroadcastsAnyRank) {
  for (const int rank : {1, 4, 8, 9, 12, 254}) {
    Shape a_shape, b_shape, out_shape;
    for (int i = 0; i < rank; ++i) {
      const std::int64_t dim = i >= rank - 8 ? 2 : 1;
      a_shape.add_dim(i % 2 == 0 ? dim : 1);
      b_shape.add_dim(i % 2 == 0 ? 1 : dim);
      out_shape.add_dim(dim);
    }
    const Tensor a = int_range(a_shape), b = int_range(b_shape), out = int_range(out_shape);
    const StridedView av = view_as(a, out_shape), bv = view_as(b, out_shape);
    const RowLoop loop{view_of(out), av, bv};
    loop.run(0, loop.piece_count(), [&](std::byte* const* at, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i)
        reinterpret_cast<int*>(at[0])[i] =
            1000 * *reinterpret_cast<int*>(at[1] + static_cast<int>(i) * loop.step(1)) +
            *reinterpret_cast<int*>(at[2] + static_cast<int>(i) * loop.step(2));
    });
    for (std::int64_t flat = 0; flat < out.element_count(); ++flat) {
      std::int64_t rest = flat, ai = 0, bi = 0, a_scale = 1, b_scale = 1;
      for (int i = rank - 1; i >= 0; --i) {
        const std::int64_t index = rest % out_shape.dim(i);
        rest /= out_shape.dim(i);
        if (a_shape.dim(i) > 1) ai += index * a_scale, a_scale *= a_shape.dim(i);
        if (b_shape.dim(i) > 1) bi += index * b_scale, b_scale *= b_shape.dim(i);
      }
      ASSERT_EQ(out.flat<int>()[static_cast<std::size_t>(flat)], 1000 * ai + bi) << rank;
    }
  }
}

TEST(RowLoop, AnySplitOfThePiecesGivesTheWhole) {
  const Tensor src = int_range({7, 3, 70000}), out = int_range({7, 3, 70000}),
               zero = int_range({7, 1, 1});
  const RowLoop loop{view_of(out), view_of(src), view_as(zero, out.shape())};
  ASSERT_GT(loop.piece_count(), 7u);  // rows are cut
  std::fill(out.flat<int>().begin(), out.flat<int>().end(), -1);
  const auto copy = [](std::byte* const* at, std::size_t n) { std::memcpy(at[0], at[1], n * 4); };
  for (std::size_t begin = 0; begin < loop.piece_count(); begin += 4)
    loop.run(begin, std::min(begin + 4, loop.piece_count()), copy);
  EXPECT_TRUE(identical(out, src));
}

TEST(ForEachRow, CopiesATransposedView) {
  const Tensor src = int_range({2, 3}), out = int_range({3, 2});
  StridedView transposed = view_of(src);
  transposed.dims = Dims(out.shape().dims());
  transposed.strides[0] = 4;
  transposed.strides[1] = 12;
  const RowLoop loop{view_of(out), transposed};
  loop.run(0, loop.piece_count(), [&](std::byte* const* at, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(at[0] + i * 4, at[1] + static_cast<std::int64_t>(i) * loop.step(1), 4);
  });
  EXPECT_TRUE(identical(out, Tensor::of<int>({3, 2}, {0, 3, 1, 4, 2, 5})));
}

}  // namespace
}  // namespace rill
