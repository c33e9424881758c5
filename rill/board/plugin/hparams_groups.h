#pragma once

#include "rill/base/json.h"
#include "rill/board/plugin/hparams_data.h"
#include "rill/board/plugin/question.h"

namespace rill::board {

// Sessions of one set of hyperparameters.
struct SessionGroup {
  std::string name;
  std::vector<HParamSession> sessions;
  std::vector<MetricValue> metrics;
};

const MetricValue* metric_in(const std::vector<MetricValue>& values, const MetricName& name);

// What requests for hyperparameters say, as JSON of TensorBoard's messages: members by their names
// in camel case, or with underscores.
Json hparams_request(const Question& question);  // the body of a POST, the parameter of a GET
const Json* member_of(const Json& json, std::string_view camel);
std::string text_member(const Json& json, std::string_view name);
MetricName metric_name_of(const Json& json);

inline constexpr std::string_view kSessionStatuses[] = {"STATUS_UNKNOWN", "STATUS_SUCCESS",
                                                        "STATUS_FAILURE", "STATUS_RUNNING"};

// The experiment and the groups that a request asks for: those of some statuses, filtered and
// sorted by columns, with metrics that stand for all sessions of a group.
HParamExperiment wanted_experiment(const BoardFacts& board, const Json& request);
std::vector<SessionGroup> wanted_groups(const BoardFacts& board, const Json& request);

}  // namespace rill::board
