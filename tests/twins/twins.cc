// The twins of twins.py: writes the GraphDef of each program to DIRECTORY/NAME.pb.
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "rill/rill.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace tf = rill;
using tf::DType;

namespace {

void names_and_reuse() {
  {
    tf::VariableScopeBlock a("a");
    tf::get_variable("v", {2, 3}, {.initializer = tf::zeros_initializer()});
    tf::NameScope inner("inner");
    tf::constant(1.0f, {.name = "c"});
    tf::constant(2.0f, {.name = "c"});
  }
  tf::VariableScopeBlock again("a", {.reuse = tf::AUTO_REUSE});
  tf::get_variable("v", {2, 3}, {.initializer = tf::zeros_initializer()});
  tf::get_variable("w", {3}, {.initializer = tf::ones_initializer(), .use_resource = true});
}

void regression() {
  auto x = tf::placeholder(DType::f32, {-1, 4}, {.name = "x"});
  auto y = tf::placeholder(DType::i64, {-1}, {.name = "y"});
  auto hidden = tf::layers::dense(x, 8, {.activation = tf::nn::relu});
  auto logits = tf::layers::dense(hidden, 3);
  auto loss = tf::losses::sparse_softmax_cross_entropy(y, logits);
  tf::train::AdamOptimizer(1e-3).minimize(loss);
}

void decayed_rate() {
  auto step = tf::train::get_or_create_global_step();
  auto rate = tf::train::exponential_decay(0.1f, step, 100, 0.5f, {.staircase = true});
  tf::Variable w(2.0f, {.name = "w"});
  auto loss = tf::square(w);
  tf::train::MomentumOptimizer(rate, 0.9f).minimize(loss, {.global_step = step});
}

void branches_and_loops() {
  auto x = tf::placeholder(DType::f32, tf::PartialShape{}, {.name = "x"});
  tf::cond(
      tf::greater(x, 0.0f), [&] { return std::vector<tf::Output>{tf::raw::Neg(x)}; },
      [&] { return std::vector<tf::Output>{tf::raw::Square(x)}; });
}

void wide_and_deep() {
  namespace fc = tf::feature_column;
  const fc::Features features{{"age", tf::placeholder(DType::f32, {-1}, {.name = "age"})},
                              {"city", tf::placeholder(DType::string, {-1, 1}, {.name = "city"})}};
  const auto age = fc::bucketized_column(fc::numeric_column("age"), {18, 65});
  const auto city = fc::categorical_column_with_hash_bucket("city", 5);
  auto deep = fc::input_layer(features, {age, fc::embedding_column(city, 2)});
  auto wide = fc::linear_model(features, {age, city, fc::crossed_column({age, "city"}, 9)});
  auto deep_sum = tf::reduce_sum(deep), wide_sum = tf::reduce_sum(wide);
  auto loss = deep_sum + wide_sum;
  tf::train::FtrlOptimizer(0.1F).minimize(loss);
}

}  // namespace

int main(int, char** argv) {
  const std::map<std::string, std::function<void()>> programs{{"names_and_reuse", names_and_reuse},
                                                              {"regression", regression},
                                                              {"decayed_rate", decayed_rate},
                                                              {"branches", branches_and_loops},
                                                              {"wide_and_deep", wide_and_deep}};
  for (const auto& [name, build] : programs) {
    const auto graph = tf::make_graph();
    const tf::AsDefault in_graph(graph);
    build();
    tf::write_file(std::string(argv[1]) + "/" + name + ".pb",
                   tf::export_graph_def(*graph).SerializeAsString());
  }
}
