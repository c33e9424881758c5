#include "rill/api/train/named_optimizers.h"

#include "rill/api/train/adam.h"
#include "rill/api/train/optimizers.h"

namespace rill::train {
namespace {

constexpr double kUsualMomentum = 0.9;

template <class Kind>
std::shared_ptr<Optimizer> make_named(double learning_rate) {
  return std::make_shared<Kind>(learning_rate);
}
std::shared_ptr<Optimizer> make_named_momentum(double learning_rate) {
  return std::make_shared<MomentumOptimizer>(learning_rate, kUsualMomentum);
}

}  // namespace

std::span<const NamedOptimizer> named_optimizers() {
  static constexpr NamedOptimizer optimizers[] = {
      {"Adagrad", "AdagradOptimizer", make_named<AdagradOptimizer>},
      {"Adam", "AdamOptimizer", make_named<AdamOptimizer>},
      {"Ftrl", "FtrlOptimizer", make_named<FtrlOptimizer>},
      {"Momentum", "MomentumOptimizer", make_named_momentum, kUsualMomentum, false},
      {"RMSProp", "RMSPropOptimizer", make_named<RMSPropOptimizer>},
      {"SGD", "GradientDescentOptimizer", make_named<GradientDescentOptimizer>},
  };
  return optimizers;
}

}  // namespace rill::train
