#include "rill/serve/live_profile.h"

#include <algorithm>

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/net/grpc/typed_method.h"
#include "rill/serve/model/requests.h"
#include "rill/serve/model/step_profile.h"
#include "rill/serve/model/step_watch.h"
#include "rill/serve/rest/predict_forms.h"
#include "rill/serve/rest/rest_api.h"
#include "tensorflow/core/profiler/profiler_service.pb.h"

namespace rill::serve {
namespace {

using Steps = std::vector<StepProfile::Traced>;

constexpr std::int64_t kMostMillis = 60'000;
constexpr std::size_t kMostSteps = 1000;

struct ProfileWish {
  std::string model, format = "timeline";
  std::int64_t millis = 1000;
};

ProfileWish wish_of(std::string_view target) {
  ProfileWish wish;
  for (const auto& [name, value] : query_of(target)) {
    long long seconds = 0;
    if (name == "seconds") {
      require(parse_int(value, &seconds) && seconds > 0 && seconds * 1000 <= kMostMillis,
              "seconds is a number from 1 to ", kMostMillis / 1000, ", not ", value);
      wish.millis = seconds * 1000;
    } else if (name == "model") {
      wish.model = value;
    } else if (name == "format") {
      require(value == "timeline" || value == "pprof" || value == "run_metadata",
              "format is timeline, pprof or run_metadata, not ", value);
      wish.format = value;
    } else {
      raise(Code::kInvalidArgument, "A profile has seconds, model and format, not ", name);
    }
  }
  return wish;
}

net::HttpResponse profile_answer(const ProfileWish& wish, const Steps& steps,
                                 std::int64_t began_micros) {
  if (wish.format == "timeline") return {.body = timeline_json(steps)};
  return {.content_type = "application/octet-stream",
          .body = wish.format == "pprof" ? pprof_bytes(steps, began_micros, wish.millis)
                                         : run_metadata_bytes(steps)};
}

void fill_profile(const tensorflow::ProfileRequest& request, const RequestLimits& limits,
                  tensorflow::ProfileResponse* response) {
  const auto millis =
      static_cast<std::int64_t>(std::clamp<std::uint64_t>(request.duration_ms(), 1, kMostMillis));
  const std::int64_t began = wall_micros();
  const Steps steps =
      StepProfile::shared().collect("", millis, kMostSteps, [&] { return is_unwanted(limits); });
  response->set_empty_trace(steps.empty());
  response->mutable_hlo_metadata()->ParseFromString(run_metadata_bytes(steps));
  const auto add = [&](const char* name, std::string data) {
    auto* tool = response->add_tool_data();
    tool->set_name(name);
    tool->set_data(std::move(data));
  };
  add("trace_viewer", timeline_json(steps));
  add("pprof", pprof_bytes(steps, began, millis));
}

// How many steps there were meanwhile, and how long they took.
std::string monitored(const Steps& steps, std::int64_t millis) {
  std::map<std::string, std::pair<int, std::int64_t>> by_model;
  for (const auto& [model, stats] : steps) {
    auto& [count, nanos] = by_model[model];
    ++count;
    for (const NodeStats& node : stats.nodes) nanos += node.nanos;
  }
  std::string text = str_cat("  ", steps.size(), " steps in ", millis, " ms\n");
  for (const auto& [model, sum] : by_model)
    text += str_cat("  ", model, ": ", sum.first, " steps, ", sum.second / 1000 / sum.first,
                    " us of kernels each\n");
  return text;
}

// Has `fill` answer on a thread of its own.
template <class Request, class Response, class Fill>
net::RpcMethod waiting_method(Fill fill) {
  return net::method_of<Request, Response>(
      [fill](const Request& request, Response* response, const RequestLimits& limits, Done done) {
        run_in_background([fill, &request, response, limits, done = std::move(done)] {
          std::optional<Error> error;
          try {
            fill(request, limits, response);
          } catch (...) {
            error = current_error();
          }
          done(std::move(error));
        });
      });
}

}  // namespace

void answer_profile(const net::HttpRequest& request, const net::HttpReply& reply) {
  ProfileWish wish;
  try {
    wish = wish_of(request.target);
  } catch (...) {
    return reply(error_response(current_error()));
  }
  run_in_background([wish, is_gone = request.is_gone, reply] {
    net::HttpResponse response;
    try {
      const std::int64_t began = wall_micros();
      response = profile_answer(
          wish, StepProfile::shared().collect(wish.model, wish.millis, kMostSteps, is_gone), began);
    } catch (...) {
      response = error_response(current_error());
    }
    reply(std::move(response));
  });
}

net::RpcMethods profiler_methods() {
  using namespace tensorflow;
  net::RpcMethods methods;
  methods["/tensorflow.ProfilerService/Profile"] =
      waiting_method<ProfileRequest, ProfileResponse>(fill_profile);
  methods["/tensorflow.ProfilerService/Monitor"] = waiting_method<MonitorRequest, MonitorResponse>(
      [](const MonitorRequest& request, const RequestLimits& limits, MonitorResponse* response) {
        const auto millis = static_cast<std::int64_t>(
            std::clamp<std::uint64_t>(request.duration_ms(), 1, kMostMillis));
        response->set_data(
            monitored(StepProfile::shared().collect("", millis, kMostSteps,
                                                    [&] { return is_unwanted(limits); }),
                      millis));
      });
  return methods;
}

}  // namespace rill::serve
