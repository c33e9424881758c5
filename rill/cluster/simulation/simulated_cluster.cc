#include "rill/cluster/simulation/simulated_cluster.h"

#include "rill/cluster/master.h"
#include "rill/cluster/worker.h"
#include "rill/runtime/step/step_canceller.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::cluster {
namespace {

// What steps and calls note of the thread that they are on.
class KeptNotes final : public SimulatedThreads::Local {
 public:
  void swap() override {
    StepCanceller::swap_of_this_thread(canceller_);
    Service::OnThisThread::swap(permission_);
  }

 private:
  StepCanceller* canceller_ = nullptr;
  int permission_ = 0;
};

}  // namespace

SimulatedCluster::SimulatedCluster(SimulatedNetwork& network, const Jobs& jobs)
    : network_(network) {
  network_.threads().give_each_thread([] { return std::make_unique<KeptNotes>(); });
  for (const auto& [name, count] : jobs) {
    auto& job = *def_.add_job();
    job.set_name(name);
    for (int i = 0; i < count; ++i) {
      const std::string task = str_cat(name, i);
      (*job.mutable_tasks())[i] = address(task);
      names_[task] = {name, i};
    }
  }
}

std::vector<std::string> SimulatedCluster::tasks() const {
  std::vector<std::string> all;
  for (const auto& [task, name] : names_) all.push_back(task);
  return all;
}

SimulatedCluster::Process SimulatedCluster::start(const std::string& task) {
  const Process process = next_++;
  network_.place(process, task);
  tensorflow::ServerDef def;
  *def.mutable_cluster() = def_;
  def.set_job_name(names_.at(task).first);
  def.set_task_index(names_.at(task).second);
  // Kernels run where their step does: how long they take must not matter.
  def.mutable_default_session_config()->set_intra_op_parallelism_threads(1);
  def.mutable_default_session_config()->set_inter_op_parallelism_threads(-1);
  up_[task].process = process;
  network_.threads().start_in(process, [this, task, process, def] {
    const auto services = std::make_shared<TaskServices>(def);
    if (network_.has_ended(process)) return;
    up_.at(task).services = services;
    network_.listen(process, address(task),
                    std::shared_ptr<const Service>(services, &services->service()));
  });
  return process;
}

// What it did goes on for a moment, unheard, until all of it has ended.
void SimulatedCluster::crash(const std::string& task, bool silently) {
  const auto it = up_.find(task);
  if (it == up_.end()) return;
  Up gone = std::move(it->second);
  up_.erase(it);
  network_.end(gone.process, silently);
  network_.threads().resume(gone.process);
  network_.threads().start_in(
      gone.process, [services = std::move(gone.services)]() mutable { services.reset(); });
}

void SimulatedCluster::stop_all() {
  for (const std::string& task : tasks()) crash(task, false);
}

SimulatedCluster::Process SimulatedCluster::start_client(const std::string& host) {
  const Process process = next_++;
  network_.place(process, host);
  return process;
}

std::string SimulatedCluster::kept() const {
  std::string all;
  for (const auto& [task, up] : up_) {
    if (up.services == nullptr) continue;
    const Worker::Kept kept = up.services->worker().kept();
    const std::size_t sessions = up.services->master().session_count();
    if (sessions + kept.sessions + kept.steps == 0) continue;
    all += str_cat(all.empty() ? "" : "; ", task, ": ", sessions, " sessions of its master, ",
                   kept.sessions, " of its worker, ", kept.steps, " steps");
  }
  return all;
}

}  // namespace rill::cluster
