#include "rill/api/estimator/export/exporter.h"

#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/api/estimator/export/export_directory.h"
#include "rill/api/io/gfile.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/summary/summary_iterator.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::estimator {
namespace {

double loss_of(const Values& result, const char* which) {
  const auto found = result.find(kLossMetric);
  require(found != result.end(), which, " cannot be empty or no loss is found in it.");
  const Tensor& loss = found->second;
  return loss.dtype() == DType::f64 ? loss.scalar_value<double>()
                                    : static_cast<double>(loss.scalar_value<float>());
}

// The results of evaluations, to the record that a killed process did not finish.
std::vector<Values> results_in(const std::string& event_file) {
  std::vector<Values> results;
  try {
    for (const tensorflow::Event& event : train::summary_iterator(event_file)) {
      Values result;
      for (const auto& value : event.summary().value())
        if (value.value_case() == tensorflow::Summary::Value::kSimpleValue)
          result[value.tag()] = Tensor::scalar(value.simple_value());
      if (!result.empty()) results.push_back(std::move(result));
    }
  } catch (const Error& error) {
    if (error.code() != Code::kDataLoss) throw;
    logging::warning(error.message());
  }
  return results;
}

}  // namespace

FinalExporter::FinalExporter(std::string name, InputReceiverFn receiver, ExporterOptions options)
    : name_(std::move(name)), receiver_(std::move(receiver)), options_(std::move(options)) {}

std::string FinalExporter::write(Estimator& estimator, const ExportRequest& request) const {
  return estimator.export_saved_model(request.export_path, receiver_,
                                      {.assets_extra = options_.assets_extra,
                                       .as_text = options_.as_text,
                                       .checkpoint_path = request.checkpoint_path});
}

std::optional<std::string> FinalExporter::export_model(Estimator& estimator,
                                                       const ExportRequest& request) {
  if (!request.is_the_final_export) return {};
  logging::info("Performing the final export in the end of training.");
  return write(estimator, request);
}

LatestExporter::LatestExporter(std::string name, InputReceiverFn receiver, ExporterOptions options)
    : FinalExporter(std::move(name), std::move(receiver), std::move(options)) {
  require(options_.exports_to_keep.value_or(1) > 0,
          "`exports_to_keep`, if provided, must be positive number");
}

std::optional<std::string> LatestExporter::export_model(Estimator& estimator,
                                                        const ExportRequest& request) {
  std::string path = write(estimator, request);
  if (options_.exports_to_keep) delete_old_exports(request.export_path, *options_.exports_to_keep);
  return path;
}

bool loss_smaller(const Values& best, const Values& current) {
  return loss_of(best, "best_eval_result") > loss_of(current, "current_eval_result");
}

BestExporter::BestExporter(std::string name, InputReceiverFn receiver, BestExporterOptions options)
    : LatestExporter(std::move(name), std::move(receiver), options),
      event_file_pattern_(options.event_file_pattern),
      compare_(options.compare_fn) {
  require(bool(compare_), "`compare_fn` must not be None.");
}

std::optional<std::string> BestExporter::export_model(Estimator& estimator,
                                                      const ExportRequest& request) {
  if (model_dir_ != estimator.model_dir() && !event_file_pattern_.empty()) {
    logging::info("Loading best metric from event files.");
    model_dir_ = estimator.model_dir();
    best_ = best_eval_result(join_path(model_dir_, event_file_pattern_), compare_);
  }
  if (best_ && has_exported_ && !compare_(*best_, request.eval_result)) return {};
  logging::info("Performing best model export.");
  best_ = request.eval_result;
  has_exported_ = true;
  return LatestExporter::export_model(estimator, request);
}

std::optional<Values> best_eval_result(const std::string& event_files,
                                       const CompareResults& compare) {
  std::optional<Values> best;
  for (const std::string& file : gfile::Glob(event_files))
    for (Values& result : results_in(file))
      if (!best || compare(*best, result)) best = std::move(result);
  return best;
}

}  // namespace rill::estimator
