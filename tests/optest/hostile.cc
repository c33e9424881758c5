// Every op with arguments that make no sense: an error, whatever they are, and never more.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <set>
#include <thread>

#include "rill/base/error.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register.h"
#include "tests/optest/case_directory.h"
#include "tests/optest/commands.h"
#include "tests/optest/eagerly.h"
#include "tests/optest/hostile_values.h"

namespace rill {
namespace {

constexpr std::size_t kRowsPerOp = 1, kRowsPerOpOfOneStem = 10;
constexpr auto kPatience = std::chrono::seconds(30);
constexpr std::int64_t kTimeoutMs = 300;  // for ops that wait
constexpr int kNotSetUp = 3;              // exit status of a child that could not begin
constexpr rlim_t kAddressSpace = rlim_t{3} << 29;

// What a child process is doing, for the parent to see after the child has died.
struct Progress {
  std::atomic<int> at{0};  // position of the case that runs
  std::atomic<int> accepted{0}, refused{0}, unclean{0};
  char what[512] = "";
};

struct Task {
  std::string name;
  std::function<std::vector<HostileCase>()> make;
};

Code run_case(const OpCase& row, const Op& op, InputMode mode, std::string* message) {
  try {
    const CaseGraph graph = case_graph(row, op, mode);
    if (rows_run_eagerly()) {
      run_eagerly(graph, kTimeoutMs);
      return Code::kOk;
    }
    SessionOptions options;
    options.intra_op_threads = 1;
    options.inter_op_threads = -1;
    options.timeout_ms = kTimeoutMs;
    Session session(load(graph), options);
    session.run(graph.feeds, graph.fetches, graph.targets);
    return Code::kOk;
  } catch (...) {
    const Error error = current_error();
    *message = error.what();
    return error.code();
  }
}

// Ops that have these codes from TensorFlow: for a file that is too short, for staged values of
// another type than they are taken for, for what a database says.
constexpr std::string_view kTensorFlowsCode[] = {"ImmutableConst", "Stage",
                                                 "MapStage",       "OrderedMapStage",
                                                 "SqlDataset",     "ExperimentalSqlDataset"};

// The errors that say "this should not happen" instead of what is wrong with the arguments.
bool is_unclean(Code code, std::string_view op) {
  return (code == Code::kInternal || code == Code::kUnknown) &&
         std::ranges::find(kTensorFlowsCode, op) == std::end(kTensorFlowsCode);
}

void run_cases(const std::vector<HostileCase>& cases, Progress& progress) {
  for (int i = progress.at; i < static_cast<int>(2 * cases.size()); progress.at = ++i) {
    const HostileCase& c = cases[static_cast<std::size_t>(i / 2)];
    const bool fed = i % 2 == 1;
    const std::string what = str_cat(c.row.op, ": ", c.what, fed ? " (fed)" : "");
    std::snprintf(progress.what, sizeof progress.what, "%s", what.c_str());
    std::string message;
    const Code code = run_case(c.row, standard_ops().at(c.row.op),
                               fed ? InputMode::kFed : InputMode::kConstant, &message);
    ++(code == Code::kOk ? progress.accepted : progress.refused);
    if (!is_unclean(code, c.row.op)) continue;
    ++progress.unclean;
    std::printf("FAILED %s\n  %s\n", what.c_str(), message.c_str());
    std::fflush(stdout);
  }
}

[[noreturn]] void be_child(const Task& task, Progress& progress) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // What asks for more than there is must get an error. Sanitizers reserve more than this at once.
  const rlimit limit{kAddressSpace, kAddressSpace};
  setrlimit(RLIMIT_AS, &limit);
#endif
  const std::vector<HostileCase> cases = task.make();  // some read files of the repository
  // Some ops write files, whatever their names are.
  if (chdir(case_directory().c_str()) != 0) _exit(kNotSetUp);
  // Some ops print.
  if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(kNotSetUp);
  run_cases(cases, progress);
  std::fflush(stdout);
  _exit(0);
}

// "" when the child got through; else how it ended.
std::string wait_for(pid_t child, const Progress& progress) {
  auto since = std::chrono::steady_clock::now();
  int seen = -1;
  while (true) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFSIGNALED(status)) return str_cat("ends with signal ", WTERMSIG(status));
      if (WEXITSTATUS(status) == kNotSetUp) raise(Code::kInternal, "a child could not begin");
      return WEXITSTATUS(status) == 0 ? "" : str_cat("ends with status ", WEXITSTATUS(status));
    }
    const auto now = std::chrono::steady_clock::now();
    if (progress.at != seen) {
      seen = progress.at;
      since = now;
    } else if (now - since > kPatience) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "does not end";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// Runs the task in processes of its own; one that dies is followed by one for the cases after it.
int run_task(const Task& task, Progress& progress) {
  int died = 0;
  while (true) {
    const pid_t child = fork();
    if (child < 0) raise(Code::kResourceExhausted, "no process can be made");
    if (child == 0) be_child(task, progress);
    const std::string end = wait_for(child, progress);
    if (end.empty()) return died;
    std::printf("FAILED %s %s\n", progress.what, end.c_str());
    std::fflush(stdout);
    ++died;
    ++progress.at;
  }
}

// The first rows of every op; rows that fail already show nothing new.
std::vector<HostileCase> from_rows(const OpCases& table, std::size_t rows_per_op) {
  std::vector<HostileCase> cases;
  std::map<std::string, std::size_t> taken;
  for (const NamedCase& c : named_cases(table)) {
    if (!c.row.graph.empty()) continue;  // such ops are called without what is around them
    if (c.row.error[0] != '\0' || taken[c.row.op]++ >= rows_per_op) continue;
    for (HostileCase& made : made_hostile(c.row, standard_ops().at(c.row.op))) {
      made.what = str_cat(c.name, ", ", made.what);
      cases.push_back(std::move(made));
    }
  }
  return cases;
}

std::vector<Task> all_tasks(const std::string& stem) {
  std::vector<Task> tasks;
  std::set<std::string> with_rows;
  const std::size_t rows_per_op = stem.empty() ? kRowsPerOp : kRowsPerOpOfOneStem;
  for (const OpCases* table : selected(stem)) {
    tasks.push_back({table->stem, [=] { return from_rows(*table, rows_per_op); }});
    for (const NamedCase& c : named_cases(*table))
      if (c.row.graph.empty()) with_rows.insert(c.row.op);
  }
  if (!stem.empty()) return tasks;
  for (const Op* op : standard_ops().all()) {
    if (with_rows.contains(op->name)) continue;
    tasks.push_back({op->name, [op] {
                       const OpCase row = plain_call(*op);
                       std::vector<HostileCase> cases = made_hostile(row, *op);
                       cases.push_back({"as declared", row});
                       return cases;
                     }});
  }
  return tasks;
}

}  // namespace

int run_hostile(const std::string& stem) {
  void* shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(shared != MAP_FAILED, "no shared memory");
  auto& progress = *new (shared) Progress;
  int died = 0;
  for (const Task& task : all_tasks(stem)) {
    progress.at = 0;
    died += run_task(task, progress);
  }
  std::printf("%d refused, %d accepted, %d with an unclear error, %d ended the process\n",
              progress.refused.load(), progress.accepted.load(), progress.unclean.load(), died);
  return died == 0 && progress.unclean == 0 ? 0 : 1;
}

}  // namespace rill
