#include "rill/inspect/debugger/command_line_observer.h"

#include <cstdlib>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/error_classes.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/inspect/debugger/dump_place.h"
#include "rill/inspect/debugger/profile_screens.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::debugger {
namespace {

using Kind = ArgumentParser::Kind;
constexpr const char* kRuler = "======================================";

// The values that were fed, by name.
RunFacts facts_of(const ObservedRun& run) {
  RunFacts facts;
  facts.graph = {std::shared_ptr<const Graph>(), &run.session.graph()};
  for (const Feed& feed : run.feeds) facts.feeds[feed.target.name()] = feed.value;
  return facts;
}

ArgumentParser run_parser() {
  return ArgumentParser("Go on with the program, with or without watching its tensors.")
      .option("-t", "times", Kind::number, "Go on for so many runs, and watch the last of them.")
      .option("-n", "no_debug", Kind::flag, "Do not watch this run.")
      .option("-f", "till_filter_pass", Kind::text, "Go on until a tensor passes this filter.")
      .option("-fenn", "filter_exclude_node_names", Kind::text,
              "With -f: tensors of nodes whose names match this regular expression do not count.")
      .option("", "node_name_filter", Kind::text, "Watch nodes with matching names only.")
      .option("", "op_type_filter", Kind::text, "Watch nodes with matching ops only.")
      .option("", "tensor_dtype_filter", Kind::text, "Watch tensors of matching types only.")
      .option("-p", "profile", Kind::flag, "Measure the run and show where its time went.");
}

}  // namespace

CommandLineObserver::CommandLineObserver(CommandLineOptions options)
    : options_(std::move(options)), config_(std::make_shared<ShellConfig>(options_.config_file)) {
  require(options_.ui_type == "readline" || options_.ui_type == "curses", "Unsupported ui_type: '",
          options_.ui_type, "'; there are readline and curses");
  const std::string& root = options_.dump_root;
  if (!root.empty() && file_exists(root)) {
    require(is_directory(root), "dump_root path points to a file: ", root);
    require(file_system_of(root).list(root).empty(),
            "dump_root path points to a non-empty directory: ", root);
  }
  filters_["has_inf_or_nan"] = has_inf_or_nan;
  if (options_.exit == nullptr) options_.exit = [] { std::exit(1); };
}

void CommandLineObserver::add_tensor_filter(const std::string& name, TensorFilter filter) {
  require(!name.empty(), "Input argument filter_name cannot be empty.");
  filters_[name] = std::move(filter);
}

std::vector<Tensor> CommandLineObserver::run(const ObservedRun& run) {
  if (leaves_) options_.exit();
  const RunDescription description(run);
  ++count_;
  if (plan_.skipped > 0) {
    --plan_.skipped;
    return run.run();
  }
  if (plan_.asks) ask(run, description);
  if (leaves_) options_.exit();
  if (plan_.skipped > 0) {
    --plan_.skipped;
    return run.run();
  }
  if (plan_.profiles) return run_profiled(run, description);
  if (!plan_.watches) {
    plan_ = Plan{};
    return run.run();
  }
  return run_watched(run, description);
}

void CommandLineObserver::talk(Shell& shell, const std::string& title, const RichText& first) {
  shell_ = &shell;
  const auto terminal = make_terminal(options_.ui_type, options_.io, config_->mouse_mode);
  if (!terminal->talk(shell, title, first)) leaves_ = true;
  shell_ = nullptr;
}

void CommandLineObserver::ask(const ObservedRun&, const RunDescription& description) {
  Shell shell;
  add_run_commands(shell, description);
  RichText first({"", "Rill's debugger, with the commands of TensorFlow's tfdbg", ""});
  first.add(run_text(description));
  talk(shell, str_cat("run-start: run #", count_, ": ", fetch_text(description)), first);
}

std::vector<Tensor> CommandLineObserver::run_watched(const ObservedRun& run,
                                                     const RunDescription& description) {
  const DumpPlace root(options_.dump_root);
  RunOptions options = run.options;
  options.debug = watch_graph(run.session.graph(), {"file://" + root.path()}, plan_.watch);
  options.debug.resets_disk_usage = true;
  StepStats own;
  StepStats* const stats = run.stats == nullptr ? &own : run.stats;
  std::vector<tensorflow::GraphDef> graphs;
  std::vector<Tensor> results;
  try {
    results = run.run(options, stats);
  } catch (const Error& error) {
    show_dumps(run, description, root.path(), {}, &error);
    throw;
  }
  for (const std::string& graph : stats->partition_graphs)
    graphs.emplace_back().ParseFromString(graph);
  show_dumps(run, description, root.path(), std::move(graphs), nullptr);
  return results;
}

void CommandLineObserver::show_dumps(const ObservedRun& run, const RunDescription& description,
                                     const std::string& root,
                                     std::vector<tensorflow::GraphDef> graphs, const Error* error) {
  make_directories(root);
  const auto dumps = std::make_shared<DumpDir>(root, std::move(graphs), false);
  if (error == nullptr && !plan_.filter.empty()) {
    if (dumps->find(filters_.at(plan_.filter), 1, "", plan_.excluded).empty()) return;  // goes on
  }
  Analyzer analyzer(dumps, facts_of(run), config_);
  for (const auto& [name, filter] : filters_) analyzer.add_filter(name, filter);
  if (options_.evaluate) analyzer.evaluate_with(options_.evaluate(dumps));
  Shell shell;
  analyzer.add_commands(shell);
  add_run_commands(shell, description);
  RichText first;
  if (error != nullptr) {
    first.add("!!! The run ended with an error:").add("");
    for (const std::string_view line : split(error->message(), '\n')) first.add(std::string(line));
    first.add("");
    if (!error->node().empty()) {
      first.add("The node that failed is " + error->node() + ". What may help:");
      for (const char* command : {"ni -a -d -t ", "li -r "})
        first.add("  " + (command + error->node()),
                  {.begin = 2,
                   .end = 2 + std::string(command).size() + error->node().size(),
                   .style = "bold",
                   .command = command + error->node()});
      first.add("");
    }
    first.add(shell.run("help"));
  } else if (!plan_.filter.empty()) {
    std::string command = "lt -f " + plan_.filter;
    if (!plan_.excluded.empty()) command += " -fenn " + plan_.excluded;
    first = shell.run(command);
  } else {
    first = shell.run("lt");
  }
  plan_ = Plan{};
  talk(shell, str_cat("run-end: run #", count_, ": ", fetch_text(description)), first);
}

std::vector<Tensor> CommandLineObserver::run_profiled(const ObservedRun& run,
                                                      const RunDescription& description) {
  StepStats own;
  StepStats* const stats = run.stats == nullptr ? &own : run.stats;
  RunOptions options = run.options;
  options.trace = true;
  std::vector<Tensor> results = run.run(options, stats);
  plan_ = Plan{};
  tensorflow::RunMetadata metadata;
  to_proto(*stats, &metadata);
  ProfileScreens profile(metadata, facts_of(run).graph);
  Shell shell;
  profile.add_commands(shell);
  add_run_commands(shell, description);
  const RichText first = shell.run("list_profile");
  talk(shell, str_cat("run-end (profiler mode): run #", count_, ": ", fetch_text(description)),
       first);
  return results;
}

RichText CommandLineObserver::take_run(const Arguments& given) {
  Plan plan{.asks = false};
  plan.filter = given.text("till_filter_pass");
  plan.excluded = given.text("filter_exclude_node_names");
  if (!plan.filter.empty() && !filters_.contains(plan.filter))
    return error_text(str_cat("tensor filter \"", plan.filter, "\" does not exist."));
  require(plan.excluded.empty() || !plan.filter.empty(),
          "The flag --filter_exclude_node_names is valid only when the flag -f or ",
          "--till_filter_pass is used.");
  plan.watch.node_name = given.text("node_name_filter");
  plan.watch.op_type = given.text("op_type_filter");
  plan.watch.tensor_dtype = given.text("tensor_dtype_filter");
  plan.watches = !given.has("no_debug");
  plan.profiles = given.has("profile");
  plan.skipped = std::max(0LL, given.number("times", 1) - 1);
  plan_ = plan;
  shell_->end();
  return {};
}

void CommandLineObserver::add_run_commands(Shell& shell, const RunDescription& description) {
  shell.add(
      {"run", {"r"}, run_parser(), [this](const Arguments& given) { return take_run(given); }});
  shell.add({"run_info",
             {"ri"},
             ArgumentParser("Tell what this run fetches and is fed."),
             [this, description](const Arguments&) { return run_text(description); }});
  add_general_commands(shell, config_);
  shell.add({"exit", {"quit"}, ArgumentParser("End the program."), [this](const Arguments&) {
               leaves_ = true;
               shell_->end();
               return RichText();
             }});
  shell.complete_with({"run"}, [this] {
    std::vector<std::string> names;
    for (const auto& [name, filter] : filters_) names.push_back(name);
    return names;
  });
}

RichText CommandLineObserver::run_text(const RunDescription& description) const {
  RichText text({kRuler, str_cat("Session.run() call #", count_, ":"), "", "Fetch(es):"});
  for (const std::string& name : description.fetches) text.add("  " + name);
  text.add("").add("Feed dict:");
  if (description.feeds.empty()) text.add("  (Empty)");
  for (const std::string& name : description.feeds)
    text.add("  " + name,
             {.begin = 2, .end = 2 + name.size(), .style = "bold", .command = "pf " + name});
  text.add(kRuler).add("");
  text.add("What next?");
  const auto choice = [&](const std::string& command, const std::string& what) {
    text.add("  " + command + ":",
             {.begin = 2,
              .end = 2 + command.size(),
              .style = "bold",
              .command = command.find('<') == std::string::npos ? command : ""});
    text.add("    " + what);
  };
  choice("run", "this run, with its tensors watched");
  choice("run -n", "this run as it is");
  choice("run -t <T>", "T runs, of which the last is watched");
  choice("run -f <filter_name>", "as many runs as it takes until a tensor passes a filter");
  text.add("    Filters:");
  for (const auto& [name, filter] : filters_)
    text.add("        * " + name,
             {.begin = 10, .end = 10 + name.size(), .style = "bold", .command = "run -f " + name});
  return text.add("").add("help tells of every command.").add("");
}

void look_at_dumps(Analyzer& analyzer, Terminal& terminal,
                   const std::shared_ptr<ShellConfig>& config) {
  Shell shell;
  analyzer.add_commands(shell);
  add_general_commands(shell, config);
  shell.add({"exit", {"quit"}, ArgumentParser("Leave."), [&shell](const Arguments&) {
               shell.end();
               return RichText();
             }});
  const RichText first = shell.run("lt");
  terminal.talk(shell, "tfdbg offline @ " + analyzer.dumps().root(), first);
}

}  // namespace rill::debugger
