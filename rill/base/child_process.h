#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rill {

// A program that this one has started, with what it prints, to standard output and error, as one
// stream. Ended with this object, and its own children with it.
class ChildProcess {
 public:
  using Variables = std::map<std::string, std::string>;
  // `argv[0]` is looked for on PATH. `variables` are added to the environment. Throws NotFound
  // where there is no such program.
  ChildProcess(const std::vector<std::string>& argv, const Variables& variables);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // What it has printed since the last call.
  std::string read();
  // The exit status; 128 + n where signal n ended it; none while it runs.
  std::optional<int> status();
  void ask_to_end();  // SIGTERM
  void kill();

 private:
  friend void wait_for_output(const std::vector<ChildProcess*>& children, int millis);
  int pid_ = -1;
  int output_ = -1;
  std::optional<int> status_;
};

// Until one of them has printed something, or ended, or the time is over.
void wait_for_output(const std::vector<ChildProcess*>& children, int millis);

// Ports of this machine that nobody listens to.
std::vector<int> free_ports(int count);
std::string own_program();  // the path of this process's executable

// While it lives, SIGINT and SIGTERM only set received().
class CaughtSignals {
 public:
  CaughtSignals();
  ~CaughtSignals();
  CaughtSignals(const CaughtSignals&) = delete;
  CaughtSignals& operator=(const CaughtSignals&) = delete;
  static int received();  // the signal's number; 0: none
};

}  // namespace rill
