#include "rill/api/keras/schedules.h"

#include "rill/api/keras/described.h"
#include "rill/api/train/learning_rate_decay.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace {

Input rate(double number) { return Input(static_cast<float>(number)); }

Json name_json(const std::string& name) { return name.empty() ? Json() : json_of(name); }

JsonMembers started(double initial_learning_rate, double decay_steps) {
  return {{"initial_learning_rate", json_of(initial_learning_rate)},
          {"decay_steps", json_of(decay_steps)}};
}

Schedule described(const char* class_name, JsonMembers first, JsonMembers more,
                   std::function<Output(Output)> apply) {
  first.insert(first.end(), more.begin(), more.end());
  return DescribedFunction{std::move(apply), described_as(class_name, std::move(first))};
}

JsonMembers decay_members(double decay_rate, const optimizers::schedules::DecayOptions& o) {
  return {{"decay_rate", json_of(decay_rate)},
          {"staircase", json_of(o.staircase)},
          {"name", name_json(o.name)}};
}

}  // namespace

namespace optimizers::schedules {

Schedule ExponentialDecay(double initial, double steps, double decay_rate, const DecayOptions& o) {
  return described(
      "ExponentialDecay", started(initial, steps), decay_members(decay_rate, o), [=](Output step) {
        return train::exponential_decay(rate(initial), step, rate(steps), rate(decay_rate),
                                        {.staircase = o.staircase, .name = o.name});
      });
}
Schedule InverseTimeDecay(double initial, double steps, double decay_rate, const DecayOptions& o) {
  return described(
      "InverseTimeDecay", started(initial, steps), decay_members(decay_rate, o), [=](Output step) {
        return train::inverse_time_decay(rate(initial), step, rate(steps), rate(decay_rate),
                                         {.staircase = o.staircase, .name = o.name});
      });
}
Schedule PiecewiseConstantDecay(const std::vector<float>& boundaries,
                                const std::vector<float>& values) {
  const auto all = [](const std::vector<float>& numbers) {
    return json_of(std::vector<double>(numbers.begin(), numbers.end()));
  };
  return described("PiecewiseConstantDecay",
                   {{"boundaries", all(boundaries)}, {"values", all(values)}, {"name", Json()}}, {},
                   [=](Output step) {
                     const Inputs at(boundaries.begin(), boundaries.end());
                     return train::piecewise_constant(step, at, {values.begin(), values.end()});
                   });
}
Schedule PolynomialDecay(double initial, double steps, const PolynomialOptions& o) {
  return described("PolynomialDecay", started(initial, steps),
                   {{"end_learning_rate", json_of(o.end_learning_rate)},
                    {"power", json_of(o.power)},
                    {"cycle", json_of(o.cycle)},
                    {"name", name_json(o.name)}},
                   [=](Output step) {
                     return train::polynomial_decay(rate(initial), step, rate(steps),
                                                    {.end_learning_rate = rate(o.end_learning_rate),
                                                     .power = rate(o.power),
                                                     .cycle = o.cycle,
                                                     .name = o.name});
                   });
}

Json serialize(const Schedule& schedule) {
  Json description = description_of(schedule);
  require(!is_null(description),
          "this schedule is a function of the program, which cannot be "
          "written down: take one of optimizers::schedules");
  return description;
}

namespace {

// The settings of a schedule, with what they are where nothing is said.
class Settings {
 public:
  explicit Settings(const Json& config) : config_(config) {}
  double number(const char* name) const { return number_of(member(config_, name), name); }
  double number(const char* name, double otherwise) const {
    const Json* const found = config_.find(name);
    return found == nullptr ? otherwise : number_of(*found, name);
  }
  bool flag(const char* name) const {
    const Json* const found = config_.find(name);
    return found != nullptr && bool_of(*found, name);
  }
  std::string name() const {
    const Json* const found = config_.find("name");
    return found == nullptr || is_null(*found) ? std::string() : text_of(*found, "name");
  }
  std::vector<float> numbers(const char* name) const {
    std::vector<float> all;
    for (const Json& item : member(config_, name).items)
      all.push_back(static_cast<float>(number_of(item, name)));
    return all;
  }

 private:
  const Json& config_;
};

}  // namespace

Schedule deserialize(const Json& described) {
  const std::string& kind = text_of(member(described, "class_name"), "class_name");
  const Settings s(member(described, "config"));
  if (kind == "PiecewiseConstantDecay")
    return PiecewiseConstantDecay(s.numbers("boundaries"), s.numbers("values"));
  const double initial = s.number("initial_learning_rate");
  if (kind == "CosineDecayRestarts")
    return experimental::CosineDecayRestarts(initial, s.number("first_decay_steps"),
                                             {.t_mul = s.number("t_mul", 2),
                                              .m_mul = s.number("m_mul", 1),
                                              .alpha = s.number("alpha", 0),
                                              .name = s.name()});
  const double steps = s.number("decay_steps");
  const DecayOptions decay{.staircase = s.flag("staircase"), .name = s.name()};
  if (kind == "ExponentialDecay")
    return ExponentialDecay(initial, steps, s.number("decay_rate"), decay);
  if (kind == "InverseTimeDecay")
    return InverseTimeDecay(initial, steps, s.number("decay_rate"), decay);
  if (kind == "PolynomialDecay")
    return PolynomialDecay(initial, steps,
                           {.end_learning_rate = s.number("end_learning_rate", 1e-4),
                            .power = s.number("power", 1),
                            .cycle = s.flag("cycle"),
                            .name = s.name()});
  if (kind == "CosineDecay")
    return experimental::CosineDecay(initial, steps,
                                     {.alpha = s.number("alpha", 0), .name = s.name()});
  if (kind == "LinearCosineDecay")
    return experimental::LinearCosineDecay(initial, steps,
                                           {.num_periods = s.number("num_periods", .5),
                                            .alpha = s.number("alpha", 0),
                                            .beta = s.number("beta", .001),
                                            .name = s.name()});
  require(kind == "NoisyLinearCosineDecay", "Unknown decay: ", kind);
  return experimental::NoisyLinearCosineDecay(initial, steps,
                                              {.initial_variance = s.number("initial_variance", 1),
                                               .variance_decay = s.number("variance_decay", .55),
                                               .num_periods = s.number("num_periods", .5),
                                               .alpha = s.number("alpha", 0),
                                               .beta = s.number("beta", .001),
                                               .name = s.name()});
}

}  // namespace optimizers::schedules

namespace experimental {

Schedule CosineDecay(double initial, double steps, const CosineOptions& o) {
  return described("CosineDecay", started(initial, steps),
                   {{"alpha", json_of(o.alpha)}, {"name", name_json(o.name)}}, [=](Output step) {
                     return train::cosine_decay(rate(initial), step, rate(steps),
                                                {.alpha = rate(o.alpha), .name = o.name});
                   });
}
Schedule CosineDecayRestarts(double initial, double first_steps, const CosineRestartsOptions& o) {
  return described(
      "CosineDecayRestarts",
      {{"initial_learning_rate", json_of(initial)}, {"first_decay_steps", json_of(first_steps)}},
      {{"t_mul", json_of(o.t_mul)},
       {"m_mul", json_of(o.m_mul)},
       {"alpha", json_of(o.alpha)},
       {"name", name_json(o.name)}},
      [=](Output step) {
        return train::cosine_decay_restarts(rate(initial), step, rate(first_steps),
                                            {.t_mul = rate(o.t_mul),
                                             .m_mul = rate(o.m_mul),
                                             .alpha = rate(o.alpha),
                                             .name = o.name});
      });
}
Schedule LinearCosineDecay(double initial, double steps, const LinearCosineOptions& o) {
  return described("LinearCosineDecay", started(initial, steps),
                   {{"num_periods", json_of(o.num_periods)},
                    {"alpha", json_of(o.alpha)},
                    {"beta", json_of(o.beta)},
                    {"name", name_json(o.name)}},
                   [=](Output step) {
                     return train::linear_cosine_decay(rate(initial), step, rate(steps),
                                                       {.num_periods = rate(o.num_periods),
                                                        .alpha = rate(o.alpha),
                                                        .beta = rate(o.beta),
                                                        .name = o.name});
                   });
}
Schedule NoisyLinearCosineDecay(double initial, double steps, const NoisyLinearCosineOptions& o) {
  return described("NoisyLinearCosineDecay", started(initial, steps),
                   {{"initial_variance", json_of(o.initial_variance)},
                    {"variance_decay", json_of(o.variance_decay)},
                    {"num_periods", json_of(o.num_periods)},
                    {"alpha", json_of(o.alpha)},
                    {"beta", json_of(o.beta)},
                    {"name", name_json(o.name)}},
                   [=](Output step) {
                     return train::noisy_linear_cosine_decay(
                         rate(initial), step, rate(steps),
                         {.initial_variance = rate(o.initial_variance),
                          .variance_decay = rate(o.variance_decay),
                          .num_periods = rate(o.num_periods),
                          .alpha = rate(o.alpha),
                          .beta = rate(o.beta),
                          .name = o.name});
                   });
}

}  // namespace experimental
}  // namespace rill::keras
