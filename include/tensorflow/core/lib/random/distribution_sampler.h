#ifndef TENSORFLOW_CORE_LIB_RANDOM_DISTRIBUTION_SAMPLER_H_
#define TENSORFLOW_CORE_LIB_RANDOM_DISTRIBUTION_SAMPLER_H_

#include <vector>

#include "tensorflow/core/lib/gtl/array_slice.h"
#include "tensorflow/core/lib/random/simple_philox.h"

namespace tensorflow {
namespace random {

// Draws indices as often as their weights say, in constant time: each cell of a table is shared by
// two of them.
class DistributionSampler {
 public:
  explicit DistributionSampler(const gtl::ArraySlice<float>& weights)
      : weights_(weights.begin(), weights.end()),
        limits_(weights_.size(), 1.0),
        others_(weights_.size(), 0) {
    double sum = 0;
    for (float weight : weights_) sum += weight;
    std::vector<int> small, large;
    std::vector<double> share(weights_.size());
    for (int i = 0; i < num(); ++i) {
      share[i] = sum > 0 ? weights_[i] * num() / sum : 1.0;
      (share[i] < 1.0 ? small : large).push_back(i);
    }
    while (!small.empty() && !large.empty()) {
      const int less = small.back(), more = large.back();
      small.pop_back();
      limits_[less] = share[less];
      others_[less] = more;
      share[more] -= 1.0 - share[less];
      if (share[more] < 1.0) {
        large.pop_back();
        small.push_back(more);
      }
    }
  }

  int Sample(SimplePhilox* rand) const {
    const int cell = static_cast<int>(rand->Uniform(static_cast<uint32>(num())));
    return rand->RandFloat() < limits_[cell] ? cell : others_[cell];
  }
  int num() const { return static_cast<int>(weights_.size()); }

 private:
  std::vector<float> weights_;
  std::vector<double> limits_;  // below it the cell stands for itself, above for the other
  std::vector<int> others_;
};

}  // namespace random
}  // namespace tensorflow

#endif
