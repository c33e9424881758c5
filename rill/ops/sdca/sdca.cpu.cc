#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

#include "rill/base/farmhash.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/sdca/dual_losses.h"

namespace rill {

extern const OpDecl kSdcaOptimizer, kSdcaOptimizerV2, kSdcaShrinkL1, kSdcaFprint;

namespace {

double shrunk_weight(double weight, double by) {
  return std::copysign(std::max(std::fabs(weight) - by, 0.0), weight);
}

// One feature of an example: the place of its weight among all, and its value.
struct Term {
  std::size_t weight;
  float value;
};

// The batch: the terms of each example, and all weights one behind the other.
class SdcaBatch {
 public:
  SdcaBatch(const KernelCall& call, bool v2)
      : sparse_(count(call, "num_sparse_features")),
        valued_(count(call, "num_sparse_features_with_values")),
        dense_(count(call, "num_dense_features")),
        loss_(dual_loss(call.node().attr<std::string>("loss_type"))),
        partitions_(static_cast<double>(call.node().attr<std::int64_t>("num_loss_partitions"))),
        l2_(call.node().attr<float>("l2")),
        shrinkage_(call.node().attr<float>("l1") / call.node().attr<float>("l2")),
        adaptive(call.node().attr<bool>(v2 ? "adaptive" : "adaptative")) {
    require(l2_ > 0, "l2 must be positive, got ", l2_);
    require(valued_ <= sparse_, "num_sparse_features_with_values should be at most ", sparse_,
            ", got ", valued_);
    const int begin = first_of_examples();
    const auto given = call.input<float>(begin), labels = call.input<float>(begin + 1);
    require(given.size() == labels.size(), "There are ", given.size(), " example_weights for ",
            labels.size(), " example_labels.");
    weights_of_examples_.assign(given.begin(), given.end());
    for (const float label : labels) labels_.push_back(checked_label(loss_, label));
    terms_.resize(labels_.size());
    for (int i = 0; i < sparse_; ++i) add_sparse(call, i);
    for (int i = 0; i < dense_; ++i) add_dense(call, i);
    for (std::size_t i = 0; i < terms_.size(); ++i) norms_.push_back(norm(i));
    deltas_.assign(weights_.size(), 0);
  }

  std::size_t size() const { return labels_.size(); }

  // Improves the dual variable of one example; `state` is its row.
  void visit(std::size_t i, float* state) {
    const auto [before, now] = predictions(i);
    const double weight = weights_of_examples_[i], dual = state[0];
    const double scale = partitions_ * weight * norms_[i];
    const double updated = loss_.update(labels_[i], dual, now, scale);
    const double step = (updated - dual) * weight / l2_;
    for (const Term& term : terms_[i]) deltas_[term.weight] += step * term.value;
    state[0] = static_cast<float>(updated);
    state[1] = static_cast<float>(loss_.primal(before, labels_[i]) * weight);
    state[2] = static_cast<float>(loss_.dual(dual, labels_[i]) * weight);
    state[3] = static_cast<float>(weight);
  }

  // How much an example is worth visiting: by how far its dual variable is from where its loss
  // wants it, after Csiba, Qu and Richtarik's adaptive SDCA.
  double urgency(std::size_t i, float dual) const {
    const double residual = dual + loss_.slope(predictions(i).second, labels_[i]);
    const double smoothness = loss_.smoothness == 0 ? 1 : 1 / loss_.smoothness;
    return weights_of_examples_[i] *
           std::sqrt(static_cast<double>(size()) + norms_[i] * smoothness) * std::fabs(residual);
  }

  void set_deltas(KernelCall& call) const {
    std::size_t at = 0;
    for (int i = 0; i < sparse_ + dense_; ++i) {
      const Tensor& weights = call.input_tensor(first_of_weights() + i);
      float* to = call.allocate_output(1 + i, weights.shape()).data<float>();
      for (std::int64_t k = 0; k < weights.element_count(); ++k)
        *to++ = static_cast<float>(deltas_[at++]);
    }
  }
  int first_of_weights() const { return first_of_examples() + 2 + sparse_; }
  int state_input() const { return first_of_weights() + sparse_ + dense_; }

 private:
  static int count(const KernelCall& call, const char* attr) {
    return static_cast<int>(call.node().attr<std::int64_t>(attr));
  }
  int first_of_examples() const { return 2 * sparse_ + valued_ + dense_; }

  double norm(std::size_t i) const {
    double sum = 0;
    for (const Term& term : terms_[i]) sum += double{term.value} * term.value;
    return sum / l2_;
  }
  // With the weights as they were, and as this worker expects them from all partitions.
  std::pair<double, double> predictions(std::size_t i) const {
    double before = 0, now = 0;
    for (const Term& term : terms_[i]) {
      const double weight = weights_[term.weight];
      before += term.value * shrunk_weight(weight, shrinkage_);
      now += term.value * shrunk_weight(weight + deltas_[term.weight] * partitions_, shrinkage_);
    }
    return {before, now};
  }

  std::size_t add_weights(const Tensor& given) {
    const std::size_t begin = weights_.size();
    const auto values = given.flat<float>();
    weights_.insert(weights_.end(), values.begin(), values.end());
    return begin;
  }

  void add_sparse(const KernelCall& call, int i) {
    const auto examples = call.input<std::int64_t>(i),
               features = call.input<std::int64_t>(sparse_ + i);
    require(examples.size() == features.size(), "Sparse feature ", i, " has ", examples.size(),
            " example indices and ", features.size(), " feature indices.");
    std::span<const float> values;
    if (i < valued_) {
      values = call.input<float>(2 * sparse_ + i);
      require(values.size() == features.size(), "Sparse feature ", i, " has ", values.size(),
              " values for ", features.size(), " indices.");
    }
    const auto known = call.input<std::int64_t>(first_of_examples() + 2 + i);
    const Tensor& given = call.input_tensor(first_of_weights() + i);
    require(static_cast<std::int64_t>(known.size()) == given.element_count(), "Sparse feature ", i,
            " has ", known.size(), " indices and ", given.element_count(), " weights.");
    const std::size_t begin = add_weights(given);
    std::unordered_map<std::int64_t, std::size_t> places;
    for (std::size_t k = 0; k < known.size(); ++k) places[known[k]] = begin + k;
    for (std::size_t k = 0; k < features.size(); ++k) {
      const auto place = places.find(features[k]);
      require(place != places.end(), "Sparse feature ", i, " has no weight for the index ",
              features[k], ".");
      require(examples[k] >= 0 && examples[k] < static_cast<std::int64_t>(size()),
              "Error: example index ", examples[k], " is not in [0, ", size(), ").");
      terms_[static_cast<std::size_t>(examples[k])].push_back(
          {place->second, values.empty() ? 1.0F : values[k]});
    }
  }

  void add_dense(const KernelCall& call, int i) {
    const Tensor& feature = call.input_tensor(2 * sparse_ + valued_ + i);
    const Tensor& given = call.input_tensor(first_of_weights() + sparse_ + i);
    require(feature.rank() >= 1 && feature.dim(0) == static_cast<std::int64_t>(size()),
            "Dense feature ", i, " should have rows for ", size(), " examples, but its shape is ",
            feature.shape());
    const std::int64_t width = size() == 0 ? 0 : feature.element_count() / feature.dim(0);
    require(size() == 0 || width == given.element_count(), "Dense feature ", i, " has ", width,
            " columns and ", given.element_count(), " weights.");
    const std::size_t begin = add_weights(given);
    const float* value = feature.data<float>();
    for (std::vector<Term>& terms : terms_)
      for (std::int64_t k = 0; k < width; ++k)
        terms.push_back({begin + static_cast<std::size_t>(k), *value++});
  }

  const int sparse_, valued_, dense_;
  const DualLoss& loss_;
  const double partitions_, l2_, shrinkage_;
  std::vector<float> weights_of_examples_, weights_;
  std::vector<double> labels_, norms_, deltas_;
  std::vector<std::vector<Term>> terms_;

 public:
  const bool adaptive;
};

// The order in which examples are visited goes on from run to run.
struct SdcaOrder final : KernelState {
  std::mutex mutex;
  std::mt19937_64 random{0};

  static std::unique_ptr<KernelState> make(const KernelNode&) {
    return std::make_unique<SdcaOrder>();
  }
  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    return order;
  }
  double unit() { return static_cast<double>(random() >> 11) * 0x1p-53; }
};

// As many visits as there are examples, urgent ones more often; a visit makes one less urgent.
void visit_adaptively(SdcaBatch& batch, SdcaOrder& order, float* states) {
  constexpr double kDecay = 10;
  std::vector<double> tree(2 * batch.size());  // a sum over two below each entry
  const auto set = [&](std::size_t i, double value) {
    for (tree[i += batch.size()] = value; i > 1; i /= 2) tree[i / 2] = tree[i] + tree[i ^ 1];
  };
  for (std::size_t i = 0; i < batch.size(); ++i) set(i, batch.urgency(i, states[4 * i]));
  for (std::size_t visits = 0; visits < batch.size(); ++visits) {
    const double total = tree[1];
    if (!(total > 0) || !std::isfinite(total)) return;
    double at = order.unit() * total;
    std::size_t node = 1;
    while (node < batch.size()) {
      node *= 2;
      if (at >= tree[node] && tree[node + 1] > 0) at -= tree[node++];
    }
    const std::size_t i = node - batch.size();
    batch.visit(i, states + 4 * i);
    set(i, tree[node] / kDecay);
  }
}

template <bool v2>
void optimize(KernelCall& call) {
  SdcaBatch batch(call, v2);
  const Tensor& given = call.input_tensor(batch.state_input());
  require(given.dim(0) == static_cast<std::int64_t>(batch.size()) && given.dim(1) == 4,
          "example_state_data should be [", batch.size(), ",4], got ", given.shape());
  Tensor& output = call.allocate_output(0, given.shape());
  std::ranges::copy(given.flat<float>(), output.flat<float>().begin());
  float* const states = output.data<float>();
  auto& order = call.state<SdcaOrder>();
  const std::lock_guard lock(order.mutex);
  // num_inner_iterations is read by nobody: TensorFlow passes once, whatever it says.
  if (batch.adaptive && batch.size() > 1)
    visit_adaptively(batch, order, states);
  else
    for (const std::size_t i : order.shuffled(batch.size())) batch.visit(i, states + 4 * i);
  batch.set_deltas(call);
}

void shrink(KernelCall& call) {
  const double by = call.node().attr<float>("l1") / double{call.node().attr<float>("l2")};
  for (int i = 0; i < call.input_count(); ++i) {
    const auto& variable = call.ref_input(i);
    const Tensor old = variable->read();
    require(old.has_value(), "Attempting to use uninitialized value ", variable->name());
    Tensor shrunk(DType::f32, old.shape());
    std::ranges::transform(old.flat<float>(), shrunk.data<float>(), [by](float weight) {
      return static_cast<float>(shrunk_weight(weight, by));
    });
    variable->assign(std::move(shrunk));
  }
}

void fingerprints(KernelCall& call) {
  const auto strings = call.input<std::string>(0);
  const auto halves = call.output<std::int64_t>(0);
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const auto [low, high] = farmhash128(strings[i]);
    halves[2 * i] = static_cast<std::int64_t>(low);
    halves[2 * i + 1] = static_cast<std::int64_t>(high);
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSdcaOptimizer,
     .run = optimize<false>,
     .make_state = SdcaOrder::make,
     .allocates = true},
    {.op = &kSdcaOptimizerV2,
     .run = optimize<true>,
     .make_state = SdcaOrder::make,
     .allocates = true},
    {.op = &kSdcaShrinkL1, .run = shrink, .allocates = true},
    {.op = &kSdcaFprint, .run = fingerprints},
};

}  // namespace

extern const KernelTable kSdcaCpu{kEntries};

}  // namespace rill
