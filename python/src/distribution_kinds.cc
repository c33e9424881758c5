#include "distribution_kinds.h"

#include "named_arguments.h"
#include "rill/api/distributions/classes.h"
#include "rill/api/distributions/contrib.h"
#include "rill/api/distributions/contrib_gamma.h"
#include "rill/api/distributions/contrib_vectors.h"
#include "rill/api/distributions/location_scale.h"
#include "rill/api/distributions/numbers.h"
#include "rill/api/distributions/softened.h"

namespace rill::python {
namespace {

using MadeDistribution = std::shared_ptr<distributions::Distribution>;

class DistributionArguments : public NamedArguments {
 public:
  using NamedArguments::NamedArguments;

  DType dtype() const { return base_type(as_dtype((*this)["dtype"])); }
  distributions::DistributionOptions options() const {
    return {.validate_args = flag("validate_args"),
            .allow_nan_stats = flag("allow_nan_stats"),
            .name = text("name")};
  }
  // Those of distributions that take logits or probabilities.
  template <class Options>
  Options with_probs() const {
    Options options;
    options.logits = optional_input("logits");
    options.probs = optional_input("probs");
    options.validate_args = flag("validate_args");
    options.allow_nan_stats = flag("allow_nan_stats");
    options.name = text("name");
    if constexpr (requires { options.dtype; }) options.dtype = dtype();
    return options;
  }
};

template <class Class>
MadeDistribution of_one_parameter(const DistributionArguments& a, const char* first) {
  return std::make_shared<Class>(a.input(first), a.options());
}
template <class Class>
MadeDistribution of_two_parameters(const DistributionArguments& a, const char* first,
                                   const char* second) {
  return std::make_shared<Class>(a.input(first), a.input(second), a.options());
}

MadeDistribution poisson(const DistributionArguments& a) {
  distributions::contrib::PoissonOptions options;
  options.rate = a.optional_input("rate");
  options.log_rate = a.optional_input("log_rate");
  options.interpolate_nondiscrete = a.flag("interpolate_nondiscrete");
  options.validate_args = a.flag("validate_args");
  options.allow_nan_stats = a.flag("allow_nan_stats");
  options.name = a.text("name");
  return std::make_shared<distributions::contrib::Poisson>(options);
}
MadeDistribution multivariate_normal_diag(const DistributionArguments& a) {
  distributions::contrib::MultivariateNormalDiagOptions options;
  options.loc = a.optional_input("loc");
  options.scale_diag = a.optional_input("scale_diag");
  options.scale_identity_multiplier = a.optional_input("scale_identity_multiplier");
  options.validate_args = a.flag("validate_args");
  options.allow_nan_stats = a.flag("allow_nan_stats");
  options.name = a.text("name");
  return std::make_shared<distributions::contrib::MultivariateNormalDiag>(options);
}

MadeDistribution multivariate_normal_tril(const DistributionArguments& a) {
  distributions::contrib::MultivariateNormalTriLOptions options;
  options.loc = a.optional_input("loc");
  options.scale_tril = a.optional_input("scale_tril");
  options.validate_args = a.flag("validate_args");
  options.allow_nan_stats = a.flag("allow_nan_stats");
  options.name = a.text("name");
  return std::make_shared<distributions::contrib::MultivariateNormalTriL>(options);
}

struct DistributionKind {
  const char* name;
  MadeDistribution (*make)(const DistributionArguments& a);
};
constexpr DistributionKind kDistributionKinds[] = {
    {"Bernoulli",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::Bernoulli>(
           a.with_probs<distributions::BernoulliOptions>());
     }},
    {"Beta",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::Beta>(a, "concentration1", "concentration0");
     }},
    {"Categorical",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::Categorical>(
           a.with_probs<distributions::CategoricalDistributionOptions>());
     }},
    {"Dirichlet",
     [](const DistributionArguments& a) {
       return of_one_parameter<distributions::Dirichlet>(a, "concentration");
     }},
    {"DirichletMultinomial",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::DirichletMultinomial>(a, "total_count",
                                                                     "concentration");
     }},
    {"Exponential",
     [](const DistributionArguments& a) {
       return of_one_parameter<distributions::Exponential>(a, "rate");
     }},
    {"Gamma",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::Gamma>(a, "concentration", "rate");
     }},
    {"Laplace",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::Laplace>(a, "loc", "scale");
     }},
    {"Multinomial",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::Multinomial>(
           a.input("total_count"), a.with_probs<distributions::MultinomialOptions>());
     }},
    {"Normal",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::Normal>(a, "loc", "scale");
     }},
    {"StudentT",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::StudentT>(a.input("df"), a.input("loc"),
                                                        a.input("scale"), a.options());
     }},
    {"Binomial",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::contrib::Binomial>(
           a.input("total_count"), a.with_probs<distributions::MultinomialOptions>());
     }},
    {"Chi2",
     [](const DistributionArguments& a) {
       return of_one_parameter<distributions::contrib::Chi2>(a, "df");
     }},
    {"InverseGamma",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::contrib::InverseGamma>(a, "concentration", "rate");
     }},
    {"MultivariateNormalTriL", multivariate_normal_tril},
    {"OneHotCategorical",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::contrib::OneHotCategorical>(
           a.with_probs<distributions::contrib::OneHotCategoricalOptions>());
     }},
    {"Geometric",
     [](const DistributionArguments& a) -> MadeDistribution {
       return std::make_shared<distributions::contrib::Geometric>(
           a.with_probs<distributions::MultinomialOptions>());
     }},
    {"BetaWithSoftplusConcentration",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::contrib::BetaWithSoftplusConcentration>(
           a, "concentration1", "concentration0");
     }},
    {"ExponentialWithSoftplusRate",
     [](const DistributionArguments& a) {
       return of_one_parameter<distributions::contrib::ExponentialWithSoftplusRate>(a, "rate");
     }},
    {"GammaWithSoftplusConcentrationRate",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::contrib::GammaWithSoftplusConcentrationRate>(
           a, "concentration", "rate");
     }},
    {"LaplaceWithSoftplusScale",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::contrib::LaplaceWithSoftplusScale>(a, "loc",
                                                                                  "scale");
     }},
    {"NormalWithSoftplusScale",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::contrib::NormalWithSoftplusScale>(a, "loc", "scale");
     }},
    {"Logistic",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::contrib::Logistic>(a, "loc", "scale");
     }},
    {"MultivariateNormalDiag", multivariate_normal_diag},
    {"Poisson", poisson},
    {"Uniform",
     [](const DistributionArguments& a) {
       return of_two_parameters<distributions::Uniform>(a, "low", "high");
     }},
};

}  // namespace

std::shared_ptr<distributions::Distribution> make_distribution(const std::string& kind,
                                                               const nb::dict& arguments) {
  for (const DistributionKind& known : kDistributionKinds)
    if (kind == known.name) return known.make(DistributionArguments(arguments));
  value_error("there is no distribution ", kind);
}

}  // namespace rill::python
