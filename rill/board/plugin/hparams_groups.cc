#include "rill/board/plugin/hparams_groups.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>

namespace rill::board {
namespace {

using Kind = HParamValue::Kind;

constexpr std::string_view kAggregations[] = {"AGGREGATION_UNSET", "AGGREGATION_AVG",
                                              "AGGREGATION_MEDIAN", "AGGREGATION_MIN",
                                              "AGGREGATION_MAX"};
constexpr std::string_view kOrders[] = {"ORDER_UNSPECIFIED", "ORDER_ASC", "ORDER_DESC"};

bool flag_member(const Json& json, std::string_view name, bool otherwise) {
  const Json* const found = member_of(json, name);
  return found != nullptr ? found->boolean : otherwise;
}

// A name or a number of an enum.
std::size_t enum_member(const Json& json, std::span<const std::string_view> names) {
  long long number = 0;
  if (json.is_count(&number) && number < static_cast<long long>(names.size()))
    return static_cast<std::size_t>(number);
  const auto found = std::ranges::find(names, json.text);
  require(found != names.end(), "There is no ", json.text);
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<MetricValue> average(const std::vector<HParamSession>& sessions) {
  std::vector<std::pair<MetricValue, std::int64_t>> sums;
  for (const HParamSession& session : sessions)
    for (const MetricValue& value : session.metrics) {
      auto sum =
          std::ranges::find_if(sums, [&](const auto& one) { return one.first.name == value.name; });
      if (sum == sums.end()) {
        sums.push_back({MetricValue{.name = value.name}, 0});
        sum = sums.end() - 1;
      }
      sum->first.value += value.value;
      sum->first.step += value.step;
      sum->first.wall_time += value.wall_time;
      ++sum->second;
    }
  std::vector<MetricValue> result;
  for (auto& [sum, count] : sums)
    result.push_back({sum.name, sum.value / static_cast<double>(count), sum.step / count,
                      sum.wall_time / static_cast<double>(count)});
  return result;
}

// The metrics of the session that has the median, the least or the most of one of them.
std::vector<MetricValue> chosen(const std::vector<HParamSession>& sessions, const MetricName& name,
                                std::string_view how) {
  std::vector<std::pair<double, const HParamSession*>> found;
  for (const HParamSession& session : sessions)
    if (const MetricValue* value = metric_in(session.metrics, name))
      found.emplace_back(value->value, &session);
  if (found.empty()) return {};
  std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
  if (how == "AGGREGATION_MIN") return found.front().second->metrics;
  if (how == "AGGREGATION_MAX") return found.back().second->metrics;
  return found[(found.size() - 1) / 2].second->metrics;
}

// A column by which groups are filtered and sorted.
class GroupColumn {
 public:
  explicit GroupColumn(const Json& wish) : wish_(wish) {
    if (const Json* metric = member_of(wish, "metric"))
      metric_ = metric_name_of(*metric);
    else
      require(member_of(wish, "hparam") != nullptr, "A column is of a metric or of a hparam");
    if (const Json* order = member_of(wish, "order")) order_ = enum_member(*order, kOrders);
  }

  std::optional<HParamValue> value_in(const SessionGroup& group) const {
    if (metric_) {
      const MetricValue* const value = metric_in(group.metrics, *metric_);
      return value == nullptr ? std::nullopt
                              : std::optional(HParamValue{Kind::kNumber, value->value});
    }
    const auto& hparams = group.sessions.front().hparams;
    const auto found = hparams.find(text_member(wish_, "hparam"));
    if (found == hparams.end() || found->second.kind == Kind::kNone) return std::nullopt;
    return found->second;
  }

  bool admits(const SessionGroup& group) const {
    const auto value = value_in(group);
    if (!value) return !flag_member(wish_, "excludeMissingValues", false);
    if (const Json* pattern = member_of(wish_, "filterRegexp")) {
      require(value->kind == Kind::kText, "Only texts can be compared with a pattern");
      const RE2 expression(pattern->text, RE2::Quiet);
      require(expression.ok(), "This is no pattern: ", pattern->text);
      return RE2::PartialMatch(value->text, expression);
    }
    if (const Json* interval = member_of(wish_, "filterInterval")) {
      double low = 0, high = 0;
      require(value->kind != Kind::kText, "Texts are in no interval");
      if (const Json* end = member_of(*interval, "minValue")) low = bound(*end);
      if (const Json* end = member_of(*interval, "maxValue")) high = bound(*end);
      return value->number >= low && value->number <= high;
    }
    if (const Json* list = member_of(wish_, "filterDiscrete"))
      return std::ranges::any_of(list->items,
                                 [&](const Json& item) { return equals(*value, item); });
    return true;
  }

  void sort(std::vector<SessionGroup>& groups) const {
    if (order_ == 0) return;
    const bool is_down = order_ == 2;
    const bool missing_first = flag_member(wish_, "missingValuesFirst", false);
    std::ranges::stable_sort(groups, [&](const SessionGroup& a, const SessionGroup& b) {
      const auto one = value_in(a), other = value_in(b);
      if (one.has_value() != other.has_value()) return one.has_value() != missing_first;
      if (!one) return false;
      return is_down ? comes_before(*other, *one) : comes_before(*one, *other);
    });
  }

 private:
  static double bound(const Json& json) {
    if (json.text == "Infinity") return HUGE_VAL;
    if (json.text == "-Infinity") return -HUGE_VAL;
    double value = 0;
    require(parse_float(json.text, &value), "An interval has numbers at its ends");
    return value;
  }
  static bool equals(const HParamValue& value, const Json& json) {
    if (json.kind == Json::Kind::boolean)
      return value.kind == Kind::kBoolean && (value.number != 0) == json.boolean;
    if (json.kind == Json::Kind::string)
      return value.kind == Kind::kText && value.text == json.text;
    double number = 0;
    return value.kind != Kind::kText && parse_float(json.text, &number) && number == value.number;
  }

  const Json& wish_;
  std::optional<MetricName> metric_;
  std::size_t order_ = 0;
};

}  // namespace

const MetricValue* metric_in(const std::vector<MetricValue>& values, const MetricName& name) {
  const auto found = std::ranges::find(values, name, &MetricValue::name);
  return found == values.end() ? nullptr : &*found;
}

Json hparams_request(const Question& question) {
  const std::string text = question.request().method == "POST"
                               ? std::string(question.body())
                               : question.parameter_or("request", "{}");
  return parse_json(text.empty() ? "{}" : text);
}

const Json* member_of(const Json& json, std::string_view camel) {
  if (const Json* found = json.find(camel)) return found;
  std::string snake;
  for (const char c : camel) {
    if (c >= 'A' && c <= 'Z') snake += '_';
    snake += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return json.find(snake);
}

std::string text_member(const Json& json, std::string_view name) {
  const Json* const found = member_of(json, name);
  return found != nullptr ? found->text : "";
}

MetricName metric_name_of(const Json& json) {
  return {text_member(json, "group"), text_member(json, "tag")};
}

HParamExperiment wanted_experiment(const BoardFacts& board, const Json& request) {
  HParamExperiment experiment = read_experiment(board.logs);
  if (!flag_member(request, "includeMetrics", true)) experiment.metrics.clear();
  long long most = 0;
  const Json* const limit = member_of(request, "hparamsLimit");
  if (limit != nullptr && limit->is_count(&most) && most > 0 &&
      experiment.hparams.size() > static_cast<std::size_t>(most))
    experiment.hparams.resize(static_cast<std::size_t>(most));
  return experiment;
}

std::vector<SessionGroup> wanted_groups(const BoardFacts& board, const Json& request) {
  const HParamExperiment experiment = wanted_experiment(board, request);
  std::vector<std::string_view> statuses;
  if (const Json* allowed = member_of(request, "allowedStatuses"))
    for (const Json& status : allowed->items)
      statuses.push_back(kSessionStatuses[enum_member(status, kSessionStatuses)]);
  std::map<std::string, SessionGroup> by_name;
  for (HParamSession& session : read_sessions(board.logs, experiment.metrics)) {
    if (std::ranges::find(statuses, kSessionStatuses[session.status]) == statuses.end()) continue;
    const std::string name = session.group.empty() ? session.run : session.group;
    by_name[name].name = name;
    by_name[name].sessions.push_back(std::move(session));
  }
  std::string_view how = kAggregations[0];
  if (const Json* kind = member_of(request, "aggregationType"))
    how = kAggregations[enum_member(*kind, kAggregations)];
  const Json* const metric = member_of(request, "aggregationMetric");
  std::vector<SessionGroup> groups;
  for (auto& [name, group] : by_name) {
    const bool is_average = how == kAggregations[0] || how == kAggregations[1];
    group.metrics =
        is_average ? average(group.sessions)
                   : chosen(group.sessions, metric ? metric_name_of(*metric) : MetricName{}, how);
    groups.push_back(std::move(group));
  }
  const Json* const columns = member_of(request, "colParams");
  if (columns == nullptr) return groups;
  for (const Json& wish : columns->items)
    std::erase_if(groups, [column = GroupColumn(wish)](const SessionGroup& group) {
      return !column.admits(group);
    });
  for (auto wish = columns->items.rbegin(); wish != columns->items.rend(); ++wish)
    GroupColumn(*wish).sort(groups);
  return groups;
}

}  // namespace rill::board
