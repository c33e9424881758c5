#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rill/board/log/log_store.h"

namespace rill::board {

// A value of a hyperparameter.
struct HParamValue {
  enum class Kind { kNone, kNumber, kText, kBoolean };
  Kind kind = Kind::kNone;
  double number = 0;  // of a boolean 0 or 1
  std::string text = {};

  friend bool operator==(const HParamValue&, const HParamValue&) = default;
};
// False when `a` does not come before `b`; numbers before texts.
bool comes_before(const HParamValue& a, const HParamValue& b);

struct MetricName {
  std::string group, tag;
  auto operator<=>(const MetricName&) const = default;
};
struct MetricValue {
  MetricName name;
  double value = 0;
  std::int64_t step = 0;
  double wall_time = 0;
};

// What the logs say of an experiment, as the HParams plugin writes it into the metadata of tags.
struct HParamInfo {
  std::string name = {}, display_name = {}, description = {};
  int type = 0;  // of DataType
  std::optional<std::vector<HParamValue>> discrete = {};
  std::optional<std::pair<double, double>> interval = {};
  bool differs = false;
};
struct MetricInfo {
  MetricName name = {};
  std::string display_name = {}, description = {};
  int dataset_type = 0;
};
struct HParamExperiment {
  std::string name, description, user;
  double time_created = 0;
  std::vector<HParamInfo> hparams;
  std::vector<MetricInfo> metrics;
};
struct HParamSession {
  std::string run, model_uri, monitor_url, group;
  double start = 0, end = 0;
  int status = 0;
  std::map<std::string, HParamValue> hparams;
  std::vector<MetricValue> metrics;
};

// All sessions, with the last values of the metrics, in the order of their runs' names.
std::vector<HParamSession> read_sessions(const LogStore& logs,
                                         const std::vector<MetricInfo>& metrics);
// As it was written, or as the sessions and their scalars show it.
HParamExperiment read_experiment(const LogStore& logs);

}  // namespace rill::board
