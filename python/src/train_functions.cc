#include "train_functions.h"

#include "call.h"
#include "errors.h"
#include "gradient_values.h"
#include "inputs.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/learning_rate_decay.h"
#include "rill/api/train/moving_averages.h"
#include "variables.h"

namespace rill::python {
namespace {

Input step_of(const Call& call, const char* function) {
  if (!call.has("global_step")) value_error("global_step is required for ", function, ".");
  return call.input("global_step");
}

train::DecayOptions decay_options(const Call& call) {
  return {.staircase = call.flag("staircase"), .name = call.name()};
}

std::vector<Input> flat_inputs(nb::handle list) {
  std::vector<Input> items;
  if (PyList_Check(list.ptr()) || PyTuple_Check(list.ptr())) {
    for (nb::handle item : list)
      for (Input& input : flat_inputs(item)) items.push_back(std::move(input));
  } else {
    items.push_back(input_of(list, DType::invalid, "", "value"));
  }
  return items;
}

// A copy of what a call was given.
struct KeptCall {
  explicit KeptCall(const Call& call) {
    for (std::size_t i = 0; i < most_parameters(call); ++i) {
      names.emplace_back(call.parameter(i));
      values.push_back(nb::borrow(call[names.back()]));
    }
  }
  static std::size_t most_parameters(const Call& call) {
    std::size_t count = 0;
    for (const char* name : {"learning_rate",  "global_step", "decay_steps",
                             "decay_rate",     "staircase",   "end_learning_rate",
                             "power",          "cycle",       "x",
                             "boundaries",     "values",      "first_decay_steps",
                             "t_mul",          "m_mul",       "alpha",
                             "beta",           "num_periods", "initial_variance",
                             "variance_decay", "name"})
      count += call.knows(name) ? 1 : 0;
    return count;
  }
  std::vector<std::string> names;
  std::vector<nb::object> values;
};

// In eager execution a schedule is a function: each call looks at the step of that moment.
template <auto now>
nb::object or_later(const Call& call) {
  if (!executing_eagerly()) return now(call);
  return nb::cpp_function([kept = KeptCall(call)] {
    std::vector<PyObject*> values;
    for (const nb::object& value : kept.values) values.push_back(value.ptr());
    return now(Call(kept.names, values));
  });
}

constexpr Function kSchedules[] = {
    {"train.exponential_decay(learning_rate, global_step, decay_steps, decay_rate, "
     "staircase=False, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "exponential_decay");
       return give(train::exponential_decay(c.input("learning_rate"), step, c.input("decay_steps"),
                                            c.input("decay_rate"), decay_options(c)));
     }>,
     "A learning rate that falls by the factor decay_rate every decay_steps."},
    {"train.natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, "
     "staircase=False, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "natural_exp_decay");
       return give(train::natural_exp_decay(c.input("learning_rate"), step, c.input("decay_steps"),
                                            c.input("decay_rate"), decay_options(c)));
     }>,
     "A learning rate that falls by the factor exp(-decay_rate) every decay_steps."},
    {"train.inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, "
     "staircase=False, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "inverse_time_decay");
       return give(train::inverse_time_decay(c.input("learning_rate"), step, c.input("decay_steps"),
                                             c.input("decay_rate"), decay_options(c)));
     }>,
     "The learning rate over one plus decay_rate times the periods passed."},
    {"train.polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, "
     "power=1.0, cycle=False, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "polynomial_decay");
       return give(train::polynomial_decay(c.input("learning_rate"), step, c.input("decay_steps"),
                                           {.end_learning_rate = c.input("end_learning_rate"),
                                            .power = c.input("power"),
                                            .cycle = c.flag("cycle"),
                                            .name = c.name()}));
     }>,
     "A learning rate that reaches end_learning_rate after decay_steps."},
    {"train.piecewise_constant(x, boundaries, values, name=None)", or_later<[](const Call& c) {
       return give(train::piecewise_constant(c.input("x"), flat_inputs(c["boundaries"]),
                                             flat_inputs(c["values"]), {.name = c.name()}));
     }>,
     "The value that belongs to the interval x is in."},
    {"train.cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "cosine_decay");
       return give(train::cosine_decay(c.input("learning_rate"), step, c.input("decay_steps"),
                                       {.alpha = c.input("alpha"), .name = c.name()}));
     }>,
     "A learning rate that falls along half a cosine."},
    {"train.cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, "
     "m_mul=1.0, alpha=0.0, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "cosine_decay_restarts");
       return give(train::cosine_decay_restarts(c.input("learning_rate"), step,
                                                c.input("first_decay_steps"),
                                                {.t_mul = c.input("t_mul"),
                                                 .m_mul = c.input("m_mul"),
                                                 .alpha = c.input("alpha"),
                                                 .name = c.name()}));
     }>,
     "Cosine decay that starts anew, each time longer and lower."},
    {"train.linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, "
     "alpha=0.0, beta=0.001, name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "linear_cosine_decay");
       return give(train::linear_cosine_decay(c.input("learning_rate"), step,
                                              c.input("decay_steps"),
                                              {.num_periods = c.input("num_periods"),
                                               .alpha = c.input("alpha"),
                                               .beta = c.input("beta"),
                                               .name = c.name()}));
     }>,
     "A falling line times a cosine."},
    {"train.noisy_linear_cosine_decay(learning_rate, global_step, decay_steps, "
     "initial_variance=1.0, variance_decay=0.55, num_periods=0.5, alpha=0.0, beta=0.001, "
     "name=None)",
     or_later<[](const Call& c) {
       const Input step = step_of(c, "noisy_linear_cosine_decay");
       return give(
           train::noisy_linear_cosine_decay(c.input("learning_rate"), step, c.input("decay_steps"),
                                            {.initial_variance = c.input("initial_variance"),
                                             .variance_decay = c.input("variance_decay"),
                                             .num_periods = c.input("num_periods"),
                                             .alpha = c.input("alpha"),
                                             .beta = c.input("beta"),
                                             .name = c.name()}));
     }>,
     "linear_cosine_decay with noise that fades."},
};

std::vector<Gradient> gradient_list(const Call& call) {
  const nb::handle list = call["t_list"];
  if (PySequence_Check(list.ptr()) == 0 || PyUnicode_Check(list.ptr()) || is_tensor(list))
    type_error("t_list should be a sequence");
  std::vector<Gradient> items;
  for (nb::handle item : list) items.push_back(gradient_of(item));
  return items;
}

constexpr Function kClipping[] = {
    {"clip_by_norm(t, clip_norm, axes=None, name=None)",
     [](const Call& c) -> nb::object {
       const ClipByNormOptions options{.axes = c.optional_input("axes"), .name = c.name()};
       if (is_slices(c["t"]))
         return give(clip_by_norm(gradient_of(c["t"]), c.input("clip_norm"), options));
       return give(clip_by_norm(c.input("t"), c.input("clip_norm"), options));
     },
     "The tensor scaled down to the L2 norm clip_norm where its own is larger."},
    {"clip_by_average_norm(t, clip_norm, name=None)",
     [](const Call& c) {
       return give(clip_by_average_norm(c.input("t"), c.input("clip_norm"), {.name = c.name()}));
     },
     "The tensor scaled down where its L2 norm per element is larger than clip_norm."},
    {"linalg.global_norm(t_list, name=None)",
     [](const Call& c) { return give(global_norm(gradient_list(c), {.name = c.name()})); },
     "The L2 norm of all tensors together."},
    {"clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None)",
     [](const Call& c) -> nb::object {
       const auto [clipped, norm] =
           clip_by_global_norm(gradient_list(c), c.input("clip_norm"),
                               {.use_norm = c.optional_input("use_norm"), .name = c.name()});
       nb::list items;
       for (const Gradient& item : clipped) items.append(give(item));
       return nb::make_tuple(items, give(norm));
     },
     "All tensors scaled down together to the global norm clip_norm; and the norm they had."},
};

// The graph that a function's argument names is the default one meanwhile.
template <class Build>
nb::object in_graph_argument(const Call& call, Build build) {
  if (!call.has("graph")) return build();
  const AsDefault graph(graph_object(call["graph"]).graph);
  return build();
}

constexpr Function kGlobalStep[] = {
    {"train.create_global_step(graph=None)",
     [](const Call& c) {
       return in_graph_argument(c, [] { return give(train::create_global_step()); });
     },
     "Makes the variable that counts training steps."},
    {"train.get_global_step(graph=None)",
     [](const Call& c) {
       return in_graph_argument(c, [] { return give_or_none(train::get_global_step()); });
     },
     "The variable that counts training steps, or None."},
    {"train.get_or_create_global_step(graph=None)",
     [](const Call& c) {
       return in_graph_argument(c, [] { return give(train::get_or_create_global_step()); });
     },
     "The variable that counts training steps, made where there is none."},
    {"train.assert_global_step(global_step_tensor)",
     [](const Call& c) -> nb::object {
       const nb::handle given = c["global_step_tensor"];
       if (is_variable(given)) {
         train::assert_global_step(variable_of(given));
         return nb::none();
       }
       if (!is_tensor(given))
         type_error("Existing \"global_step\" must be a Variable or Tensor: ", repr_of(given), ".");
       train::assert_global_step(tensor_object(given).output);
       return nb::none();
     },
     "Raises TypeError unless it is an integer scalar."},
};

constexpr Function kMovingAverages[] = {
    {"__internal__.train.assign_moving_average(variable, value, decay, zero_debias=True, "
     "name=None)",
     [](const Call& c) {
       const Variable variable = variable_of(c["variable"]);
       return give_written(variable, train::assign_moving_average(
                                         variable, c.input("value"), c.input("decay"),
                                         {.zero_debias = c.flag("zero_debias"), .name = c.name()}));
     },
     "Moves a variable towards a value."},
    {"__internal__.train.weighted_moving_average(value, decay, weight, truediv=True, "
     "collections=None, name=None)",
     [](const Call& c) {
       train::WeightedMovingAverageOptions options{.truediv = c.flag("truediv"), .name = c.name()};
       if (c.has("collections")) {
         options.collections.emplace();
         for (nb::handle name : c["collections"]) options.collections->push_back(str_of(name));
       }
       return give(train::weighted_moving_average(c.input("value"), c.input("decay"),
                                                  c.input("weight"), options));
     },
     "The moving average of value, each value weighted."},
};

}  // namespace

void bind_train_functions() {
  add_functions(kSchedules);
  add_functions(kClipping);
  add_functions(kGlobalStep);
  add_functions(kMovingAverages);
}

}  // namespace rill::python
