#include "rill/board/layout/embedding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rill/board/layout/neighbours.h"

namespace rill::board {
namespace {

constexpr std::size_t kClusters = 3, kOfEach = 40, kColumns = 8;

// Three clouds far from each other.
std::vector<float> clouds() {
  SmallRandom random(7);
  std::vector<float> values;
  for (std::size_t i = 0; i < kClusters * kOfEach; ++i)
    for (std::size_t k = 0; k < kColumns; ++k)
      values.push_back(random.uniform() + (k == i / kOfEach ? 20.0f : 0.0f));
  return values;
}

// The part of points whose nearest neighbour in the picture is of their own cloud.
double kept_together(const std::vector<float>& places, std::size_t dimensions) {
  const PointMatrix matrix{kClusters * kOfEach, dimensions, places};
  const Neighbours near = nearest_neighbours(matrix, 1);
  double same = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i)
    same += near.indices[i] / kOfEach == i / kOfEach ? 1 : 0;
  return same / static_cast<double>(matrix.rows);
}

TEST(Embedding, pca_finds_the_directions_of_most_variance) {
  std::vector<float> values;
  SmallRandom random(3);
  for (int i = 0; i < 200; ++i) {
    const float t = random.uniform() * 10, s = random.uniform();
    values.insert(values.end(), {t, 2 * t, s, 0});
  }
  const Components found = pca({200, 4, values}, 2);
  ASSERT_EQ(found.places.size(), 400u);
  double mean = 0, square = 0;
  for (int i = 0; i < 200; ++i) mean += values[static_cast<std::size_t>(4 * i)] / 200;
  for (int i = 0; i < 200; ++i)
    square += std::pow(values[static_cast<std::size_t>(4 * i)] - mean, 2) * 5 / 200;
  EXPECT_NEAR(found.variance[0], square, square * 1e-2);
  EXPECT_GT(found.variance[0], 50 * found.variance[1]);
}

TEST(Embedding, neighbours_stay_together) {
  const std::vector<float> values = clouds();
  const PointMatrix matrix{kClusters * kOfEach, kColumns, values};
  const EmbeddingOptions options{
      .dimensions = 2, .neighbours = 10, .perplexity = 10, .iterations = 250};
  EXPECT_GT(kept_together(pca(matrix, 2).places, 2), 0.95);
  EXPECT_GT(kept_together(tsne(matrix, options), 2), 0.95);
  EXPECT_GT(kept_together(umap(matrix, options), 2), 0.95);
}

TEST(Embedding, strange_points_end_nothing) {
  const std::vector<float> same(50, 1.0f), broken = {NAN, INFINITY, 1, 2, -INFINITY, 0, 3, 1, 4, 2};
  for (const PointMatrix& matrix : {PointMatrix{25, 2, same}, PointMatrix{5, 2, broken},
                                    PointMatrix{0, 2, {}}, PointMatrix{1, 1, same}}) {
    const EmbeddingOptions options{.dimensions = 3, .iterations = 20};
    EXPECT_EQ(pca(matrix, 3).places.size(), matrix.rows * 3);
    EXPECT_EQ(tsne(matrix, options).size(), matrix.rows * 3);
    EXPECT_EQ(umap(matrix, options).size(), matrix.rows * 3);
  }
}

}  // namespace
}  // namespace rill::board
