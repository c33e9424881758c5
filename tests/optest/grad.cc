#include <cmath>
#include <cstdio>
#include <random>

#include "rill/base/error.h"
#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "tests/optest/commands.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxProbed = 24;  // elements of one input that are moved

// Rows of float are checked in double, where differences tell more.
Tensor widened(const Tensor& t) {
  if (t.dtype() != DType::f32) return t;
  Tensor wide(DType::f64, t.shape());
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    wide.data<double>()[i] = static_cast<double>(t.data<float>()[i]);
  return wide;
}

OpCase widened(OpCase row) {
  for (CaseInput& input : row.in)
    for (Tensor& value : input.values) value = widened(value);
  for (auto& [name, value] : row.attrs)
    if (value.kind() == AttrKind::kType && value.get<DType>() == DType::f32) value = DType::f64;
  return row;
}

// One row as a graph of double inputs, the sum of its outputs with fixed weights, and gradients.
class Probe {
 public:
  explicit Probe(const OpCase& row)
      : case_(case_graph(row, standard_ops().at(row.op), InputMode::kFed)), graph_(load(case_)) {
    Node& node = graph_->at("case");
    Scope scope(*graph_);
    for (const Output& input : node.inputs())
      if (input.dtype() == DType::f64 && input.node->op().has(kFeedOnly)) xs_.push_back(input);
    Session forward(graph_);
    for (int i = 0; i < node.output_count(); ++i)
      if (node.output_type(i) == DType::f64) ys_.push_back(node.output(i));
    if (xs_.empty() || ys_.empty()) return;
    GradientOptions options;
    for (const Tensor& value : forward.run(case_.feeds, names(ys_), {})) {
      weights_.push_back(random(DType::f64, value.shape(), 17 + weights_.size(), 0.5, 1.5));
      options.grad_ys.push_back(scope.constant(weights_.back(), "weights"));
    }
    for (const Gradient& g : gradients(scope, ys_, xs_, options))
      grads_.push_back(g.empty()       ? Output()
                       : g.is_slices() ? densify(scope, g.slices())
                                       : g.dense());
    session_ = std::make_unique<Session>(graph_);
  }

  bool applies() const { return !xs_.empty() && !ys_.empty(); }
  std::string check();  // what is wrong, "" if nothing is

 private:
  static std::vector<std::string> names(const std::vector<Output>& outputs) {
    std::vector<std::string> all;
    for (const Output& output : outputs) all.push_back(output.name());
    return all;
  }
  double weighted_sum();
  double moved(double& element, double by) {
    const double before = element;
    element = before + by;
    const double sum = weighted_sum();
    element = before;
    return sum;
  }
  std::string check_input(std::size_t i);
  std::string check_element(std::size_t i, double& element, double got);

  CaseGraph case_;
  std::shared_ptr<Graph> graph_;
  std::vector<Output> xs_, ys_, grads_;
  std::vector<Tensor> weights_;
  std::unique_ptr<Session> session_;
};

double Probe::weighted_sum() {
  double sum = 0;
  const auto values = session_->run(case_.feeds, names(ys_), {});
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::int64_t k = 0; k < values[i].element_count(); ++k)
      sum += values[i].data<double>()[k] * weights_[i].data<double>()[k];
  return sum;
}

// Where the slopes on both sides differ there is a corner, which has no derivative.
std::string Probe::check_element(std::size_t i, double& element, double got) {
  const double step = 1e-5 * std::max(1.0, std::abs(element));
  const double here = weighted_sum(), above = moved(element, step), below = moved(element, -step);
  const double right = (above - here) / step, left = (here - below) / step;
  const double want = (above - below) / (2 * step);
  if (!std::isfinite(want) || !std::isfinite(right) || !std::isfinite(left)) return "";
  const double scale = std::max({1.0, std::abs(want), std::abs(here)});
  if (std::abs(right - left) > 1e-2 * scale) return "";
  if (std::abs(got - want) <= 1e-4 * scale) return "";
  return str_cat("d/d input ", i, " is ", got, " where differences give ", want);
}

std::string Probe::check_input(std::size_t i) {
  const auto feed = std::ranges::find_if(case_.feeds, [&](const auto& f) {
    return f.first == xs_[i].node->name() || f.first == xs_[i].name();
  });
  if (feed == case_.feeds.end()) return str_cat("input ", i, " is not fed");
  feed->second = feed->second.clone();
  Tensor& x = feed->second;
  Tensor gradient = Tensor::zeros(DType::f64, x.shape());
  if (grads_[i]) gradient = session_->run(case_.feeds, {grads_[i].name()}, {})[0];
  if (gradient.shape() != x.shape())
    return str_cat("the gradient of input ", i, " has shape ", gradient.shape());
  const std::int64_t stride = std::max<std::int64_t>(1, x.element_count() / kMaxProbed);
  for (std::int64_t k = 0; k < x.element_count(); k += stride)
    if (std::string wrong = check_element(i, x.data<double>()[k], gradient.data<double>()[k]);
        !wrong.empty())
      return str_cat(wrong, ", element ", k);
  return "";
}

std::string Probe::check() {
  for (std::size_t i = 0; i < xs_.size(); ++i)
    if (std::string wrong = check_input(i); !wrong.empty()) return wrong;
  return "";
}

bool wanted(const OpCase& row) {
  const Op& op = standard_ops().at(row.op);
  return row.grad && row.error[0] == '\0' && op.grad != nullptr && op.grad != not_differentiable &&
         !op.has(kControlFlow);
}

enum class Outcome { kPassed, kFailed, kLeftOut };

Outcome check(const char* stem, const NamedCase& c) {
  std::string wrong;
  try {
    Probe probe(widened(c.row));
    if (!probe.applies()) return Outcome::kLeftOut;
    wrong = probe.check();
  } catch (...) {
    wrong = current_error().what();
  }
  if (wrong.empty()) return Outcome::kPassed;
  std::printf("FAILED %s/%s: %s\n", stem, c.name.c_str(), wrong.c_str());
  return Outcome::kFailed;
}

}  // namespace

int check_gradients(const std::string& stem) {
  int counts[3] = {};
  for (const OpCases* table : selected(stem))
    for (const NamedCase& c : named_cases(*table))
      if (wanted(c.row)) ++counts[static_cast<int>(check(table->stem, c))];
  std::printf("%d passed, %d failed, %d without double inputs\n", counts[0], counts[1], counts[2]);
  return counts[1] == 0 ? 0 : 1;
}

}  // namespace rill
