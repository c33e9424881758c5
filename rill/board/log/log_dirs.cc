#include "rill/board/log/log_dirs.h"

#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill::board {
namespace {

constexpr int kDeepest = 32;  // of nested folders; links may lead in circles
constexpr std::size_t kMostRuns = 1'000'000;

bool is_event_file(std::string_view name) { return name.find("tfevents") != std::string::npos; }

// "~/logs" is below the home directory.
std::string expanded(std::string_view path) {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && (path == "~" || path.starts_with("~/")))
    return str_cat(home, path.substr(1));
  return std::string(path);
}

class RunFinder {
 public:
  void look(const LogDirectory& top) {
    top_ = &top;
    look_in(top.path, "", 0);
  }
  std::vector<FoundRun> found;

 private:
  void look_in(const std::string& directory, const std::string& below, int depth) {
    if (depth > kDeepest || found.size() > kMostRuns) return;
    std::vector<NamedFacts> entries;
    try {
      entries = file_system_of(directory).list_with_facts(directory);
    } catch (const Error&) {
      return;
    }
    FoundRun run{.name = {}, .directory = directory, .files = {}};
    for (const NamedFacts& entry : entries)
      if (!entry.facts.is_directory && is_event_file(entry.name))
        run.files.push_back({.path = join_path(directory, entry.name),
                             .size = entry.facts.size,
                             .modified_nanos = entry.facts.modified_nanos});
    if (!run.files.empty()) {
      run.name = name_of(below);
      found.push_back(std::move(run));
    }
    for (const NamedFacts& entry : entries)
      if (entry.facts.is_directory)
        look_in(join_path(directory, entry.name), join_path(below, entry.name), depth + 1);
  }

  std::string name_of(const std::string& below) const {
    if (top_->name.empty()) return below.empty() ? "." : below;
    return below.empty() ? top_->name : join_path(top_->name, below);
  }

  const LogDirectory* top_ = nullptr;
};

}  // namespace

std::vector<LogDirectory> parse_logdir_spec(std::string_view spec) {
  std::vector<LogDirectory> directories;
  for (const std::string_view item : split(spec, ',')) {
    if (strip(item).empty()) continue;
    const std::size_t colon = item.find(':');
    const bool is_name = colon != std::string_view::npos && colon > 0 &&
                         !item.substr(colon).starts_with("://") && item[0] != '/';
    directories.push_back(is_name ? LogDirectory{std::string(strip(item.substr(0, colon))),
                                                 expanded(strip(item.substr(colon + 1)))}
                                  : LogDirectory{"", expanded(strip(item))});
  }
  return directories;
}

std::vector<FoundRun> find_runs(const std::vector<LogDirectory>& directories) {
  RunFinder finder;
  for (const LogDirectory& directory : directories) finder.look(directory);
  return std::move(finder.found);
}

}  // namespace rill::board
