// tf.distributions in C++: nodes, values, and classes that programs define.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/rill.h"

namespace tf = rill;
namespace tfd = rill::distributions;

namespace {

class Distributions : public ::testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const tf::Node* node : graph_->nodes()) all.push_back(node->name());
    return all;
  }
  std::vector<float> values(tf::Output output) const {
    tf::Session session(graph_);
    const tf::Tensor tensor = session.run({}, {&output, 1})[0];
    const auto flat = tensor.flat<float>();
    return {flat.begin(), flat.end()};
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

TEST_F(Distributions, normal) {
  tfd::Normal d(1.0, 2.0);
  const tf::Output p = d.log_prob(0.0);
  EXPECT_EQ(names(), (std::vector<std::string>{
                         "Normal/loc/input", "Normal/loc", "Normal/scale/input", "Normal/scale",
                         "Normal/log_prob/value", "Normal/log_prob/standardize/sub",
                         "Normal/log_prob/standardize/truediv", "Normal/log_prob/Square",
                         "Normal/log_prob/mul/x", "Normal/log_prob/mul", "Normal/log_prob/Log",
                         "Normal/log_prob/add/x", "Normal/log_prob/add", "Normal/log_prob/sub"}));
  EXPECT_NEAR(values(p)[0], -0.125 - std::log(2 * std::sqrt(2 * M_PI)), 1e-6);
  EXPECT_NEAR(values(d.cdf(1.0))[0], 0.5, 1e-6);
  EXPECT_NEAR(values(d.quantile(0.5))[0], 1.0, 1e-6);
  EXPECT_EQ(d.name(), "Normal/");
  EXPECT_EQ(values(d.variance())[0], 4.0F);
}

TEST_F(Distributions, samples_have_shapes) {
  tfd::Normal d(tf::constant({1.0F, 2.0F}), 2.0, {.name = "n"});
  EXPECT_EQ(d.sample({3}, {.seed = 4}).shape(), (tf::PartialShape{3, 2}));
  EXPECT_EQ(d.sample().shape(), (tf::PartialShape{2}));
  EXPECT_EQ(d.batch_shape(), (tf::PartialShape{2}));
  EXPECT_EQ(d.event_shape(), tf::PartialShape::scalar());
}

TEST_F(Distributions, others_answer) {
  const auto two = tf::constant({0.25F, 0.75F});
  tfd::Categorical c({.probs = tf::Input(two)});
  EXPECT_NEAR(values(c.log_prob(1))[0], std::log(0.75), 1e-6);
  tfd::Bernoulli b({.logits = tf::Input(0.0)});
  EXPECT_NEAR(values(b.mean())[0], 0.5, 1e-6);
  tfd::Uniform u(1.0, 3.0);
  EXPECT_NEAR(values(u.entropy())[0], std::log(2.0), 1e-6);
  tfd::Dirichlet d(tf::constant({1.0F, 3.0F}));
  EXPECT_EQ(values(d.mean()), (std::vector<float>{0.25F, 0.75F}));
  tfd::Exponential e(2.0);
  EXPECT_NEAR(values(e.survival_function(1.0))[0], std::exp(-2.0), 1e-6);
  EXPECT_EQ(tfd::param_shapes<tfd::Gamma>({2, 3}).size(), 2U);
}

TEST_F(Distributions, of_contrib) {
  tfd::contrib::Poisson p({.rate = tf::Input(2.0)});
  EXPECT_NEAR(values(p.prob(0.0))[0], std::exp(-2.0), 1e-6);
  tfd::contrib::MultivariateNormalDiag n({.loc = tf::Input(tf::constant({1.0F, 2.0F}))});
  EXPECT_EQ(n.event_shape(), (tf::PartialShape{2}));
  EXPECT_EQ(values(n.mode()), (std::vector<float>{1.0F, 2.0F}));
}

TEST_F(Distributions, diverge) {
  tfd::Normal a(0.0, 1.0), b(1.0, 1.0);
  EXPECT_NEAR(values(tfd::kl_divergence(a, b))[0], 0.5, 1e-6);
  EXPECT_NEAR(values(a.kl_divergence(b))[0], 0.5, 1e-6);
  EXPECT_NEAR(values(a.cross_entropy(b))[0], 0.5 + 0.5 * std::log(2 * M_PI * M_E), 1e-5);
  tfd::Laplace other(0.0, 1.0);
  EXPECT_THROW(tfd::kl_divergence(a, other), tf::Error);
}

// Between 0 and `width`, rising.
class Triangular : public tfd::Distribution {
 public:
  explicit Triangular(tf::Output width)
      : Distribution({.reparameterization_type = tfd::FULLY_REPARAMETERIZED, .name = "Triangular"}),
        width_(width) {}
  std::string type_name() const override { return "Triangular"; }
  tf::Output width() const { return width_; }

  tf::PartialShape do_batch_shape() const override { return width_.shape(); }
  tf::PartialShape do_event_shape() const override { return tf::PartialShape::scalar(); }
  tf::Output do_prob(tf::Output x) override { return 2.0 * x / tf::square(width_); }
  tf::Output do_stddev() override { return width_ / 3.0; }

 private:
  tf::Output width_;
};

TEST_F(Distributions, programs_define_their_own) {
  Triangular d(tf::constant(2.0F));
  EXPECT_NEAR(values(d.prob(1.0))[0], 0.5, 1e-6);
  EXPECT_NEAR(values(d.log_prob(1.0))[0], std::log(0.5), 1e-6);
  EXPECT_NEAR(values(d.variance())[0], 4.0 / 9.0, 1e-6);
  try {
    d.mean();
    FAIL();
  } catch (const tf::Error& error) {
    EXPECT_EQ(error.message(), "mean is not implemented: Triangular");
  }
  Triangular narrow(tf::constant(1.0F));
  tfd::register_kl<Triangular, Triangular>(
      [](Triangular& a, Triangular& b, const std::string&) { return a.width() - b.width(); });
  EXPECT_NEAR(values(d.kl_divergence(narrow))[0], 1.0, 1e-6);
}

}  // namespace
