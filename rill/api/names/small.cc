#include "rill/api/names/small.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill::keras::utils {

Tensor to_categorical(const std::vector<std::int64_t>& y, std::int64_t num_classes) {
  if (num_classes == 0 && !y.empty()) num_classes = *std::ranges::max_element(y) + 1;
  require(num_classes >= 0, "there are no ", num_classes, " classes");
  Tensor rows = Tensor::zeros(DType::f32, Shape{static_cast<std::int64_t>(y.size()), num_classes});
  for (std::size_t i = 0; i < y.size(); ++i) {
    require(y[i] >= 0 && y[i] < num_classes, "there is no class ", y[i], " of ", num_classes);
    rows.data<float>()[static_cast<std::int64_t>(i) * num_classes + y[i]] = 1;
  }
  return rows;
}

}  // namespace rill::keras::utils
