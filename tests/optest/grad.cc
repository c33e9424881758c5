#include <cmath>
#include <cstdio>
#include <random>

#include "rill/base/error.h"
#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "tests/optest/commands.h"
#include "tests/optest/on_cpu.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxProbed = 24;  // elements of one input that are moved

// How inputs are moved and how exactly slopes must agree.
struct Precision {
  DType type;
  double step, corner, slope;
};
constexpr Precision kDouble{DType::f64, 1e-5, 1e-2, 1e-4};
constexpr Precision kFloat{DType::f32, 1e-2, 1e-1, 1e-2};

double element_of(const Tensor& t, std::int64_t i) {
  return t.dtype() == DType::f64 ? t.data<double>()[i] : static_cast<double>(t.data<float>()[i]);
}
void set_element(const Tensor& t, std::int64_t i, double value) {
  if (t.dtype() == DType::f64)
    t.data<double>()[i] = value;
  else
    t.data<float>()[i] = static_cast<float>(value);
}

// Rows of float are checked in double, where differences tell more, unless the op has none.
bool takes_double(const OpCase& row) {
  if (!row.graph.empty()) return false;  // the other nodes are of the type that the row states
  const Op& op = standard_ops().at(row.op);
  const auto is_float = [](const Arg& arg) { return arg.type == DType::f32; };
  if (std::ranges::any_of(op.inputs, is_float) || std::ranges::any_of(op.outputs, is_float))
    return false;
  for (const AttrSpec& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.allowed_types.empty()) continue;
    const auto allows = [&](DType type) {
      return std::ranges::find(attr.allowed_types, type) != attr.allowed_types.end();
    };
    if (allows(DType::f32) && !allows(DType::f64)) return false;
  }
  return true;
}

bool states_double(const OpCase& row) {
  if (row.graph.empty()) return false;
  for (const CaseInput& input : row.in)
    for (const Tensor& value : input.values)
      if (value.dtype() == DType::f64) return true;
  return false;
}

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

// One row as a graph of double or float inputs, the sum of its outputs with fixed weights, and
// gradients.
class Probe {
 public:
  Probe(const OpCase& row, const Precision& precision)
      : precision_(precision),
        case_(case_graph(row, standard_ops().at(row.op), InputMode::kFed)),
        graph_(load(case_)) {
    Node& node = graph_->at("case");
    Scope scope(*graph_);
    for (const Output& input : node.inputs())
      if (input.dtype() == precision.type && input.node->op().has(kFeedOnly)) xs_.push_back(input);
    Session forward(graph_);
    for (int i = 0; i < node.output_count(); ++i)
      if (node.output_type(i) == precision.type) ys_.push_back(node.output(i));
    if (xs_.empty() || ys_.empty()) return;
    GradientOptions options;
    for (const Tensor& value : forward.run(case_.feeds, names(ys_), {})) {
      weights_.push_back(random(precision.type, value.shape(), 17 + weights_.size(), 0.5, 1.5));
      options.grad_ys.push_back(scope.constant(weights_.back(), "weights"));
    }
    for (const Gradient& g : gradients(scope, ys_, xs_, options))
      grads_.push_back(g.empty()       ? Output()
                       : g.is_slices() ? densify(scope, g.slices())
                                       : g.dense());
    session_ = std::make_unique<Session>(graph_, options_of_row(false, !compares_with_cpu()));
    if (compares_with_cpu())
      cpu_session_ = std::make_unique<Session>(graph_, options_of_row(true, false));
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
  double moved(const Tensor& x, std::int64_t at, double by) {
    const double before = element_of(x, at);
    set_element(x, at, before + by);
    const double sum = weighted_sum();
    set_element(x, at, before);
    return sum;
  }
  std::string check_input(std::size_t i);
  std::string check_element(std::size_t i, const Tensor& x, std::int64_t at, double got);

  const Precision& precision_;
  CaseGraph case_;
  std::shared_ptr<Graph> graph_;
  std::vector<Output> xs_, ys_, grads_;
  std::vector<Tensor> weights_;
  std::unique_ptr<Session> session_, cpu_session_;  // the latter where both are compared
};

double Probe::weighted_sum() {
  double sum = 0;
  const auto values = session_->run(case_.feeds, names(ys_), {});
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::int64_t k = 0; k < values[i].element_count(); ++k)
      sum += element_of(values[i], k) * element_of(weights_[i], k);
  return sum;
}

// Where the slopes on both sides differ there is a corner, which has no derivative.
std::string Probe::check_element(std::size_t i, const Tensor& x, std::int64_t at, double got) {
  const double step = precision_.step * std::max(1.0, std::abs(element_of(x, at)));
  const double here = weighted_sum(), above = moved(x, at, step), below = moved(x, at, -step);
  const double right = (above - here) / step, left = (here - below) / step;
  const double want = (above - below) / (2 * step);
  if (!std::isfinite(want) || !std::isfinite(right) || !std::isfinite(left)) return "";
  const double scale = std::max({1.0, std::abs(want), std::abs(here)});
  if (std::abs(right - left) > precision_.corner * scale) return "";
  if (std::abs(got - want) <= precision_.slope * scale) return "";
  return str_cat("d/d input ", i, " is ", got, " where differences give ", want);
}

std::string Probe::check_input(std::size_t i) {
  const auto feed = std::ranges::find_if(case_.feeds, [&](const auto& f) {
    return f.first == xs_[i].node->name() || f.first == xs_[i].name();
  });
  if (feed == case_.feeds.end()) return str_cat("input ", i, " is not fed");
  feed->second = feed->second.clone();
  Tensor& x = feed->second;
  Tensor gradient = Tensor::zeros(precision_.type, x.shape());
  if (grads_[i].node) gradient = session_->run(case_.feeds, {grads_[i].name()}, {})[0];
  if (grads_[i].node && cpu_session_ != nullptr) {
    const auto on_cpu = cpu_session_->run(case_.feeds, {grads_[i].name()}, {});
    if (std::string wrong = bits_differ({gradient}, on_cpu); !wrong.empty())
      return str_cat("the gradient of input ", i, ": ", wrong);
  }
  if (gradient.shape() != x.shape())
    return str_cat("the gradient of input ", i, " has shape ", gradient.shape());
  const std::int64_t stride = std::max<std::int64_t>(1, x.element_count() / kMaxProbed);
  for (std::int64_t k = 0; k < x.element_count(); k += stride)
    if (std::string wrong = check_element(i, x, k, element_of(gradient, k)); !wrong.empty())
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

Outcome check_gradient(const char* stem, const NamedCase& c) {
  std::string wrong;
  try {
    const bool wide = takes_double(c.row);
    Probe probe(wide ? widened(c.row) : c.row, wide || states_double(c.row) ? kDouble : kFloat);
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
      if (wanted(c.row)) ++counts[static_cast<int>(check_gradient(table->stem, c))];
  std::printf("%d passed, %d failed, %d without such inputs\n", counts[0], counts[1], counts[2]);
  return counts[1] == 0 ? 0 : 1;
}

}  // namespace rill
