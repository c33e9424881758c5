#include "rill/inspect/debugger/publishing_observers.h"

#include <atomic>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/inspect/debugger/sent_sources.h"
#include "rill/ops/debug/dump.h"

namespace rill::debugger {
namespace {

WatchOptions wanted(const WatchFunction& watch, const RunDescription& run) {
  return watch == nullptr ? WatchOptions{} : watch(run);
}

RunOptions with_watches(const ObservedRun& run, const std::vector<std::string>& urls,
                        const WatchOptions& watch, bool resets_usage) {
  RunOptions options = run.options;
  options.debug = watch_graph(run.session.graph(), urls, watch);
  options.debug.resets_disk_usage = resets_usage;
  return options;
}

std::string python_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("'" + name + "'");
  return "[" + join(quoted, ", ") + "]";
}

class DumpingObserver final : public RunObserver {
 public:
  DumpingObserver(std::string root, WatchFunction watch)
      : root_(std::move(root)), watch_(std::move(watch)) {
    require(!file_exists(root_) || is_directory(root_),
            "session_root path points to a file: ", root_);
    require(!is_directory(root_) || file_system_of(root_).list(root_).empty(),
            "session_root path points to a non-empty directory: ", root_);
    make_directories(root_);
  }

  std::vector<Tensor> run(const ObservedRun& run) override {
    const RunDescription description(run);
    const int number = count_++;
    const std::string directory = join_path(root_, str_cat("run_", wall_micros(), "_", number));
    dump_message(directory, "_tfdbg_fetches_info_", python_list(description.fetches));
    dump_message(directory, "_tfdbg_feed_keys_info_", python_list(description.feeds));
    return run.run(
        with_watches(run, {"file://" + directory}, wanted(watch_, description), number == 0),
        run.stats);
  }

 private:
  const std::string root_;
  const WatchFunction watch_;
  std::atomic<int> count_{0};
};

class GrpcObserver final : public RunObserver {
 public:
  GrpcObserver(const std::vector<std::string>& addresses, WatchFunction watch, bool sends_sources)
      : watch_(std::move(watch)), sends_sources_(sends_sources) {
    require(!addresses.empty(), "a debugger's server needs an address, HOST:PORT");
    for (const std::string& address : addresses)
      urls_.push_back(address.starts_with("grpc://") ? address : "grpc://" + address);
  }

  std::vector<Tensor> run(const ObservedRun& run) override {
    const RunDescription description(run);
    const int size = run.session.graph().node_count();
    if (sends_sources_ && sent_.exchange(size) != size)
      for (const std::string& url : urls_)
        send_sources(run.session.graph(), url.substr(7), fetch_text(description));
    return run.run(with_watches(run, urls_, wanted(watch_, description), false), run.stats);
  }

 private:
  std::vector<std::string> urls_;
  const WatchFunction watch_;
  const bool sends_sources_;
  std::atomic<int> sent_{0};  // nodes of the graph whose lines the servers know
};

std::string counted(std::size_t count, const char* one, const char* many,
                    const std::vector<std::string>& names) {
  return count == 1 ? str_cat("1 ", one, " (", names[0], ")") : str_cat(count, " ", many);
}

}  // namespace

RunDescription::RunDescription(const ObservedRun& run) {
  for (const Output& fetch : run.fetches) fetches.push_back(fetch.name());
  for (const Node* target : run.targets) fetches.push_back(target->name());
  for (const Feed& feed : run.feeds) feeds.push_back(feed.target.name());
}

std::string fetch_text(const RunDescription& run) {
  return counted(run.fetches.size(), "fetch", "fetches", run.fetches) + "; " +
         counted(run.feeds.size(), "feed", "feeds", run.feeds);
}

RunObserverRef dumping_observer(const std::string& root, WatchFunction watch) {
  return std::make_shared<DumpingObserver>(root, std::move(watch));
}

RunObserverRef grpc_observer(const std::vector<std::string>& addresses, WatchFunction watch,
                             bool sends_sources) {
  return std::make_shared<GrpcObserver>(addresses, std::move(watch), sends_sources);
}

}  // namespace rill::debugger
