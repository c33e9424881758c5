#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rill::board {

// Points as rows of a matrix.
struct PointMatrix {
  std::size_t rows = 0, columns = 0;
  std::span<const float> values;
  std::span<const float> row(std::size_t i) const { return values.subspan(i * columns, columns); }
};

struct EmbeddingOptions {
  std::size_t dimensions = 3;
  std::size_t neighbours = 15;  // of UMAP
  double perplexity = 25;       // of t-SNE
  std::size_t iterations = 300;
};

// Principal components: the points along the directions of most variance, and how much of it each
// direction has. Numbers that are none count as 0.
struct Components {
  std::vector<float> places;  // rows of `dimensions`
  std::vector<double> variance;
};
Components pca(const PointMatrix& points, std::size_t dimensions);

// Points near each other stay near each other. The results are the same in each run.
std::vector<float> tsne(const PointMatrix& points, const EmbeddingOptions& options);
std::vector<float> umap(const PointMatrix& points, const EmbeddingOptions& options);

}  // namespace rill::board
