#include <algorithm>
#include <cmath>

#include "rill/board/plugin/hparams_groups.h"

namespace rill::board {
namespace {

using Kind = HParamValue::Kind;

constexpr std::string_view kTypes[] = {"DATA_TYPE_UNSET", "DATA_TYPE_STRING", "DATA_TYPE_BOOL",
                                       "DATA_TYPE_FLOAT64"};
constexpr std::string_view kDatasets[] = {"DATASET_UNKNOWN", "DATASET_TRAINING",
                                          "DATASET_VALIDATION", "DATASET_UNKNOWN"};

void write_value(const HParamValue& value, JsonOut& json) {
  switch (value.kind) {
    case Kind::kNumber:
      json.number(value.number);
      break;
    case Kind::kText:
      json.text(value.text);
      break;
    case Kind::kBoolean:
      json.boolean(value.number != 0);
      break;
    case Kind::kNone:
      json.null();
      break;
  }
}

void write_name(const MetricName& name, JsonOut& json) {
  json.key("name").open_object().member("group", name.group).member("tag", name.tag);
  json.close_object();
}

void write_info(const HParamInfo& info, JsonOut& json) {
  json.open_object().member("name", info.name).member("displayName", info.display_name);
  json.member("description", info.description).member("type", kTypes[info.type]);
  if (info.discrete) {
    json.key("domainDiscrete").open_array();
    for (const HParamValue& value : *info.discrete) write_value(value, json);
    json.close_array();
  }
  if (info.interval)
    json.key("domainInterval")
        .open_object()
        .key("minValue")
        .number(info.interval->first)
        .key("maxValue")
        .number(info.interval->second)
        .close_object();
  json.key("differs").boolean(info.differs).close_object();
}

Answer experiment(const BoardFacts& board, const Question& question) {
  const HParamExperiment found = wanted_experiment(board, hparams_request(question));
  JsonOut json;
  json.open_object().key("hparamInfos").open_array();
  for (const HParamInfo& info : found.hparams) write_info(info, json);
  json.close_array().key("metricInfos").open_array();
  for (const MetricInfo& metric : found.metrics) {
    json.open_object();
    write_name(metric.name, json);
    json.member("displayName", metric.display_name).member("description", metric.description);
    json.member("datasetType", kDatasets[metric.dataset_type]).close_object();
  }
  json.close_array().member("name", found.name).member("description", found.description);
  json.member("user", found.user).key("timeCreatedSecs").number(found.time_created);
  json.close_object();
  return json_answer(json);
}

void write_metrics(const std::vector<MetricValue>& metrics, JsonOut& json) {
  json.key("metricValues").open_array();
  for (const MetricValue& value : metrics) {
    json.open_object();
    write_name(value.name, json);
    json.key("value").number(value.value).key("trainingStep").integer(value.step);
    json.key("wallTimeSecs").number(value.wall_time).close_object();
  }
  json.close_array();
}

void write_session(const HParamSession& session, JsonOut& json) {
  json.open_object().member("name", session.run).key("startTimeSecs").number(session.start);
  json.key("endTimeSecs").number(session.end).member("status", kSessionStatuses[session.status]);
  json.member("modelUri", session.model_uri).member("monitorUrl", session.monitor_url);
  write_metrics(session.metrics, json);
  json.close_object();
}

void write_group(const SessionGroup& group, JsonOut& json) {
  const HParamSession& first = group.sessions.front();
  json.open_object().member("name", group.name).key("hparams").open_object();
  for (const auto& [name, value] : first.hparams) {
    if (value.kind == Kind::kNumber && !std::isfinite(value.number)) continue;
    json.key(name);
    write_value(value, json);
  }
  json.close_object();
  write_metrics(group.metrics, json);
  json.key("sessions").open_array();
  for (const HParamSession& session : group.sessions) write_session(session, json);
  json.close_array().member("monitorUrl", first.monitor_url).close_object();
}

Answer session_groups(const BoardFacts& board, const Question& question) {
  const Json request = hparams_request(question);
  const std::vector<SessionGroup> groups = wanted_groups(board, request);
  long long begin = 0, size = 0;
  if (const Json* start = member_of(request, "startIndex")) start->is_count(&begin);
  if (const Json* slice = member_of(request, "sliceSize")) slice->is_count(&size);
  JsonOut json;
  json.open_object().key("sessionGroups").open_array();
  for (long long i = begin; i < begin + size && i < static_cast<long long>(groups.size()); ++i)
    write_group(groups[static_cast<std::size_t>(i)], json);
  json.close_array().key("totalSize").integer(static_cast<std::int64_t>(groups.size()));
  json.close_object();
  return json_answer(json);
}

Answer metric_evals(const BoardFacts& board, const Question& question) {
  const Json request = hparams_request(question);
  const Json* const metric = member_of(request, "metricName");
  require(metric != nullptr, "metricName is missing");
  const MetricName name = metric_name_of(*metric);
  const std::string session = text_member(request, "sessionName");
  const auto run = board.logs.run(name.group.empty() ? session : str_cat(session, "/", name.group));
  if (!run) raise(Code::kNotFound, "No scalar data for run='", session, "', tag='", name.tag, "'");
  JsonOut json;
  run->with_lock([&](const Run::Contents& contents) {
    const auto found = contents.series.find(name.tag);
    if (found == contents.series.end() || !found->second.is_scalar())
      raise(Code::kNotFound, "No scalar data for run='", session, "', tag='", name.tag, "'");
    const ScalarColumns& scalars = found->second.scalars;
    json.open_array();
    for (std::size_t i = 0; i < scalars.size(); ++i)
      json.open_array()
          .number(scalars.wall_times[i])
          .integer(scalars.steps[i])
          .number(scalars.values[i])
          .close_array();
    json.close_array();
  });
  return json_answer(json);
}

// A table of what groups have, of the columns that somebody sees.
struct HParamTable {
  std::vector<std::string> heads;
  std::vector<std::vector<HParamValue>> rows;
};

HParamTable table_of(const HParamExperiment& experiment, const std::vector<SessionGroup>& groups,
                     const Json& visible) {
  const auto is_seen = [&](std::size_t i) {
    return i < visible.items.size() && visible.items[i].boolean;
  };
  HParamTable table;
  std::size_t column = 0;
  for (const HParamInfo& info : experiment.hparams)
    if (is_seen(column++))
      table.heads.push_back(info.display_name.empty() ? info.name : info.display_name);
  for (const MetricInfo& info : experiment.metrics)
    if (is_seen(column++))
      table.heads.push_back(info.display_name.empty() ? info.name.tag : info.display_name);
  for (const SessionGroup& group : groups) {
    std::vector<HParamValue> row;
    const auto& hparams = group.sessions.front().hparams;
    column = 0;
    for (const HParamInfo& info : experiment.hparams) {
      const auto found = hparams.find(info.name);
      if (is_seen(column++))
        row.push_back(found == hparams.end() ? HParamValue{.kind = Kind::kText} : found->second);
    }
    for (const MetricInfo& info : experiment.metrics) {
      const MetricValue* const value = metric_in(group.metrics, info.name);
      if (is_seen(column++))
        row.push_back(value == nullptr ? HParamValue{} : HParamValue{Kind::kNumber, value->value});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string plain_text(const HParamValue& value) {
  if (value.kind == Kind::kText) return value.text;
  if (value.kind == Kind::kBoolean) return value.number != 0 ? "True" : "False";
  return value.kind == Kind::kNumber ? python_float(value.number) : "";
}

std::string latex_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '_' || c == '%' ? str_cat("\\", c) : std::string(1, c);
  return escaped;
}

// "$1.5\cdot 10^{-5}$"
std::string latex_cell(const HParamValue& value) {
  if (value.kind == Kind::kNone) return "-";
  if (value.kind == Kind::kText) return latex_text(value.text);
  if (value.kind == Kind::kBoolean) return str_cat("$", value.number != 0 ? 1 : 0, "$");
  if (std::isnan(value.number)) return "$\\mathrm{NaN}$";
  if (std::isinf(value.number)) return value.number < 0 ? "$-\\infty$" : "$+\\infty$";
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g", value.number);
  const std::string text = digits;
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return str_cat("$", text, "$");
  return str_cat("$", text.substr(0, exponent), "\\cdot 10^{",
                 std::strtol(text.c_str() + exponent + 1, nullptr, 10), "}$");
}

std::string joined(const std::vector<std::string>& cells, std::string_view between,
                   std::string_view end) {
  return str_cat(join(cells, between), end);
}

std::string hparams_csv(const HParamTable& table) {
  std::vector<std::string> cells;
  for (const std::string& head : table.heads) cells.push_back(csv_cell(head));
  std::string text = joined(cells, ",", "\r\n");
  for (const auto& row : table.rows) {
    cells.clear();
    for (const HParamValue& value : row) cells.push_back(csv_cell(plain_text(value)));
    text += joined(cells, ",", "\r\n");
  }
  return text;
}

std::string latex_of(const HParamTable& table) {
  std::vector<std::string> cells;
  for (const std::string& head : table.heads) cells.push_back(latex_text(head));
  std::string text =
      str_cat("\\begin{table}[tbp]\n\\begin{tabular}{", std::string(cells.size(), 'l'), "}\n",
              joined(cells, " & ", " \\\\ \\hline\n"));
  for (const auto& row : table.rows) {
    cells.clear();
    for (const HParamValue& value : row) cells.push_back(latex_cell(value));
    text += joined(cells, " & ", " \\\\\n");
  }
  return text + "\\hline\n\\end{tabular}\n\\end{table}\n";
}

Answer hparams_download(const BoardFacts& board, const Question& question) {
  const Json request = hparams_request(question);
  const std::string format = question.parameter("format");
  std::vector<SessionGroup> groups = wanted_groups(board, request);
  long long begin = 0, size = 0;
  if (const Json* start = member_of(request, "startIndex")) start->is_count(&begin);
  if (const Json* slice = member_of(request, "sliceSize")) slice->is_count(&size);
  const auto from = static_cast<std::size_t>(std::min<long long>(begin, std::ssize(groups)));
  groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(from));
  if (std::ssize(groups) > size) groups.resize(static_cast<std::size_t>(size));
  const HParamTable table = table_of(read_experiment(board.logs), groups,
                                     parse_json(question.parameter("columnsVisibility")));
  if (format == "csv") return text_answer(hparams_csv(table), "text/csv; charset=utf-8");
  if (format == "latex") return text_answer(latex_of(table), "application/x-latex");
  require(format == "json", "Invalid reponses format: ", format);
  JsonOut json;
  json.open_object().key("header").open_array();
  for (const std::string& head : table.heads) json.text(head);
  json.close_array().key("rows").open_array();
  for (const auto& row : table.rows) {
    json.open_array();
    for (const HParamValue& value : row) write_value(value, json);
    json.close_array();
  }
  json.close_array().close_object();
  return json_answer(json);
}

}  // namespace

std::span<const Route> hparams_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/hparams/experiment", experiment},
                                      {"/data/plugin/hparams/session_groups", session_groups},
                                      {"/data/plugin/hparams/download_data", hparams_download},
                                      {"/data/plugin/hparams/metric_evals", metric_evals}};
  return kRoutes;
}

}  // namespace rill::board
