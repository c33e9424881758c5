// A training that saves itself: hooks that log, save and stop, and a second run that goes on where
// the first one ended.
#include <cstdio>
#include <filesystem>

#include "rill/rill.h"

namespace tf = rill;

namespace {

// Counts the steps of one run, as a hook of one's own.
class StepCounter : public tf::train::SessionRunHook {
 public:
  void after_run(tf::train::SessionRunContext&, const tf::train::SessionRunValues&) override {
    ++count;
  }
  int count = 0;
};

void run(const std::string& folder, std::int64_t last_step) {
  const tf::AsDefault graph(tf::make_graph());
  tf::set_random_seed(1);
  const auto step = tf::train::get_or_create_global_step();
  const auto x = tf::random_uniform({64, 1}, {.minval = -1.0f, .maxval = 1.0f});
  const auto loss = tf::losses::mean_squared_error(3 * x - 2, tf::layers::dense(x, 1));
  auto& train = tf::train::GradientDescentOptimizer(0.1).minimize(loss, {.global_step = step});
  const auto counter = std::make_shared<StepCounter>();
  auto sess = tf::train::MonitoredTrainingSession(
      {.checkpoint_dir = folder,
       .hooks = {tf::train::make_hook<tf::train::StopAtStepHook>({.last_step = last_step}),
                 std::make_shared<tf::train::NanTensorHook>(loss), counter},
       .save_checkpoint_steps = 50});
  float error = 0;
  while (!sess.should_stop()) {
    const auto [_, now] = sess.run(std::tie(train, loss));
    error = now.scalar_value<float>();
  }
  std::printf("%d steps, loss %.4f\n", counter->count, error);
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "rill_monitored";
  std::filesystem::remove_all(folder);
  run(folder, 100);
  run(folder, 150);  // fifty more
  std::printf("%s\n",
              std::filesystem::path(*tf::train::latest_checkpoint(folder)).filename().c_str());
}
