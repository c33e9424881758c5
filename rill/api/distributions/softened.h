#pragma once

#include "rill/api/distributions/location_scale.h"
#include "rill/api/distributions/numbers.h"

namespace rill::distributions::contrib {

// Distributions whose parameters must be positive, made of any numbers: softplus(x) = log(1 +
// exp(x)) makes them so, for parameters that come from a network. The accessors such as scale()
// give the softened tensor. Constructors throw what those of the class behind throw.
//
//   contrib::NormalWithSoftplusScale d(net_mean, net_scale);

// The parameters are softened inside of the name scope of the distribution, before the base class
// is made; `options` carries that scope's name, with a slash, so that the base class enters it
// again.
struct Softened {
  // Each parameter under the name of the node that softens it.
  Softened(const char* type, const DistributionOptions& options,
           const std::vector<std::pair<const char*, Input>>& parameters, std::source_location at);

  std::vector<Output> values = {};
  DistributionOptions options = {};
};

class NormalWithSoftplusScale : public Normal {
 public:
  NormalWithSoftplusScale(const Input& loc, const Input& scale,
                          const DistributionOptions& options = {}, At at = At::current())
      : NormalWithSoftplusScale(
            loc, Softened("NormalWithSoftplusScale", options, {{"softplus_scale", scale}}, at)) {}
  std::string type_name() const override { return "NormalWithSoftplusScale"; }

 private:
  NormalWithSoftplusScale(const Input& loc, const Softened& s)
      : Normal(loc, s.values[0], s.options) {}
};

class LaplaceWithSoftplusScale : public Laplace {
 public:
  LaplaceWithSoftplusScale(const Input& loc, const Input& scale,
                           const DistributionOptions& options = {}, At at = At::current())
      : LaplaceWithSoftplusScale(
            loc, Softened("LaplaceWithSoftplusScale", options, {{"softplus_scale", scale}}, at)) {}
  std::string type_name() const override { return "LaplaceWithSoftplusScale"; }

 private:
  LaplaceWithSoftplusScale(const Input& loc, const Softened& s)
      : Laplace(loc, s.values[0], s.options) {}
};

class GammaWithSoftplusConcentrationRate : public Gamma {
 public:
  GammaWithSoftplusConcentrationRate(const Input& concentration, const Input& rate,
                                     const DistributionOptions& options = {}, At at = At::current())
      : GammaWithSoftplusConcentrationRate(
            Softened("GammaWithSoftplusConcentrationRate", options,
                     {{"softplus_concentration", concentration}, {"softplus_rate", rate}}, at)) {}
  std::string type_name() const override { return "GammaWithSoftplusConcentrationRate"; }

 private:
  explicit GammaWithSoftplusConcentrationRate(const Softened& s)
      : Gamma(s.values[0], s.values[1], s.options) {}
};

class ExponentialWithSoftplusRate : public Exponential {
 public:
  explicit ExponentialWithSoftplusRate(const Input& rate, const DistributionOptions& options = {},
                                       At at = At::current())
      : ExponentialWithSoftplusRate(
            Softened("ExponentialWithSoftplusRate", options, {{"softplus_rate", rate}}, at)) {}
  std::string type_name() const override { return "ExponentialWithSoftplusRate"; }

 private:
  explicit ExponentialWithSoftplusRate(const Softened& s) : Exponential(s.values[0], s.options) {}
};

class BetaWithSoftplusConcentration : public Beta {
 public:
  BetaWithSoftplusConcentration(const Input& concentration1, const Input& concentration0,
                                const DistributionOptions& options = {}, At at = At::current())
      : BetaWithSoftplusConcentration(Softened("BetaWithSoftplusConcentration", options,
                                               {{"softplus_concentration1", concentration1},
                                                {"softplus_concentration0", concentration0}},
                                               at)) {}
  std::string type_name() const override { return "BetaWithSoftplusConcentration"; }

 private:
  explicit BetaWithSoftplusConcentration(const Softened& s)
      : Beta(s.values[0], s.values[1], s.options) {}
};

}  // namespace rill::distributions::contrib
