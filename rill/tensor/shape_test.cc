#include "rill/tensor/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Shape ones(int rank) { return Shape(std::vector<std::int64_t>(static_cast<std::size_t>(rank), 1)); }

TEST(Shape, counts_its_elements) {
  EXPECT_EQ(Shape().element_count(), 1);
  EXPECT_EQ(Shape({2, 3, 4}).element_count(), 24);
  EXPECT_EQ(Shape({2, 0, 4}).element_count(), 0);
  EXPECT_EQ(Shape({kMax}).element_count(), kMax);
}

TEST(Shape, refuses_negative_dimensions_and_overflow) {
  EXPECT_THROW(Shape({-1}), Error);
  EXPECT_THROW(Shape({0, -1}), Error);
  EXPECT_THROW(Shape({kMax, 2}), Error);
  EXPECT_THROW(Shape({1 << 30, 1 << 30, 1 << 30}), Error);
  EXPECT_THROW(Shape({kMax}).byte_size(4), Error);
  EXPECT_EQ(Shape({kMax, kMax, 0}).element_count(), 0);  // empty, however long
  EXPECT_EQ(Shape({kMax, kMax, 0}).byte_size(16), 0u);
}

TEST(Shape, ranks_up_to_254) {
  const Shape deep = ones(kMaxRank);
  EXPECT_EQ(deep.rank(), 254);
  EXPECT_THROW(ones(kMaxRank + 1), Error);
  EXPECT_THROW(deep.with_dim(deep.rank(), 1), Error);
  const Shape copy = deep;
  EXPECT_EQ(copy, deep);
}

TEST(Shape, grows_past_the_inline_rank) {
  Shape shape;
  for (int i = 0; i < 20; ++i) shape.add_dim(i + 1 == 13 ? 5 : 1);
  EXPECT_EQ(shape.rank(), 20);
  EXPECT_EQ(shape[12], 5);
  EXPECT_EQ(shape.without_dim(12).element_count(), 1);
}

TEST(Shape, survives_copies_and_moves_between_inline_and_heap) {
  const Shape small{2, 3}, large = ones(kInlineRank + 1).with_dim(0, 7);
  Shape shape = small;
  shape = large;
  EXPECT_EQ(shape, large);
  shape = small;
  EXPECT_EQ(shape, small);
  Shape moved = std::move(shape);
  EXPECT_EQ(moved, small);
  EXPECT_EQ(shape, Shape());  // NOLINT: what is moved from is a scalar
  Shape heap = large;
  moved = std::move(heap);
  EXPECT_EQ(moved, large);
  moved = Shape{4};
  EXPECT_EQ(moved, Shape({4}));
  const Shape& self = moved;
  moved = self;
  EXPECT_EQ(moved, Shape({4}));
}

TEST(Shape, edits) {
  EXPECT_EQ(Shape({2, 3}).with_dim(1, 5), Shape({2, 5}));
  EXPECT_EQ(Shape({2, 0}).with_dim(1, 5).element_count(), 10);
  EXPECT_EQ(Shape({2, 3}).without_dim(0), Shape({3}));
  EXPECT_THROW(Shape({2}).with_dim(0, -1), Error);
}

TEST(Shape, text) {
  EXPECT_EQ(to_text(Shape()), "[]");
  EXPECT_EQ(to_text(Shape({2, 3})), "[2,3]");
  EXPECT_EQ(to_text(PartialShape({2, -1})), "[2,?]");
  EXPECT_EQ(to_text(PartialShape()), "<unknown>");
}

TEST(PartialShape, queries_of_known_dimensions) {
  EXPECT_FALSE(PartialShape().has_rank());
  EXPECT_EQ(PartialShape().rank(), -1);
  EXPECT_EQ(PartialShape({2, -1}).element_count(), -1);
  EXPECT_EQ(PartialShape({2, 3}).full(), Shape({2, 3}));
  EXPECT_THROW(PartialShape({2, -1}).full(), Error);
  EXPECT_THROW(PartialShape({-2}), Error);
  EXPECT_THROW(PartialShape({2}).with_dim(0, -2), Error);
  EXPECT_EQ(PartialShape::of_rank(2), PartialShape({-1, -1}));
  EXPECT_TRUE(PartialShape::scalar().is_full());
}

TEST(PartialShape, merges_and_compares) {
  const PartialShape a{2, -1}, b{-1, 3}, c{4, -1};
  EXPECT_EQ(a.merged(b), PartialShape({2, 3}));
  EXPECT_EQ(a.merged(PartialShape()), a);
  EXPECT_EQ(PartialShape().merged(a), a);
  EXPECT_TRUE(a.is_compatible(b));
  EXPECT_FALSE(a.is_compatible(c));
  EXPECT_FALSE(a.is_compatible(PartialShape({2})));
  EXPECT_THROW(a.merged(c), Error);
  EXPECT_TRUE(a.accepts({2, 9}));
  EXPECT_FALSE(a.accepts({3, 9}));
  EXPECT_TRUE(PartialShape().accepts({1, 2, 3}));
}

TEST(Broadcast, follows_numpy) {
  EXPECT_EQ(broadcast(Shape{2, 1, 4}, Shape{3, 1}), Shape({2, 3, 4}));
  EXPECT_EQ(broadcast(Shape{}, Shape{5}), Shape({5}));
  EXPECT_EQ(broadcast(Shape{1}, Shape{0}), Shape({0}));
  EXPECT_THROW(broadcast(Shape{2}, Shape{3}), Error);
  EXPECT_THROW(broadcast(Shape{2}, Shape{0}), Error);
  EXPECT_THROW(broadcast(Shape{kMax, 1}, Shape{1, kMax}), Error);
}

TEST(Broadcast, unknown_dimensions) {
  EXPECT_EQ(broadcast(PartialShape{-1, 1}, PartialShape{3, -1}), PartialShape({3, -1}));
  EXPECT_EQ(broadcast(PartialShape{-1}, PartialShape{1}), PartialShape({-1}));
  EXPECT_FALSE(broadcast(PartialShape(), PartialShape{2}).has_rank());
}

TEST(CanonicalAxis, counts_from_both_ends) {
  EXPECT_EQ(canonical_axis(-1, 3), 2);
  EXPECT_EQ(canonical_axis(2, 3), 2);
  EXPECT_THROW(canonical_axis(3, 3), Error);
  EXPECT_THROW(canonical_axis(-4, 3), Error);
  EXPECT_THROW(canonical_axis(std::numeric_limits<std::int64_t>::min(), 3), Error);
  EXPECT_THROW(canonical_axis(0, 0), Error);
}

}  // namespace
}  // namespace rill
