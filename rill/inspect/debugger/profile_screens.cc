#include "rill/inspect/debugger/profile_screens.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/inspect/debugger/name_pattern.h"
#include "rill/inspect/debugger/source_lines.h"

namespace rill::debugger {
namespace {

using Kind = ArgumentParser::Kind;
constexpr int kBarWidth = 10;

// One node of the run that was measured.
struct Measured {
  std::string node, op, file, function;
  int line = 0;
  std::int64_t start = 0, op_time = 0, exec_time = 0;  // in microseconds
};

std::string time_text(std::int64_t micros, const std::string& unit) {
  if (micros == 0) return "0";
  const double per = unit == "s" ? 1e6 : unit == "ms" ? 1e3 : 1;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", per > 1 ? 6 : 0, static_cast<double>(micros) / per);
  std::string trimmed = text;
  if (per > 1) {
    trimmed.resize(trimmed.find_last_not_of('0') + 1);
    if (trimmed.ends_with(".")) trimmed.pop_back();
  }
  return trimmed + unit;
}

// "<100", ">=1ms", "[100us,1000ms]": a range of times, in microseconds.
struct Interval {
  double low = -1, high = 1e30;
  bool with_low = true, with_high = true;

  bool holds(std::int64_t micros) const {
    const auto x = static_cast<double>(micros);
    return (with_low ? x >= low : x > low) && (with_high ? x <= high : x < high);
  }
};

double micros_in(std::string_view text, const std::string& whole) {
  std::string_view word = strip(text);
  double per = 1, number = 0;
  for (const auto& [suffix, scale] : {std::pair("us", 1.0), {"ms", 1e3}, {"s", 1e6}})
    if (word.ends_with(suffix)) {
      per = scale;
      word.remove_suffix(std::string_view(suffix).size());
      break;
    }
  require(parse_float(strip(word), &number), "\"", whole, "\" is no interval of times, as <100, ",
          ">=1ms or [100us,1000ms]");
  return number * per;
}

Interval interval_of(const std::string& text) {
  const std::string_view word = strip(text);
  if (word.starts_with("<=")) return {.high = micros_in(word.substr(2), text)};
  if (word.starts_with(">=")) return {.low = micros_in(word.substr(2), text)};
  if (word.starts_with("<")) return {.high = micros_in(word.substr(1), text), .with_high = false};
  if (word.starts_with(">")) return {.low = micros_in(word.substr(1), text), .with_low = false};
  const auto comma = word.find(',');
  require(comma != std::string_view::npos && word.size() > 2, "\"", text,
          "\" is no interval of times, as <100, >=1ms or [100us,1000ms]");
  return {.low = micros_in(word.substr(1, comma - 1), text),
          .high = micros_in(word.substr(comma + 1, word.size() - comma - 2), text),
          .with_low = word.front() == '[',
          .with_high = word.back() == ']'};
}

Measured measured(const tensorflow::NodeExecStats& stats, const Graph* graph) {
  Measured row;
  row.node = stats.node_name().substr(0, stats.node_name().find(':'));
  re2::RE2::PartialMatch(stats.timeline_label(), "= ([^(]*)\\(", &row.op);
  row.start = stats.all_start_micros();
  row.op_time = stats.op_end_rel_micros() - stats.op_start_rel_micros();
  row.exec_time = stats.all_end_rel_micros();
  const Node* const node = graph == nullptr ? nullptr : graph->find(row.node);
  if (node == nullptr) return row;
  const std::vector<Frame> frames = frames_of(*node);
  if (frames.empty()) return row;
  row.file = frames[0].file;
  row.function = frames[0].function;
  row.line = frames[0].line;
  return row;
}

std::vector<Measured> rows_of(const tensorflow::DeviceStepStats& device, const Graph* graph,
                              const Arguments& given) {
  std::vector<Measured> rows;
  const auto passes = [&](const char* option, const std::string& text) {
    return NamePattern(given.text(option)).matches(text);
  };
  const auto in = [&](const char* option, std::int64_t micros) {
    return !given.has(option) || interval_of(given.text(option)).holds(micros);
  };
  const long long from = given.number("min_lineno", 0), to = given.number("max_lineno", 0);
  for (const auto& stats : device.node_stats()) {
    if (stats.node_name() == "_SOURCE" || stats.node_name() == "_SINK") continue;
    Measured row = measured(stats, graph);
    if (passes("node_name_filter", row.node) && passes("op_type_filter", row.op) &&
        passes("file_path_filter", row.file) && in("execution_time", row.exec_time) &&
        in("op_time", row.op_time) && (from <= 0 || row.line >= from) && (to <= 0 || row.line < to))
      rows.push_back(std::move(row));
  }
  return rows;
}

void sort_rows(const Arguments& given, std::vector<Measured>* rows) {
  const std::string key = given.has("sort_by") ? given.text("sort_by") : "start_time";
  const auto by = [&](const auto& value) {
    std::ranges::stable_sort(*rows, [&](const Measured& a, const Measured& b) {
      return given.has("reverse") ? value(b) < value(a) : value(a) < value(b);
    });
  };
  if (key == "node")
    by([](const Measured& r) { return r.node; });
  else if (key == "op_type")
    by([](const Measured& r) { return r.op; });
  else if (key == "start_time")
    by([](const Measured& r) { return r.start; });
  else if (key == "op_time")
    by([](const Measured& r) { return r.op_time; });
  else if (key == "exec_time")
    by([](const Measured& r) { return r.exec_time; });
  else if (key == "line")
    by([](const Measured& r) { return std::pair(r.file, r.line); });
  else
    raise(Code::kInvalidArgument, "Unsupported key to sort a profile by: ", key);
}

std::string place_text(const Measured& row) {
  if (row.file.empty()) return "";
  return str_cat(base_name(row.file), ":", row.line, "(", row.function, ")");
}

void add_table(const std::vector<std::vector<std::string>>& table, RichText* text) {
  std::vector<std::size_t> widths(6, 0);
  for (const auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  const auto line_of = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]);
    return line;
  };
  for (std::size_t i = 0; i + 1 < table.size(); ++i) text->add(line_of(table[i]));
  text->add("").add(line_of(table.back()));
}

ArgumentParser list_parser() {
  return ArgumentParser("List the nodes that ran, with their times.")
      .option("-d", "device_name_filter", Kind::text, "Of devices with matching names.")
      .option("-n", "node_name_filter", Kind::text, "Nodes with matching names.")
      .option("-t", "op_type_filter", Kind::text, "Nodes with matching ops.")
      .option("-f", "file_path_filter", Kind::text, "Nodes that were made in matching files.")
      .option("", "min_lineno", Kind::number, "Nodes that were made on this line or later ones.")
      .option("", "max_lineno", Kind::number, "Nodes that were made before this line.")
      .option("-e", "execution_time", Kind::text,
              "Nodes whose time from start to end is in an interval, as <100, >=1ms or "
              "[100us,1000ms].")
      .option("-o", "op_time", Kind::text, "Nodes whose kernel's time is in such an interval.")
      .option("-s", "sort_by", Kind::text,
              "In the order of: node, op_type, start_time, op_time, exec_time or line.")
      .option("-r", "reverse", Kind::flag, "The other way round.")
      .option("", "time_unit", Kind::text, "us, ms or s.");
}

}  // namespace

RichText ProfileScreens::list_profile(const Arguments& given) const {
  RichText text;
  const std::string unit = given.has("time_unit") ? given.text("time_unit") : "us";
  require(unit == "us" || unit == "ms" || unit == "s", "Invalid time unit: ", unit);
  const int count = metadata_.step_stats().dev_stats_size();
  for (int i = 0; i < count; ++i) {
    const auto& device = metadata_.step_stats().dev_stats(i);
    if (!NamePattern(given.text("device_name_filter")).matches(device.device())) continue;
    std::vector<Measured> rows = rows_of(device, graph_.get(), given);
    sort_rows(given, &rows);
    text.add("").add(std::string(80, '-'));
    text.add(str_cat("Device ", i + 1, " of ", count, ": ", device.device())).add("");
    std::vector<std::vector<std::string>> table{
        {"Node", "Op Type", "Start Time (us)", "Op Time (" + unit + ")", "Exec Time (" + unit + ")",
         "Filename:Lineno(function)"}};
    std::int64_t op_time = 0, exec_time = 0;
    for (const Measured& row : rows) {
      table.push_back({row.node, row.op, str_cat(row.start), time_text(row.op_time, unit),
                       time_text(row.exec_time, unit), place_text(row)});
      op_time += row.op_time;
      exec_time += row.exec_time;
    }
    table.push_back({"Device Total", "", time_text(op_time, unit), time_text(exec_time, unit)});
    add_table(table, &text);
  }
  return text;
}

RichText ProfileScreens::print_source(const Arguments& given) const {
  const std::string path = given.text("source_file_path");
  const std::string kind = given.has("cost_type") ? given.text("cost_type") : "exec_time";
  const std::string unit = given.has("time_unit") ? given.text("time_unit") : "us";
  require(kind == "exec_time" || kind == "op_time", "Invalid cost type: ", kind);
  require(file_exists(path) && !is_directory(path), "There is no source file ", path);
  struct Line {
    std::int64_t time = 0;
    int nodes = 0;
  };
  std::map<int, Line> lines;
  std::int64_t most = 1;
  for (const auto& device : metadata_.step_stats().dev_stats())
    for (const Measured& row : rows_of(device, graph_.get(), given)) {
      if (row.file != path && !row.file.ends_with("/" + path)) continue;
      Line& line = lines[row.line];
      line.time += kind == "exec_time" ? row.exec_time : row.op_time;
      ++line.nodes;
      most = std::max(most, line.time);
    }
  const std::string source = read_file(path);
  const std::vector<std::string_view> text_lines = split(source, '\n');
  const std::size_t number_width = str_cat("L", text_lines.size()).size() + 1;
  RichText text;
  const auto row = [&](const std::string& bar, const std::string& time, const std::string& nodes,
                       const std::string& rest) {
    text.add(padded(bar, kBarWidth + 3) + padded(time, kind.size() + 2) + padded(nodes, 9) + rest);
  };
  row("", kind, "#nodes", "lineno");
  row("", "", "(#execs)", "source");
  for (std::size_t i = 0; i < text_lines.size(); ++i) {
    const auto it = lines.find(static_cast<int>(i + 1));
    const std::string rest = padded(str_cat("L", i + 1), number_width) + std::string(text_lines[i]);
    if (it == lines.end()) {
      row("", "", "", rest);
      continue;
    }
    const auto bars = static_cast<std::size_t>(
        std::max<std::int64_t>(1, (kBarWidth * it->second.time + most - 1) / most));
    row("[" + padded(std::string(bars, '|'), kBarWidth) + "]", time_text(it->second.time, unit),
        str_cat(it->second.nodes, "(", it->second.nodes, ")"), rest);
  }
  text.first_shown = static_cast<std::size_t>(std::max(0LL, given.number("init_line", 1) - 1));
  return text;
}

void ProfileScreens::add_commands(Shell& shell) {
  shell.add({"list_profile", {"lp"}, list_parser(), [this](const Arguments& given) {
               return list_profile(given);
             }});
  shell.add({"print_source",
             {"ps"},
             ArgumentParser("Print a source file with the time that each line's nodes took.")
                 .argument("source_file_path", "The file.")
                 .option("", "cost_type", Kind::text, "exec_time or op_time.")
                 .option("", "time_unit", Kind::text, "us, ms or s.")
                 .option("-d", "device_name_filter", Kind::text, "Of devices with matching names.")
                 .option("-n", "node_name_filter", Kind::text, "Nodes with matching names.")
                 .option("-t", "op_type_filter", Kind::text, "Nodes with matching ops.")
                 .option("", "init_line", Kind::number, "The line to begin with, counted from 1."),
             [this](const Arguments& given) { return print_source(given); }});
}

}  // namespace rill::debugger
