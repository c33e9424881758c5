#include <algorithm>
#include <map>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/board/board.h"
#include "rill/board/log/log_store.h"

namespace rill::board {
namespace {

// The steps of something.
class StepFigures {
 public:
  void add(std::int64_t step) {
    if (count_++ == 0) first_ = low_ = high_ = step;
    if (step < last_ && count_ > 1) ++backwards_;
    last_ = step;
    low_ = std::min(low_, step);
    high_ = std::max(high_, step);
  }
  std::string text() const {
    return str_cat("   first_step           ", first_, "\n   last_step            ", last_,
                   "\n   max_step             ", high_, "\n   min_step             ", low_,
                   "\n   num_steps            ", count_, "\n   outoforder_steps     ", backwards_,
                   "\n");
  }

 private:
  std::int64_t first_ = 0, last_ = 0, low_ = 0, high_ = 0;
  std::size_t count_ = 0, backwards_ = 0;
};

constexpr std::string_view kLine =
    "======================================================================\n";

void add_steps(const Series& series, StepFigures* figures) {
  for (std::size_t i = 0; i < series.scalars.size(); ++i) figures->add(series.scalars.steps[i]);
  for (const StoredValue& value : series.stored) figures->add(value.step);
}

std::string described(const Run& run, const std::string& wanted_tag) {
  return run.with_lock([&](const Run::Contents& contents) {
    std::map<std::string, std::pair<std::vector<std::string>, StepFigures>> kinds;
    for (const auto& [tag, series] : contents.series) {
      if (!wanted_tag.empty() && tag != wanted_tag) continue;
      const std::string& plugin = series.metadata.plugin;
      auto& [tags, figures] = kinds[plugin.empty() ? "tensor" : plugin];
      tags.push_back(tag);
      add_steps(series, &figures);
    }
    const std::string place = run.directory();
    std::string text = str_cat("These tags are in ", place, ":\n");
    for (const auto& [kind, known] : kinds) {
      text += str_cat(kind, "\n");
      for (const std::string& tag : known.first) text += str_cat("   ", tag, "\n");
    }
    text += str_cat(kLine, "\nEvent statistics for ", place, ":\n");
    if (contents.graph && wanted_tag.empty()) {
      StepFigures figures;
      figures.add(contents.graph->step);
      text += "graph\n" + figures.text();
    }
    for (const auto& [kind, known] : kinds) text += str_cat(kind, "\n", known.second.text());
    for (const std::string& damage : contents.damages) text += str_cat("damage: ", damage, "\n");
    return text + std::string(kLine) + "\n";
  });
}

std::string file_described(const InspectOptions& options) {
  require(file_exists(options.event_file), options.event_file, " is not there");
  const auto facts = file_system_of(options.event_file).facts(options.event_file);
  Run run("", options.event_file);
  LogFile file;
  file.path = options.event_file;
  file.size = facts.size;
  file.modified_nanos = facts.modified_nanos;
  run.follow(std::vector<LogFile>{file});
  return described(run, options.tag);
}

}  // namespace

std::string inspect_logs(const InspectOptions& options) {
  if (!options.event_file.empty()) return file_described(options);
  require(!options.logdir.empty() || !options.logdir_spec.empty(),
          "--inspect needs --logdir or --event_file");
  const std::vector<LogDirectory> directories =
      options.logdir.empty() ? parse_logdir_spec(options.logdir_spec)
                             : std::vector<LogDirectory>{{"", options.logdir}};
  const LogStore logs({.directories = directories, .follows = false});
  const LogStore::Runs runs = logs.runs();
  if (runs.empty()) return str_cat("No event files found within ", directories[0].path, "\n");
  std::string text = "\nFound event files in:\n";
  for (const auto& run : runs) text += str_cat(run->directory(), "\n");
  text += "\n";
  for (const auto& run : runs) text += described(*run, options.tag);
  return text;
}

}  // namespace rill::board
