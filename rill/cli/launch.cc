#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/base/child_process.h"
#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

struct LaunchOptions {
  int workers = 1, parameter_servers = 0, restarts = 3;
  bool has_chief = false;
  std::vector<std::string> program;
};

int count_of(const std::string& name, const std::string& text) {
  int count = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0 || count > 10'000)
    throw UsageError(name + " takes a number, and not \"" + text + "\"");
  return count;
}

// Options stand before the program; what follows is the program's.
LaunchOptions parse_launch(std::span<const std::string> arguments) {
  LaunchOptions options;
  std::size_t next = 0;
  const std::map<std::string, int*> counts = {{"-n", &options.workers},
                                              {"--workers", &options.workers},
                                              {"--ps", &options.parameter_servers},
                                              {"--restarts", &options.restarts}};
  for (; next < arguments.size() && arguments[next].starts_with("-"); ++next) {
    const std::string& word = arguments[next];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (word == "--") {
      ++next;
      break;
    }
    if (name == "--chief") {
      options.has_chief = true;
      continue;
    }
    const auto count = counts.find(name);
    if (count == counts.end()) throw UsageError("launch has no option " + name);
    if (equals == std::string::npos && ++next == arguments.size())
      throw UsageError(name + " needs a number");
    *count->second =
        count_of(name, equals == std::string::npos ? arguments[next] : word.substr(equals + 1));
  }
  options.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(next), arguments.end());
  if (options.program.empty()) throw UsageError("launch needs a program");
  if (options.workers < 1) throw UsageError("-n must be at least 1");
  return options;
}

// One process of the cluster.
struct LaunchedTask {
  std::string job;
  int index = 0;
  ChildProcess::Variables variables;
  std::unique_ptr<ChildProcess> process;
  std::string line;  // that is not complete yet
  int restarts = 0;

  std::string name() const { return str_cat(job, " ", index); }
  bool serves() const { return job == "ps"; }
};

class Launch {
 public:
  explicit Launch(LaunchOptions options) : options_(std::move(options)) {
    add_tasks();
    if (options_.program.front().ends_with(".py") || options_.program.front().starts_with("-"))
      options_.program.insert(options_.program.begin(), {own_program(), "run"});
  }

  int run() {
    const CaughtSignals signals;
    for (LaunchedTask& task : tasks_) start(task);
    while (true) {
      std::vector<ChildProcess*> running;
      for (const LaunchedTask& task : tasks_)
        if (!task.process->status()) running.push_back(task.process.get());
      wait_for_output(running, kPauseMillis);
      for (LaunchedTask& task : tasks_) show(task);
      if (const int signal = CaughtSignals::received(); signal != 0) return end(128 + signal);
      if (const auto failed = restart_failed()) return end(*failed);
      if (all_trained()) return end(0);
    }
  }

 private:
  static constexpr int kPauseMillis = 100;
  static constexpr int kGraceMillis = 5000;

  void add_tasks() {
    const int chiefs = options_.has_chief ? 1 : 0;
    const int workers = options_.workers - chiefs;
    const std::vector<int> ports = free_ports(options_.workers + options_.parameter_servers);
    std::map<std::string, std::vector<std::string>> cluster;
    std::size_t next = 0;
    for (const auto& [job, count] : std::initializer_list<std::pair<const char*, int>>{
             {"chief", chiefs}, {"worker", workers}, {"ps", options_.parameter_servers}})
      for (int i = 0; i < count; ++i) {
        cluster[job].push_back(str_cat("127.0.0.1:", ports[next++]));
        tasks_.push_back({.job = job, .index = i});
      }
    std::string jobs;
    for (const auto& [job, addresses] : cluster)
      jobs += str_cat(jobs.empty() ? "" : ", ", json_quoted(job), ": ", json_list(addresses));
    for (LaunchedTask& task : tasks_)
      task.variables = {{"TF_CONFIG", str_cat("{\"cluster\": {", jobs,
                                              "}, \"task\": {\"type\": ", json_quoted(task.job),
                                              ", \"index\": ", task.index, "}}")},
                        {"PYTHONUNBUFFERED", "1"}};
  }

  void start(LaunchedTask& task) const {
    task.process = std::make_unique<ChildProcess>(options_.program, task.variables);
  }

  // Whole lines, each with the name of its task.
  static void show(LaunchedTask& task) {
    task.line += task.process->read();
    for (std::size_t end; (end = task.line.find('\n')) != std::string::npos;) {
      std::printf("[%s] %s\n", task.name().c_str(), task.line.substr(0, end).c_str());
      task.line.erase(0, end + 1);
    }
    std::fflush(stdout);
  }

  // A task that failed begins again, from what it has saved; the status, where it did so too often.
  std::optional<int> restart_failed() {
    for (LaunchedTask& task : tasks_) {
      const auto status = task.process->status();
      if (!status || *status == 0) continue;
      show(task);
      if (task.restarts == options_.restarts) {
        std::fprintf(stderr, "rill launch: %s ended with status %d\n", task.name().c_str(),
                     *status);
        return status;
      }
      ++task.restarts;
      std::fprintf(stderr, "rill launch: %s ended with status %d: start %d of %d\n",
                   task.name().c_str(), *status, task.restarts + 1, options_.restarts + 1);
      start(task);
    }
    return {};
  }

  bool all_trained() {
    for (LaunchedTask& task : tasks_)
      if (!task.serves() && !task.process->status()) return false;
    return true;
  }

  // Ends whoever still runs.
  int end(int status) {
    for (LaunchedTask& task : tasks_) task.process->ask_to_end();
    const std::int64_t begun = monotonic_nanos();
    const auto is_running = [](LaunchedTask& task) { return !task.process->status(); };
    while (std::ranges::any_of(tasks_, is_running) &&
           monotonic_nanos() - begun < std::int64_t{kGraceMillis} * 1'000'000) {
      std::vector<ChildProcess*> running;
      for (LaunchedTask& task : tasks_)
        if (is_running(task)) running.push_back(task.process.get());
      wait_for_output(running, 10);
      for (LaunchedTask& task : tasks_) show(task);
    }
    for (LaunchedTask& task : tasks_) {
      show(task);
      if (!task.line.empty()) std::printf("[%s] %s\n", task.name().c_str(), task.line.c_str());
    }
    return status;
  }

  LaunchOptions options_;
  std::vector<LaunchedTask> tasks_;
};

int launch(std::span<const std::string> arguments) { return Launch(parse_launch(arguments)).run(); }

}  // namespace

const Command kLaunch{
    "launch", "run a program as several processes that train together",
    "launch [-n WORKERS] [--ps SERVERS] [--chief] [--restarts TIMES] PROGRAM [ARGUMENT...]\n\n"
    "Starts the program once for each task of a cluster on this machine, with TF_CONFIG set. A "
    "program\n"
    "whose name ends in .py is run as by `rill run`. Lines are shown with the name of their task. "
    "A task\n"
    "that fails is started again, at most TIMES (3) times. Ends when all tasks but parameter "
    "servers have\n"
    "ended, with status 0, or with the status of a task that failed once too often.\n\n"
    "  -n WORKERS   how many tasks train (1)\n"
    "  --ps SERVERS how many hold parameters (0)\n"
    "  --chief      the first of those that train is called chief, as estimators want it",
    launch};

}  // namespace rill::cli
