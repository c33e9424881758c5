#pragma once

#include <deque>
#include <map>

#include "rill/inspect/debugger/command_line_observer.h"
#include "rill/inspect/debugger/recorded_run.h"

namespace rill::debugger {

struct RecordOptions {
  std::size_t runs = 100;                      // that are kept at most, the latest
  std::int64_t bytes = std::int64_t{1} << 30;  // that they may take; the last one always stays
  CommandLineOptions command_line = {};
};

// Records the runs of a program, so that a person can go back to any of the latest and look at
// every tensor of it: the run is run again from the values it began with. Recorded runs run the
// graph without rewrites, as watched ones do. For one thread at a time.
class RunRecorder final : public RunObserver {
 public:
  explicit RunRecorder(RecordOptions options);

  // Throws InvalidArgument for an empty name.
  void add_tensor_filter(const std::string& name, TensorFilter filter);

  std::vector<Tensor> run(const ObservedRun& run) override;

  const std::deque<RecordedRun>& runs() const { return runs_; }
  // Throws NotFound for a run that is not kept (any more).
  const RecordedRun& at(int number) const;
  // What `tensor` ("loss:0") was in a recorded run; without a value where that run did not make it.
  Tensor value_in(const RecordedRun& run, const std::string& tensor) const;
  // The first recorded run in which a tensor passes; null if there is none.
  const RecordedRun* first_passing(const TensorFilter& filter) const;

  // Lets a person go back and forth, from the last run on, until they leave; nothing was recorded:
  // does nothing.
  void look_back();

 private:
  void forget_old();
  void visit(int number);
  void add_travel_commands(Shell& shell);
  RichText history() const;
  RichText track(const std::string& tensor) const;
  RichText go_to(long long number);
  RichText find_first(const std::string& filter);

  RecordOptions options_;
  std::shared_ptr<ShellConfig> config_;
  std::map<std::string, TensorFilter> filters_;
  std::deque<RecordedRun> runs_;
  std::int64_t bytes_ = 0;
  int count_ = 0;
  Shell* shell_ = nullptr;   // the one that is talking
  int next_ = 0, here_ = 0;  // runs; 0: none
};

}  // namespace rill::debugger
