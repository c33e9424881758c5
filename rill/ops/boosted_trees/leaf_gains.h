#pragma once

#include <span>
#include <vector>

namespace rill {

struct Regularization {
  float l1 = 0, l2 = 0;
};

// The best value of a leaf for the sums of its examples' gradients and Hessians, and what it gains:
// minimises g w + (h + l2) w^2 / 2 + l1 |w|, for several logits with a Hessian that is diagonal or,
// with the square of their number, whole.
class LeafGain {
 public:
  // Throws InvalidArgument where the Hessian has another size. l1 is for one logit.
  LeafGain(std::size_t logits, std::size_t hessian, Regularization regularization);

  // The gain; `weights` is overwritten.
  float best(std::span<const float> gradients, std::span<const float> hessians,
             std::vector<float>& weights);

 private:
  float best_whole(std::span<const float> gradients, std::span<const float> hessians,
                   std::vector<float>& weights);

  const std::size_t logits_, hessian_;
  const Regularization regularization_;
  std::vector<double> system_;
};

}  // namespace rill
