// tf.profiler: what a graph's parameters, operations and traced steps come to.
#include "rill/api/profiler/profiler.h"

#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/base/files.h"
#include "rill/rill.h"

namespace rill {
namespace {

struct Net {
  Net() {
    const VariableScope scope("net");
    const auto w = get_variable("w", {8, 16});
    y = nn::relu(matmul(x, w));
  }
  std::shared_ptr<Graph> graph = make_graph();
  AsDefault as_default{graph};
  Output x = placeholder(float32, {4, 8}, {.name = "x"});
  Output y;  // made last
};

profiler::ProfileOptions quiet(profiler::ProfileOptions options) {
  options.output = "none";
  return options;
}

TEST(Profiler, counts_parameters_and_operations) {
  const Net net;
  const auto parameters =
      profiler::profile_scope(*net.graph, quiet(profiler::trainable_variables_parameter()));
  EXPECT_EQ(parameters.total_parameters(), 8 * 16);
  auto products = quiet(profiler::float_operation());
  products.account_type_regexes = {"MatMul"};
  EXPECT_EQ(profiler::profile_op(*net.graph, products).total_float_ops(), 2 * 8 * 4 * 16);
}

TEST(Profiler, times_of_a_traced_step) {
  Net net;
  Session session;
  session.run(global_variables_initializer());
  StepStats stats;
  const Tensor ones = Tensor::of<float>({4, 8}, std::vector<float>(32, 1));
  session.run(std::vector<Feed>{{net.x, ones}}, std::vector{net.y}, {}, {.trace = true}, &stats);
  profiler::Profiler profiler(*net.graph);
  profiler.add_step(0, stats);
  const auto all = quiet(profiler::time_and_memory({.min_micros = 0, .min_bytes = 0}));
  const auto scopes = profiler.profile_name_scope(all);
  EXPECT_GT(scopes.total_exec_micros(), 0);
  const auto code = profiler.profile_python(all);
  EXPECT_EQ(code.total_exec_micros(), scopes.total_exec_micros());
  EXPECT_EQ(profiler.advise().size(), 3u);
}

TEST(Profiler, what_is_not_there_is_refused) {
  const Net net;
  profiler::ProfileOptions options;
  options.output = "file";
  const auto refused = [&] {
    return thrown_by([&] { profiler::profile_scope(*net.graph, options); }).message();
  };
  EXPECT_EQ(refused(), "Output 'file' needs a file: file:outfile=FILE");
  options = {};
  options.show_name_regexes = {"("};
  EXPECT_TRUE(refused().starts_with("Invalid regular expression '('")) << refused();
}

}  // namespace
}  // namespace rill
