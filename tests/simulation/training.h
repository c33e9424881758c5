#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rill/api/training/monitored_session.h"
#include "rill/cluster/simulation/simulated_cluster.h"
#include "tests/simulation/ledger.h"

namespace rill {

// What is simulated. What a seed decides is not said here.
struct TrainingPlan {
  int parameter_servers = 2, workers = 1;
  std::int64_t last_step = 16, save_every = 4;
  int faults = 4;             // at most
  bool with_visitors = true;  // clients that come, wait for what never happens, and vanish
  std::function<void(cluster::PlantedFaults&)> plant = {};
  bool forgets_to_restore = false;  // a planted fault too
};

struct TrainingOutcome {
  std::string problem;  // "": none
  std::string story;    // what was done to the cluster
  std::uint64_t trace = 0;
  std::int64_t runs = 0;
  int recoveries = 0, faults = 0;
  std::size_t turns = 0, messages = 0;
  double simulated_seconds = 0;
};

TrainingOutcome simulate_training(std::uint64_t seed, const TrainingPlan& plan = {});

// A training with MonitoredSessions on a simulated cluster, and what chance does to it.
class Training {
 public:
  Training(std::uint64_t seed, const TrainingPlan& plan);
  TrainingOutcome run();

 private:
  class Recorder;
  class Saving;
  struct Model;
  friend struct TrainingParts;

  // The program of a worker, as its process runs it, and again when it is restarted.
  void start_task(const std::string& task);
  void program(const std::string& task);
  void train(const std::string& task);
  Model build();
  void has_finished(const std::string& task);

  // Chance.
  void happen();
  void one_fault();
  void crash_one();
  void pause_one();
  void cut_two();
  void break_two();
  void visit();
  static Output what_never_comes();
  void repair();
  std::int64_t trouble();
  std::string any_task();
  std::int64_t nanos(double least_seconds, double most_seconds);
  void tell(const std::string& what);

  bool has_died() const;  // the process that asks
  void problem(const std::string& what);
  void read_values();
  void check_values(const std::vector<Tensor>& values);
  void check_end();

  const TrainingPlan plan_;
  SimulatedThreads threads_;
  cluster::SimulatedNetwork network_;
  cluster::SimulatedCluster cluster_;
  Ledger ledger_;
  TrainingOutcome outcome_;
  std::set<std::string> finished_;                  // workers whose program has come to its end
  std::map<std::string, std::int64_t> busy_until_;  // tasks that something was done to
  std::int64_t saved_step_ = 0;                     // the latest checkpoint whose save returned
  bool is_repaired_ = false, is_over_ = false;
  std::int64_t repaired_nanos_ = 0;
  std::int64_t restarts_ = 0;  // of programs that failed at their end
};

}  // namespace rill
