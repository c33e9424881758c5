#include <future>

#include "rill/base/files.h"
#include "rill/io/parse_message.h"
#include "rill/io/record_reader.h"
#include "rill/serve/model/model_adapter.h"
#include "rill/serve/model/requests.h"
#include "tensorflow_serving/apis/prediction_log.pb.h"

namespace rill::serve {
namespace {

using messages::PredictionLog;

constexpr int kMaxRecords = 1000;

// Asks and waits, since steps may be joined with others and end on another thread.
template <class Response, class Request>
void ask(const ModelServable& model, const Request& request,
         void (*answer)(const ModelServable&, const Request&, Response*, const RequestLimits&,
                        Done)) {
  Response response;
  std::promise<std::optional<Error>> ended;
  RequestLimits limits;
  limits.is_own = true;
  answer(model, request, &response, limits,
         [&](std::optional<Error> error) { ended.set_value(std::move(error)); });
  if (const auto error = ended.get_future().get()) throw *error;
}

void replay(const ModelServable& model, const PredictionLog& log) {
  switch (log.log_type_case()) {
    case PredictionLog::kPredictLog:
      return ask(model, log.predict_log().request(), predict);
    case PredictionLog::kClassifyLog:
      return ask(model, log.classify_log().request(), classify);
    case PredictionLog::kRegressLog:
      return ask(model, log.regress_log().request(), regress);
    case PredictionLog::kMultiInferenceLog:
      return ask(model, log.multi_inference_log().request(), multi_inference);
    default:
      raise(Code::kUnimplemented,
            "Unsupported log_type for warmup: ", static_cast<int>(log.log_type_case()));
  }
}

}  // namespace

void warm_up(const ModelServable& model, const std::string& path, int rounds) {
  const std::string file = join_path(join_path(path, "assets.extra"), "tf_serving_warmup_requests");
  if (!file_exists(file)) return;
  RecordReader reader(file);
  std::string record;
  for (int count = 1; reader.read(&record); ++count) {
    require(count <= kMaxRecords, "Number of warmup records exceeds the maximum (", kMaxRecords,
            ") at ", file);
    PredictionLog log;
    require(parse_message(record, &log), "Failed to parse warmup record ", count, " of ", file);
    for (int round = 0; round < std::max(1, rounds); ++round) replay(model, log);
  }
}

}  // namespace rill::serve
