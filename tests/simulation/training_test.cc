// Trainings on simulated clusters: what holds whatever happens, and that it would be noticed if it
// did not.
#include "tests/simulation/training.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "rill/api/logging/tf_logging.h"
#include "rill/base/error.h"

namespace rill {
namespace {

class Simulation : public testing::Test {
 protected:
  void SetUp() override { logging::set_verbosity(logging::Level::ERROR); }
  void TearDown() override { logging::set_verbosity(before_); }

  // One worker, whose end is known to the last bit, or several.
  static TrainingPlan plan(std::uint64_t seed) {
    TrainingPlan plan;
    plan.workers = seed % 3 == 0 ? 2 : 1;
    return plan;
  }
  static void check(std::uint64_t first, std::uint64_t last) {
    int failures = 0;
    for (std::uint64_t seed = first; seed <= last && failures < 3; ++seed) {
      const TrainingOutcome outcome = simulate_training(seed, plan(seed));
      EXPECT_EQ(outcome.problem, "") << "seed " << seed << "\n" << outcome.story;
      failures += !outcome.problem.empty();
      recoveries_ += outcome.recoveries;
      faults_ += outcome.faults;
    }
  }

  static inline int recoveries_ = 0, faults_ = 0;

 private:
  const logging::Level before_ = logging::get_verbosity();
};

TEST_F(Simulation, a_seed_is_one_run) {
  const TrainingOutcome once = simulate_training(11, plan(11)),
                        again = simulate_training(11, plan(11)),
                        other = simulate_training(13, plan(13));
  EXPECT_EQ(once.trace, again.trace);
  EXPECT_EQ(once.story, again.story);
  EXPECT_EQ(once.turns, again.turns);
  EXPECT_NE(once.trace, other.trace);
}

TEST_F(Simulation, a_training_without_faults_needs_no_recovery) {
  TrainingPlan quiet;
  quiet.faults = 0;
  const TrainingOutcome outcome = simulate_training(1, quiet);
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.recoveries, 0);
  EXPECT_EQ(outcome.runs, quiet.last_step);
}

TEST_F(Simulation, hundred_seeds) {
  recoveries_ = faults_ = 0;
  if (const char* const seed = std::getenv("RILL_SIMULATION_SEED")) {
    const std::uint64_t one = std::strtoull(seed, nullptr, 10);
    return check(one, one);
  }
  check(1, 100);
  EXPECT_GT(recoveries_, 10) << "in " << faults_ << " faults";  // else nothing was tried
}

TEST_F(Simulation, ten_thousand_seeds_long) { check(101, 10'100); }

// --- planted faults ------------------------------------------------------------------------------

struct Planted {
  const char* name;
  std::function<void(TrainingPlan&)> plant;
  std::uint64_t seeds;  // within which it is found
};
void PrintTo(const Planted& fault, std::ostream* out) { *out << fault.name; }

class PlantedFault : public testing::TestWithParam<Planted> {
 protected:
  void SetUp() override { logging::set_verbosity(logging::Level::ERROR); }
};

TEST_P(PlantedFault, is_found) {
  const Planted& fault = GetParam();
  for (std::uint64_t seed = 1; seed <= fault.seeds; ++seed) {
    TrainingPlan plan;
    fault.plant(plan);
    const TrainingOutcome outcome = simulate_training(seed, plan);
    if (outcome.problem.empty()) continue;
    EXPECT_EQ(simulate_training(seed).problem, "") << "without the fault, too";
    RecordProperty("seeds", static_cast<int>(seed));
    std::cout << fault.name << ": found by seed " << seed << ": " << outcome.problem << "\n";
    return;
  }
  FAIL() << fault.name << " was not found in " << fault.seeds << " seeds";
}

auto network(std::function<void(cluster::PlantedFaults&)> plant) {
  return [plant = std::move(plant)](TrainingPlan& plan) { plan.plant = plant; };
}

INSTANTIATE_TEST_SUITE_P(
    , PlantedFault,
    testing::Values(Planted{"updates_are_sent_twice",
                            network([](auto& planted) { planted.doubled_methods = {"RunGraph"}; }),
                            5},
                    Planted{"sessions_of_workers_are_not_deleted", network([](auto& planted) {
                              planted.dropped_methods = {"DeleteWorkerSession", "ListDevices"};
                            }),
                            20},
                    Planted{"lost_tasks_are_internal_errors",
                            network([](auto& planted) { planted.wrong_errors = true; }), 10},
                    Planted{"clients_never_leave",
                            network([](auto& planted) { planted.no_departures = true; }), 40},
                    Planted{"the_checkpoint_is_not_restored",
                            [](TrainingPlan& plan) { plan.forgets_to_restore = true; }, 20}),
    [](const testing::TestParamInfo<Planted>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rill
