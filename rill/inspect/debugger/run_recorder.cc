#include "rill/inspect/debugger/run_recorder.h"

#include <cstdio>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/inspect/debugger/dump_place.h"
#include "rill/inspect/debugger/profile_screens.h"
#include "rill/ops/debug/debug_target.h"
#include "rill/runtime/compile/bad_values.h"

namespace rill::debugger {
namespace {

std::string megabytes_text(std::int64_t bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

// What was fed instead of being computed, under the names that the program knows.
void dump_given(const RecordedRun& run, const Replay& again, const std::string& directory) {
  if (again.graphs.empty() || again.graphs[0].node().empty()) return;
  for (const Feed& feed : run.given)
    dump_tensor(directory,
                {.device = again.graphs[0].node(0).device(),
                 .tensor = TensorName(feed.target.name()),
                 .debug_op = "DebugIdentity",
                 .micros = wall_micros()},
                feed.value);
}

// One line of `track`.
std::string value_text(const Tensor& value) {
  if (!value.has_value()) return "was not made";
  const ValueSummary found = summarise("", value);
  std::string text = str_cat(value.dtype(), value.shape());
  if (value.element_count() == 1) return str_cat(text, "  ", summary(value, 1));
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, "  min %.6g  mean %.6g  max %.6g", found.min, found.mean,
                found.max);
  if (found.elements > found.nans + found.infinities) text += numbers;
  if (found.nans > 0) text += str_cat("  ", found.nans, " NaN");
  if (found.infinities > 0) text += str_cat("  ", found.infinities, " infinite");
  return text;
}

}  // namespace

RunRecorder::RunRecorder(RecordOptions options)
    : options_(std::move(options)),
      config_(std::make_shared<ShellConfig>(options_.command_line.config_file)) {
  require(options_.runs > 0, "at least one run has to be kept");
  filters_["has_inf_or_nan"] = has_inf_or_nan;
}

void RunRecorder::add_tensor_filter(const std::string& name, TensorFilter filter) {
  require(!name.empty(), "Input argument filter_name cannot be empty.");
  filters_[name] = std::move(filter);
}

std::vector<Tensor> RunRecorder::run(const ObservedRun& run) {
  RecordedRun& record = runs_.emplace_back(run);
  record.number = ++count_;
  const auto account = [&] {
    bytes_ += record.bytes_beside(runs_.size() > 1 ? &runs_[runs_.size() - 2] : nullptr);
    forget_old();
  };
  try {
    std::vector<Tensor> results = run_recorded(run, &record);
    account();
    return results;
  } catch (...) {
    account();
    throw;
  }
}

void RunRecorder::forget_old() {
  while (runs_.size() > 1 && (runs_.size() > options_.runs || bytes_ > options_.bytes)) {
    // The next one holds alone what the two shared.
    bytes_ -= runs_[0].bytes_beside(nullptr) + runs_[1].bytes_beside(&runs_[0]);
    bytes_ += runs_[1].bytes_beside(nullptr);
    runs_.pop_front();
  }
}

const RecordedRun& RunRecorder::at(int number) const {
  for (const RecordedRun& run : runs_)
    if (run.number == number) return run;
  raise(Code::kNotFound, "there is no run #", number,
        runs_.empty()
            ? std::string("; none was recorded")
            : str_cat("; #", runs_.front().number, " to #", runs_.back().number, " are kept"));
}

Tensor RunRecorder::value_in(const RecordedRun& run, const std::string& tensor) const {
  for (const std::vector<Feed>& known : {run.feeds, run.given})
    for (const Feed& feed : known)
      if (feed.target.name() == tensor) return feed.value;
  const TensorName name(tensor);
  Tensor found;
  const std::string key = str_cat("rill-track-", reinterpret_cast<std::uintptr_t>(this));
  set_debug_callback(key, [&](const Watched&, const Tensor& value) { found = value.clone(); });
  try {
    replay(run, {.watches = {{.node = name.node, .slot = name.slot, .urls = {"memcbk://" + key}}}});
  } catch (...) {
    set_debug_callback(key, nullptr);
    throw;
  }
  set_debug_callback(key, nullptr);
  return found;
}

const RecordedRun* RunRecorder::first_passing(const TensorFilter& filter) const {
  for (const RecordedRun& run : runs_) {
    if (!run.obstacle.empty()) continue;
    const DumpPlace place;
    Replay again = replay(run, watch_graph(*run.graph, {"file://" + place.path()}));
    const DumpDir dumps(place.path(), std::move(again.graphs), false);
    if (!dumps.find(filter, 1).empty()) return &run;
  }
  return nullptr;
}

RichText RunRecorder::history() const {
  RichText text({str_cat(runs_.size(), " recorded run(s), ", megabytes_text(bytes_), ":"), ""});
  for (const RecordedRun& run : runs_) {
    const std::string number = str_cat("#", run.number);
    std::string line =
        str_cat(run.number == here_ ? "* " : "  ", number, "  ", fetch_text(run.description));
    if (!run.error.empty()) line += "  ended with an error";
    if (!run.obstacle.empty()) line += "  is not run again: " + run.obstacle;
    text.add(line, {.begin = 2,
                    .end = 2 + number.size(),
                    .style = "bold",
                    .command = str_cat("goto ", run.number)});
  }
  return text;
}

RichText RunRecorder::track(const std::string& tensor) const {
  const std::string name = tensor.find(':') == std::string::npos ? tensor + ":0" : tensor;
  RichText text({str_cat("Tensor \"", name, "\" in ", runs_.size(), " recorded run(s):"), ""});
  for (const RecordedRun& run : runs_)
    text.add(str_cat(
        "  #", run.number, "  ",
        run.obstacle.empty() ? value_text(value_in(run, name)) : std::string("is not run again")));
  return text;
}

RichText RunRecorder::go_to(long long number) {
  next_ = at(static_cast<int>(number)).number;
  shell_->end();
  return {};
}

RichText RunRecorder::find_first(const std::string& filter) {
  const auto it = filters_.find(filter);
  if (it == filters_.end())
    return error_text(str_cat("tensor filter \"", filter, "\" does not exist."));
  const RecordedRun* const found = first_passing(it->second);
  if (found == nullptr)
    return RichText({str_cat("No tensor of a recorded run passes filter \"", filter, "\".")});
  return go_to(found->number);
}

void RunRecorder::add_travel_commands(Shell& shell) {
  const auto add = [&](const char* name, const char* alias, ArgumentParser parser,
                       std::function<RichText(const Arguments&)> run) {
    shell.add({name, {alias}, std::move(parser), [run = std::move(run)](const Arguments& given) {
                 try {
                   return run(given);
                 } catch (const Error& error) {
                   return error_text(error.message());
                 }
               }});
  };
  add("history", "hi", ArgumentParser("List the recorded runs."),
      [this](const Arguments&) { return history(); });
  add("back", "b",
      ArgumentParser("Go to the run before this one.").argument("count", "how many back", true),
      [this](const Arguments& given) { return go_to(here_ - given.number("count", 1)); });
  add("forward", "fw",
      ArgumentParser("Go to the run after this one.").argument("count", "how many on", true),
      [this](const Arguments& given) { return go_to(here_ + given.number("count", 1)); });
  add("goto", "g", ArgumentParser("Go to a run.").argument("number", "its number"),
      [this](const Arguments& given) { return go_to(given.number("number", 0)); });
  add("track", "tr",
      ArgumentParser("Show what a tensor was in every recorded run.")
          .argument("tensor", "its name"),
      [this](const Arguments& given) { return track(given.text("tensor")); });
  add("find_first", "ff",
      ArgumentParser("Go to the first run in which a tensor passes a filter.")
          .argument("filter", "its name", true),
      [this](const Arguments& given) {
        return find_first(given.has("filter") ? given.text("filter") : "has_inf_or_nan");
      });
  shell.add({"exit", {"quit"}, ArgumentParser("Leave."), [this](const Arguments&) {
               shell_->end();
               return RichText();
             }});
}

void RunRecorder::visit(int number) {
  const RecordedRun& run = at(number);
  here_ = number;
  next_ = 0;
  const DumpPlace place;
  Shell shell;
  RichText first;
  std::unique_ptr<Analyzer> analyzer;
  if (run.obstacle.empty()) {
    Replay again = replay(run, watch_graph(*run.graph, {"file://" + place.path()}));
    dump_given(run, again, place.path());
    const auto dumps = std::make_shared<DumpDir>(place.path(), std::move(again.graphs), false);
    RunFacts facts{.graph = run.graph, .feeds = {}};
    for (const Feed& feed : run.feeds) facts.feeds[feed.target.name()] = feed.value;
    analyzer = std::make_unique<Analyzer>(dumps, facts, config_);
    for (const auto& [name, filter] : filters_) analyzer->add_filter(name, filter);
    if (options_.command_line.evaluate)
      analyzer->evaluate_with(options_.command_line.evaluate(dumps));
    analyzer->add_commands(shell);
    if (!again.error.empty())
      first.add("!!! This run ended with an error:").add(again.error).add("");
    if (!run.inexact.empty())
      first.add("These nodes gave something else when it was recorded: " + join(run.inexact, ", "))
          .add("");
  }
  add_general_commands(shell, config_);
  add_travel_commands(shell);
  first.add(analyzer == nullptr ? history() : shell.run("lt"));
  shell_ = &shell;
  const auto terminal =
      make_terminal(options_.command_line.ui_type, options_.command_line.io, config_->mouse_mode);
  const bool has_more = terminal->talk(
      shell, str_cat("recorded run #", number, ": ", fetch_text(run.description)), first);
  shell_ = nullptr;
  if (!has_more) next_ = 0;
}

void RunRecorder::look_back() {
  if (runs_.empty()) return;
  for (next_ = runs_.back().number; next_ != 0;) visit(next_);
}

}  // namespace rill::debugger
