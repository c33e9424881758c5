#include "distribution_kinds.h"

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "rill/api/distributions/classes.h"
#include "rill/api/distributions/contrib.h"
#include "rill/api/distributions/location_scale.h"
#include "rill/api/distributions/numbers.h"
#include "rill/api/distributions/softened.h"
#include "truth.h"

namespace rill::python {
namespace {

using namespace distributions;
using Made = std::shared_ptr<Distribution>;

class Arguments {
 public:
  explicit Arguments(const nb::dict& all) : all_(all) {}

  Input input(const char* name) const {
    const nb::handle value = all_[name];
    if (value.is_none()) value_error("None values not supported.");
    return input_of(value, DType::invalid, "", name);
  }
  std::optional<Input> optional_input(const char* name) const {
    if (nb::handle(all_[name]).is_none()) return {};
    return input(name);
  }
  bool flag(const char* name) const { return truth_of(all_[name]); }
  DType dtype() const { return base_type(as_dtype(nb::object(all_["dtype"]))); }
  std::string name() const {
    const nb::object value = all_["name"];
    return value.is_none() ? "" : str_of(value);
  }
  DistributionOptions options() const {
    return {.validate_args = flag("validate_args"),
            .allow_nan_stats = flag("allow_nan_stats"),
            .name = name()};
  }
  // Those of distributions that take logits or probabilities.
  template <class Options>
  Options with_probs() const {
    Options options;
    options.logits = optional_input("logits");
    options.probs = optional_input("probs");
    options.validate_args = flag("validate_args");
    options.allow_nan_stats = flag("allow_nan_stats");
    options.name = name();
    if constexpr (requires { options.dtype; }) options.dtype = dtype();
    return options;
  }

 private:
  const nb::dict& all_;
};

template <class Class>
Made of_one(const Arguments& a, const char* first) {
  return std::make_shared<Class>(a.input(first), a.options());
}
template <class Class>
Made of_two(const Arguments& a, const char* first, const char* second) {
  return std::make_shared<Class>(a.input(first), a.input(second), a.options());
}

Made poisson(const Arguments& a) {
  contrib::PoissonOptions options;
  options.rate = a.optional_input("rate");
  options.log_rate = a.optional_input("log_rate");
  options.interpolate_nondiscrete = a.flag("interpolate_nondiscrete");
  options.validate_args = a.flag("validate_args");
  options.allow_nan_stats = a.flag("allow_nan_stats");
  options.name = a.name();
  return std::make_shared<contrib::Poisson>(options);
}
Made multivariate_normal_diag(const Arguments& a) {
  contrib::MultivariateNormalDiagOptions options;
  options.loc = a.optional_input("loc");
  options.scale_diag = a.optional_input("scale_diag");
  options.scale_identity_multiplier = a.optional_input("scale_identity_multiplier");
  options.validate_args = a.flag("validate_args");
  options.allow_nan_stats = a.flag("allow_nan_stats");
  options.name = a.name();
  return std::make_shared<contrib::MultivariateNormalDiag>(options);
}

struct Kind {
  const char* name;
  Made (*make)(const Arguments& a);
};
constexpr Kind kKinds[] = {
    {"Bernoulli",
     [](const Arguments& a) -> Made {
       return std::make_shared<Bernoulli>(a.with_probs<BernoulliOptions>());
     }},
    {"Beta",
     [](const Arguments& a) { return of_two<Beta>(a, "concentration1", "concentration0"); }},
    {"Categorical",
     [](const Arguments& a) -> Made {
       return std::make_shared<Categorical>(a.with_probs<CategoricalDistributionOptions>());
     }},
    {"Dirichlet", [](const Arguments& a) { return of_one<Dirichlet>(a, "concentration"); }},
    {"DirichletMultinomial",
     [](const Arguments& a) {
       return of_two<DirichletMultinomial>(a, "total_count", "concentration");
     }},
    {"Exponential", [](const Arguments& a) { return of_one<Exponential>(a, "rate"); }},
    {"Gamma", [](const Arguments& a) { return of_two<Gamma>(a, "concentration", "rate"); }},
    {"Laplace", [](const Arguments& a) { return of_two<Laplace>(a, "loc", "scale"); }},
    {"Multinomial",
     [](const Arguments& a) -> Made {
       return std::make_shared<Multinomial>(a.input("total_count"),
                                            a.with_probs<MultinomialOptions>());
     }},
    {"Normal", [](const Arguments& a) { return of_two<Normal>(a, "loc", "scale"); }},
    {"StudentT",
     [](const Arguments& a) -> Made {
       return std::make_shared<StudentT>(a.input("df"), a.input("loc"), a.input("scale"),
                                         a.options());
     }},
    {"Geometric",
     [](const Arguments& a) -> Made {
       return std::make_shared<contrib::Geometric>(a.with_probs<MultinomialOptions>());
     }},
    {"BetaWithSoftplusConcentration",
     [](const Arguments& a) {
       return of_two<contrib::BetaWithSoftplusConcentration>(a, "concentration1", "concentration0");
     }},
    {"ExponentialWithSoftplusRate",
     [](const Arguments& a) { return of_one<contrib::ExponentialWithSoftplusRate>(a, "rate"); }},
    {"GammaWithSoftplusConcentrationRate",
     [](const Arguments& a) {
       return of_two<contrib::GammaWithSoftplusConcentrationRate>(a, "concentration", "rate");
     }},
    {"LaplaceWithSoftplusScale",
     [](const Arguments& a) {
       return of_two<contrib::LaplaceWithSoftplusScale>(a, "loc", "scale");
     }},
    {"NormalWithSoftplusScale",
     [](const Arguments& a) {
       return of_two<contrib::NormalWithSoftplusScale>(a, "loc", "scale");
     }},
    {"Logistic", [](const Arguments& a) { return of_two<contrib::Logistic>(a, "loc", "scale"); }},
    {"MultivariateNormalDiag", multivariate_normal_diag},
    {"Poisson", poisson},
    {"Uniform", [](const Arguments& a) { return of_two<Uniform>(a, "low", "high"); }},
};

}  // namespace

std::shared_ptr<Distribution> make_distribution(const std::string& kind,
                                                const nb::dict& arguments) {
  for (const Kind& known : kKinds)
    if (kind == known.name) return known.make(Arguments(arguments));
  value_error("there is no distribution ", kind);
}

}  // namespace rill::python
