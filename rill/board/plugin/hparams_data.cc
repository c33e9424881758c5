#include "rill/board/plugin/hparams_data.h"

#include <google/protobuf/struct.pb.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rill/base/files.h"
#include "rill/board/data/json_out.h"
#include "rill/board/log/wire.h"
#include "rill/io/parse_message.h"

namespace rill::board {
namespace {

constexpr std::string_view kPlugin = "hparams";
using Wire = MessageField;
using Kind = HParamValue::Kind;

HParamValue value_of(const google::protobuf::Value& value) {
  if (value.has_number_value()) return {Kind::kNumber, value.number_value()};
  if (value.has_string_value()) return {Kind::kText, 0, value.string_value()};
  if (value.has_bool_value()) return {Kind::kBoolean, value.bool_value() ? 1.0 : 0.0};
  return {};
}

HParamValue read_hparam(std::string_view bytes) {
  google::protobuf::Value value;
  return parse_message(bytes, &value) ? value_of(value) : HParamValue{};
}

MetricName read_metric_name(std::string_view text) {
  MetricName name;
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(1)) name.group = text_of(field);
    if (field.is_bytes(2)) name.tag = text_of(field);
  });
  return name;
}

HParamInfo read_info(std::string_view text) {
  HParamInfo info;
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(1)) info.name = text_of(field);
    if (field.is_bytes(2)) info.display_name = text_of(field);
    if (field.is_bytes(3)) info.description = text_of(field);
    if (field.is(4, Wire::kVarint)) info.type = static_cast<int>(field.integer() & 3);
    if (field.is(7, Wire::kVarint)) info.differs = field.integer() != 0;
    if (field.is_bytes(5)) {
      google::protobuf::ListValue list;
      info.discrete.emplace();
      if (parse_message(text_of(field), &list))
        for (const auto& value : list.values()) info.discrete->push_back(value_of(value));
    }
    if (field.is_bytes(6)) {
      info.interval.emplace(0.0, 0.0);
      each_field(text_of(field), [&](const Wire& end) {
        if (end.is(1, Wire::kFixed64)) info.interval->first = end.as_double();
        if (end.is(2, Wire::kFixed64)) info.interval->second = end.as_double();
      });
    }
  });
  return info;
}

MetricInfo read_metric(std::string_view text) {
  MetricInfo info;
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(1)) info.name = read_metric_name(text_of(field));
    if (field.is_bytes(3)) info.display_name = text_of(field);
    if (field.is_bytes(4)) info.description = text_of(field);
    if (field.is(5, Wire::kVarint)) info.dataset_type = static_cast<int>(field.integer() & 3);
  });
  return info;
}

HParamExperiment read_experiment_message(std::string_view text) {
  HParamExperiment experiment;
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(6)) experiment.name = text_of(field);
    if (field.is_bytes(1)) experiment.description = text_of(field);
    if (field.is_bytes(2)) experiment.user = text_of(field);
    if (field.is(3, Wire::kFixed64)) experiment.time_created = field.as_double();
    if (field.is_bytes(4)) experiment.hparams.push_back(read_info(text_of(field)));
    if (field.is_bytes(5)) experiment.metrics.push_back(read_metric(text_of(field)));
  });
  return experiment;
}

void read_start(std::string_view text, HParamSession* session) {
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(1)) {
      std::string name;
      HParamValue value;
      each_field(text_of(field), [&](const Wire& entry) {
        if (entry.is_bytes(1)) name = text_of(entry);
        if (entry.is_bytes(2)) value = read_hparam(text_of(entry));
      });
      session->hparams[name] = value;
    }
    if (field.is_bytes(2)) session->model_uri = text_of(field);
    if (field.is_bytes(3)) session->monitor_url = text_of(field);
    if (field.is_bytes(4)) session->group = text_of(field);
    if (field.is(5, Wire::kFixed64)) session->start = field.as_double();
  });
}

void read_end(std::string_view text, HParamSession* session) {
  each_field(text, [&](const Wire& field) {
    if (field.is(1, Wire::kVarint)) session->status = static_cast<int>(field.integer() & 3);
    if (field.is(2, Wire::kFixed64)) session->end = field.as_double();
  });
}

// The message of this number in the metadata of a tag; nullopt when there is none.
std::optional<std::string> plugin_message(const Run::Contents& contents, std::string_view tag,
                                          std::uint32_t number) {
  const auto found = contents.series.find(tag);
  if (found == contents.series.end() || found->second.metadata.plugin != kPlugin)
    return std::nullopt;
  std::optional<std::string> message;
  each_field(found->second.metadata.content, [&](const Wire& field) {
    if (field.is_bytes(number)) message = text_of(field);
  });
  return message;
}

// "." and "eval" is "eval".
std::string metric_run(const std::string& session, const std::string& group) {
  std::vector<std::string> parts;
  const std::string path = str_cat(session, "/", group);
  for (const std::string_view part : split(path, '/'))
    if (!part.empty() && part != ".") parts.emplace_back(part);
  return parts.empty() ? "." : join(parts, "/");
}

std::optional<MetricValue> last_value(const LogStore& logs, const std::string& session,
                                      const MetricName& name) {
  const auto run = logs.run(metric_run(session, name.group));
  if (!run) return std::nullopt;
  return run->with_lock([&](const Run::Contents& contents) -> std::optional<MetricValue> {
    const auto found = contents.series.find(name.tag);
    if (found == contents.series.end() || !found->second.is_scalar() ||
        found->second.scalars.size() == 0)
      return std::nullopt;
    const ScalarColumns& scalars = found->second.scalars;
    const std::size_t last = scalars.size() - 1;
    return MetricValue{name, scalars.values[last], scalars.steps[last], scalars.wall_times[last]};
  });
}

std::string value_text(const HParamValue& value) {
  if (value.kind == Kind::kText) return value.text;
  if (value.kind == Kind::kBoolean) return value.number != 0 ? "true" : "false";
  return python_float(value.number);
}

HParamInfo info_of(const std::string& name, const std::vector<HParamValue>& values) {
  HParamInfo info{.name = name};
  std::set<Kind> kinds;
  for (const HParamValue& value : values)
    if (value.kind != Kind::kNone) kinds.insert(value.kind);
  if (kinds.empty()) return info;
  if (kinds.size() == 1 && *kinds.begin() == Kind::kNumber) {
    info.type = 3;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const HParamValue& value : values) {
      if (value.kind != Kind::kNumber) continue;
      low = std::min(low, value.number);
      high = std::max(high, value.number);
    }
    info.interval = {low, high};
    info.differs = low < high;
    return info;
  }
  const bool is_boolean = kinds.size() == 1 && *kinds.begin() == Kind::kBoolean;
  info.type = is_boolean ? 2 : 1;
  info.discrete.emplace();
  for (const HParamValue& value : values) {
    if (value.kind == Kind::kNone || (value.kind == Kind::kNumber && !std::isfinite(value.number)))
      continue;
    HParamValue one = is_boolean ? value : HParamValue{Kind::kText, 0, value_text(value)};
    if (std::ranges::find(*info.discrete, one) == info.discrete->end())
      info.discrete->push_back(std::move(one));
  }
  info.differs = info.discrete->size() > 1;
  return info;
}

// The names of all scalars below runs that are sessions.
std::vector<MetricInfo> metrics_of(const LogStore& logs, const std::set<std::string>& sessions) {
  std::set<std::pair<std::string, std::string>> names;  // tag, group
  for (const auto& run : logs.runs()) {
    std::string session = run->name();
    while (!session.empty() && !sessions.contains(session)) session = parent_path(session);
    if (session.empty()) continue;
    const std::string group = session == run->name() ? "" : run->name().substr(session.size() + 1);
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series)
        if (series.is_scalar()) names.emplace(tag, group);
    });
  }
  std::vector<MetricInfo> metrics;
  for (const auto& [tag, group] : names) metrics.push_back({.name = {group, tag}});
  return metrics;
}

}  // namespace

bool comes_before(const HParamValue& a, const HParamValue& b) {
  const bool a_text = a.kind == Kind::kText, b_text = b.kind == Kind::kText;
  if (a_text != b_text) return b_text;
  return a_text ? a.text < b.text : a.number < b.number;
}

std::vector<HParamSession> read_sessions(const LogStore& logs,
                                         const std::vector<MetricInfo>& metrics) {
  std::vector<HParamSession> sessions;
  for (const auto& run : logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      const auto start = plugin_message(contents, "_hparams_/session_start_info", 3);
      if (!start) return;
      HParamSession session{.run = run->name()};
      read_start(*start, &session);
      if (const auto end = plugin_message(contents, "_hparams_/session_end_info", 4))
        read_end(*end, &session);
      sessions.push_back(std::move(session));
    });
  for (HParamSession& session : sessions)
    for (const MetricInfo& metric : metrics)
      if (const auto value = last_value(logs, session.run, metric.name))
        session.metrics.push_back(*value);
  return sessions;
}

HParamExperiment read_experiment(const LogStore& logs) {
  HParamExperiment experiment;
  bool is_written = false;
  for (const auto& run : logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      const auto message = plugin_message(contents, "_hparams_/experiment", 2);
      if (!message || is_written) return;
      experiment = read_experiment_message(*message);
      is_written = true;
    });
  if (!is_written) {
    std::map<std::string, std::vector<HParamValue>> values;
    std::set<std::string> runs;
    for (const HParamSession& session : read_sessions(logs, {})) {
      runs.insert(session.run);
      for (const auto& [name, value] : session.hparams) values[name].push_back(value);
    }
    for (const auto& [name, all] : values)
      if (HParamInfo info = info_of(name, all); info.type != 0)
        experiment.hparams.push_back(std::move(info));
    if (!experiment.hparams.empty()) experiment.metrics = metrics_of(logs, runs);
  }
  std::ranges::stable_sort(experiment.hparams, {}, [](const HParamInfo& info) {
    return std::pair(!info.differs, info.name);
  });
  return experiment;
}

}  // namespace rill::board
