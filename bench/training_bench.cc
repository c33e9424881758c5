// What hooks add to a step, from C++: a bare session beside a monitored one with its default hooks.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "rill/api/core/default_graph.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/monitored_session.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_lists.h"

namespace rill {
namespace {

struct Program {
  std::shared_ptr<Graph> graph = make_graph();
  AsDefault as_default{graph};
  Node& train = *assign_add(train::get_or_create_global_step(), std::int64_t{1}).node;
};

void bare_step(benchmark::State& state) {
  Program p;
  Node& init = global_variables_initializer();
  Session session(p.graph);
  session.run(init);
  for (auto _ : state) session.run(p.train);
}
BENCHMARK(bare_step)->Name("bare_train_step");

void monitored_step(benchmark::State& state) {
  Program p;
  static int runs =
      0;  // one directory for each: writers of a directory live as long as the process
  const auto directory = std::filesystem::temp_directory_path() /
                         ("rill_training_bench" + std::to_string(::getpid())) /
                         std::to_string(runs++);
  auto session = train::MonitoredTrainingSession(
      {.checkpoint_dir = directory.string(), .log_step_count_steps = 1'000'000'000});
  for (auto _ : state) session.run(p.train);
  session.close();
  std::filesystem::remove_all(directory.parent_path());
}
BENCHMARK(monitored_step)->Name("monitored_train_step");

}  // namespace
}  // namespace rill
