#include "rill/api/layers/normalised.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/gen/plain_math.h"
#include "rill/api/gen/plain_nn.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/normalization.h"

namespace rill::layers {
namespace {

double constant_number(const Input& input) { return input.value(DType::f64).data<double>()[0]; }

// 1 - momentum, as a number where it is one.
Output decay_of(const Input& momentum, DType dtype) {
  if (momentum.is_value())
    return cast(as_tensor(Input(1.0 - constant_number(momentum)), "decay", DType::f32), dtype);
  const Output tensor = as_tensor(momentum, "momentum");
  return cast(1.0 - tensor, dtype);
}

// Writes of references take the block's name, those of resources are inside it.
std::string name_of(const Block& block, const Variable& variable) {
  return variable.is_resource() ? std::string() : block.own_name();
}

// The operation that wrote what `read` reads.
Node& write_behind(Output read, const Variable& variable) {
  if (!variable.is_resource()) return *read.node;
  for (Node* before : read.node->control_inputs())
    if (before->input_count() > 0 && before->input(0) == variable.handle()) return *before;
  return *read.node;
}

Output step_towards(const Variable& variable, Output value, const Input& momentum) {
  const Output decay = decay_of(momentum, variable.dtype());
  return (variable.value() - cast(value, variable.dtype())) * decay;
}

}  // namespace

Output move_average(const Variable& variable, Output value, const Input& momentum) {
  const Block in("", "AssignMovingAvg", std::source_location::current());
  const ColocateWith beside(variable.op());
  return variable.assign_sub(step_towards(variable, value, momentum),
                             {.name = name_of(in, variable)});
}

Node& move_average_op(const Variable& variable, Output value, const Input& momentum) {
  return write_behind(move_average(variable, value, momentum), variable);
}

Output BatchNormalization::fused(Output x, const Input& training) {
  const auto parameter = [&](const Weight& weight, double otherwise) {
    return weight ? Input(weight)
                  : Input(constant(otherwise,
                                   {.dtype = parameter_type(), .shape = parameter_shape_.full()}));
  };
  const Input shift = parameter(beta, 0.0), factor = parameter(gamma, 1.0);
  const auto normalise = [&](bool is_training) {
    const nn::FusedBatchNorm made =
        nn::fused_batch_norm(x, factor, shift,
                             {.mean = moving_mean,
                              .variance = moving_variance,
                              .epsilon = static_cast<float>(options.epsilon),
                              .data_format = op_format_,
                              .is_training = is_training});
    return std::vector{made.y, made.batch_mean, made.batch_variance};
  };
  const std::vector<Output> made = smart_cond(
      training, [&] { return normalise(true); }, [&] { return normalise(false); });
  const std::optional<bool> known = smart_constant_value(training);
  if (known.value_or(true)) {
    const Output momentum =
        known ? as_tensor(options.momentum, "Const", DType::f32)
              : one_of(
                    training, [&] { return as_tensor(options.momentum, "Const", DType::f32); },
                    [] { return constant(1.0F); });
    add_update(move_average_op(moving_mean, made[1], momentum));
    add_update(move_average_op(moving_variance, made[2], momentum));
  }
  return made[0];
}

void BatchNormalization::renormalise(Normalised& n, Output& mean, Output& variance,
                                     const Input& training) {
  const Output stddev = sqrt(variance + options.epsilon);
  const Output least = maximum(renorm_stddev, sqrt(Input(static_cast<float>(options.epsilon))));
  Output r = stddev / least;
  Output d = (mean - Input(renorm_mean)) / least;
  Output seen_mean, seen_stddev;
  {
    Node* const both[] = {r.node, d.node};
    const ControlDependencies after(both);
    seen_mean = identity(mean);
    seen_stddev = identity(stddev);
  }
  const RenormClipping& clip = options.renorm_clipping;
  if (clip.rmin) r = maximum(r, *clip.rmin);
  if (clip.rmax) r = minimum(r, *clip.rmax);
  if (clip.dmax) {
    const Input& most = *clip.dmax;
    d = maximum(d, most.is_value() ? Input(-constant_number(most)) : Input(-as_tensor(most)));
    d = minimum(d, most);
  }
  r = one_of(
      training, [&] { return r; }, [&] { return ones_like(r); });
  d = one_of(
      training, [&] { return d; }, [&] { return zeros_like(d); });
  Node* const updates[] = {
      update_unless(training, renorm_mean, identity(seen_mean), options.renorm_momentum).node,
      update_unless(training, renorm_stddev, identity(seen_stddev), options.renorm_momentum).node};
  {
    const ControlDependencies after(updates);
    mean = identity(seen_mean);
    variance = identity(variance);
  }
  r = n.beside(stop_gradient(r, {.name = "renorm_r"}));
  d = n.beside(stop_gradient(d, {.name = "renorm_d"}));
  n.follow(r, d);
}

Output BatchNormalization::update_unless(const Input& training, const Weight& average, Output value,
                                         const Input& momentum) {
  return one_of(
      training, [&] { return move_average(average, value, momentum); },
      [&] { return identity(average); });
}

void BatchNormalization::add_average_updates(Output mean, Output variance, const Input& training) {
  const Variable means = moving_mean, variances = moving_variance;
  const auto new_variance = [&] {
    const Output moved =
        move_average(moving_stddev, sqrt(variance + options.epsilon), options.momentum);
    return nn::relu(moved * moved - options.epsilon);
  };
  const auto assign = [&] {
    const Output value = new_variance();
    const Block in("", "AssignNewValue", std::source_location::current());
    const ColocateWith beside(variances.op());
    return variances.assign(value, {.use_locking = true, .name = name_of(in, variances)});
  };
  if (smart_constant_value(training)) {
    add_update(move_average_op(means, mean, options.momentum));
    add_update(options.renorm ? write_behind(assign(), variances)
                              : move_average_op(variances, variance, options.momentum));
    return;
  }
  const Output new_means = one_of(
      training, [&] { return move_average(means, mean, options.momentum); },
      [&] { return as_tensor(means); });
  add_update(*new_means.node);
  const Output new_variances = one_of(
      training,
      [&] {
        return options.renorm ? assign() : move_average(variances, variance, options.momentum);
      },
      [&] { return as_tensor(variances); });
  add_update(*new_variances.node);
}

}  // namespace rill::layers
