#include "rill/api/train/learning_rate_decay.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/train/parts.h"

namespace rill::train {
namespace {

Output initial_rate(const Input& learning_rate) {
  return as_tensor(learning_rate, "initial_learning_rate");
}

// decay_rate ^ (steps / decay_steps) and its relatives need this quotient.
Output periods(Output step, Output decay_steps, bool staircase) {
  const Output quotient = truediv(step, decay_steps);
  return staircase ? raw::Floor(quotient) : quotient;
}

Output exponential(const Input& learning_rate, const Input& global_step, const Input& decay_steps,
                   const Input& decay_rate, const DecayOptions& options, std::source_location at) {
  const Block in(options.name, "ExponentialDecay", at);
  const Output rate = initial_rate(learning_rate);
  const DType dtype = base_type(rate.dtype());
  const Output steps = cast_in_block(decay_steps, dtype), base = cast_in_block(decay_rate, dtype);
  const Output exponent = periods(cast_in_block(global_step, dtype), steps, options.staircase);
  return raw::Mul(rate, raw::Pow(base, exponent), {.name = in.own_name()});
}

// The multiple of decay_steps in which the decay that is under way at `step` ends.
Output cycles(Output step, const Input& decay_steps) {
  const Output at_start = raw::Equal(step, 0);
  const Output begun = raw::Ceil(truediv(step, decay_steps));
  return raw::SelectV2(at_start, Input(1.0).value(base_type(step.dtype())), begun);
}

}  // namespace

Output exponential_decay(const Input& learning_rate, const Input& global_step,
                         const Input& decay_steps, const Input& decay_rate,
                         const DecayOptions& options, std::source_location at) {
  return exponential(learning_rate, global_step, decay_steps, decay_rate, options, at);
}

Output natural_exp_decay(const Input& learning_rate, const Input& global_step,
                         const Input& decay_steps, const Input& decay_rate,
                         const DecayOptions& options, std::source_location at) {
  const Output base = raw::Exp(raw::Neg(decay_rate, {}, at), {}, at);
  return exponential(learning_rate, global_step, decay_steps, base, options, at);
}

Output inverse_time_decay(const Input& learning_rate, const Input& global_step,
                          const Input& decay_steps, const Input& decay_rate,
                          const DecayOptions& options, std::source_location at) {
  const Block in(options.name, "InverseTimeDecay", at);
  const Output rate = initial_rate(learning_rate);
  const DType dtype = base_type(rate.dtype());
  const Output steps = cast_in_block(decay_steps, dtype), slope = cast_in_block(decay_rate, dtype);
  const Output passed = periods(cast_in_block(global_step, dtype), steps, options.staircase);
  const Output one = cast_in_block(constant(1), dtype);
  const Output divisor = raw::AddV2(one, raw::Mul(slope, passed), {.name = "Add"});
  return raw::RealDiv(rate, divisor, {.name = in.own_name()});
}

Output polynomial_decay(const Input& learning_rate, const Input& global_step,
                        const Input& decay_steps, const PolynomialDecayOptions& options,
                        std::source_location at) {
  const Block in(options.name, "PolynomialDecay", at);
  const Output rate = initial_rate(learning_rate);
  const DType dtype = base_type(rate.dtype());
  const Output end = cast_in_block(options.end_learning_rate, dtype),
               power = cast_in_block(options.power, dtype);
  Output step = cast_in_block(global_step, dtype), steps = cast_in_block(decay_steps, dtype);
  if (options.cycle)
    steps = raw::Mul(steps, cycles(step, decay_steps));
  else
    step = raw::Minimum(step, steps);
  const Output fraction = truediv(step, steps);
  const Output range = sub(rate, end);
  const Output left = raw::Pow(sub(1, fraction), power);
  return raw::AddV2(raw::Mul(range, left), end, {.name = in.own_name()});
}

namespace {

std::string dtype_repr(DType type) { return str_cat("<dtype: '", dtype_text(type), "'>"); }

}  // namespace

Output piecewise_constant(const Input& x, const Inputs& boundaries, const Inputs& values,
                          const PiecewiseConstantOptions& options, std::source_location at) {
  require(boundaries.size() + 1 == values.size(),
          "The length of boundaries should be 1 less than the length of values");
  require(!boundaries.empty(), "boundaries must not be empty");
  const MadeAt made(origin_at(at));
  std::vector<Output> limits, rates;
  for (const Input& boundary : boundaries) limits.push_back(as_tensor(boundary));
  for (const Input& value : values) rates.push_back(as_tensor(value));
  const DType dtype = base_type(as_tensor(x).dtype());
  for (Output& limit : limits) {
    const DType type = base_type(limit.dtype());
    if (type == dtype) continue;
    require(type == DType::i32 && dtype == DType::i64, "Boundaries (", dtype_repr(type),
            ") must have the same dtype as x (", dtype_repr(dtype), ").");
    limit = cast_in_block(limit, dtype);
  }
  for (const Output& rate : rates)
    require(rate.dtype() == rates[0].dtype(), "Values must have elements all with the same dtype (",
            rates[0].dtype(), " vs ", rate.dtype(), ").");
  const Block in(options.name, "PiecewiseConstant", at);
  const Output step = as_tensor(x);  // a resource is read a second time
  std::vector<std::pair<Output, BranchFn>> branches;
  const auto gives = [](Output rate) -> BranchFn { return [rate] { return std::vector{rate}; }; };
  branches.emplace_back(raw::LessEqual(step, limits.front()), gives(rates.front()));
  branches.emplace_back(raw::Greater(step, limits.back()), gives(rates.back()));
  for (std::size_t i = 1; i < limits.size(); ++i) {
    const Output above = raw::Greater(step, limits[i - 1]);
    const Output below = raw::LessEqual(step, limits[i]);
    branches.emplace_back(raw::LogicalAnd(above, below, {.name = "and"}), gives(rates[i]));
  }
  return case_of(branches, gives(rates.front()), {.exclusive = true, .name = "case"}).at(0);
}

}  // namespace rill::train
