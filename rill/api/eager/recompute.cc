#include "rill/api/eager/recompute.h"

#include "rill/api/core/gradients.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/gradients/custom_gradient.h"
#include "rill/base/error.h"

namespace rill {
namespace {

// The gradients that arrive; zeros where none does, which gradients() would take for ones.
std::vector<Gradient> filled(std::vector<Gradient> dys, const std::vector<Output>& like) {
  for (std::size_t i = 0; i < dys.size(); ++i)
    if (dys[i].empty()) dys[i] = current_scope().add("ZerosLike", {like[i]}).output();
  return dys;
}

std::vector<Gradient> gradients_again(const TensorsFunction& f, const std::vector<Output>& args,
                                      const std::vector<Variable>& variables,
                                      const std::vector<Gradient>& arriving) {
  std::vector<Output> xs = args;
  for (const Variable& variable : variables) xs.push_back(variable.handle());
  if (executing_eagerly()) {
    GradientTape tape;
    for (const Output& arg : args) tape.watch(arg);
    const std::vector<Output> again = f(args);
    return tape.gradient(again, xs, {.output_gradients = filled(arriving, again)});
  }
  Dependencies behind;
  for (const Gradient& dy : arriving)
    if (!dy.empty()) behind.push_back((dy.is_slices() ? dy.slices().values : dy.dense()).node);
  const ControlDependencies after(behind);
  const std::vector<Output> again = f(args);
  return gradients(again, xs, {.grad_ys = filled(arriving, again)});
}

}  // namespace

TensorsFunction recompute_grad(TensorsFunction f) {
  return [f = std::move(f)](const std::vector<Output>& args) {
    return custom_gradient(
        [&f](const std::vector<Output>& inner) {
          const std::vector<Output> results = f(inner);
          const std::vector<Variable> variables = variables_between(inner, results);
          return WithGradient{.results = results,
                              .grad =
                                  [f, inner, variables](const std::vector<Gradient>& dys) {
                                    return gradients_again(f, inner, variables, dys);
                                  },
                              .variables = variables};
        },
        args);
  };
}

TensorsFunction grad_pass_through(TensorsFunction f) {
  return [f = std::move(f)](const std::vector<Output>& args) {
    return custom_gradient(
        [&f](const std::vector<Output>& inner) {
          const std::vector<Output> results = f(inner);
          const std::vector<Variable> variables = variables_between(inner, results);
          const auto pass = [count = variables.size()](std::vector<Gradient> dys) {
            dys.resize(dys.size() + count);  // none for the variables
            return dys;
          };
          return WithGradient{.results = results, .grad = pass, .variables = variables};
        },
        args);
  };
}

}  // namespace rill
