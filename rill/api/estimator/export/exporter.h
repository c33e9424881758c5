#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/input/serving_input.h"

namespace rill::estimator {

// What an exporter knows of an evaluated checkpoint.
struct ExportRequest {
  std::string export_path = {};
  std::string checkpoint_path = {};
  const Values& eval_result;
  bool is_the_final_export = false;
};

// Writes models after evaluations. Called on the thread that trains or evaluates; what it throws
// ends train_and_evaluate.
class Exporter {
 public:
  virtual ~Exporter() = default;
  virtual std::string name() const = 0;  // of its directory
  // Where it wrote to; none where it did not.
  virtual std::optional<std::string> export_model(Estimator& estimator,
                                                  const ExportRequest& request) = 0;
};
using ExporterRef = std::shared_ptr<Exporter>;

// See ExportModelOptions. exports_to_keep counts directories that are named after a time;
// FinalExporter does not look at it.
struct ExporterOptions {
  std::map<std::string, std::string> assets_extra = {};
  bool as_text = false;
  std::optional<std::size_t> exports_to_keep = 5;  // none: all
};

// Once, when training ends.
class FinalExporter : public Exporter {
 public:
  FinalExporter(std::string name, InputReceiverFn receiver, ExporterOptions options = {});
  std::string name() const override { return name_; }
  std::optional<std::string> export_model(Estimator& estimator,
                                          const ExportRequest& request) override;

 protected:
  std::string write(Estimator& estimator, const ExportRequest& request) const;

  std::string name_;
  InputReceiverFn receiver_;
  ExporterOptions options_;
};

// After every evaluation. Throws InvalidArgument where none of them is kept.
class LatestExporter : public FinalExporter {
 public:
  LatestExporter(std::string name, InputReceiverFn receiver, ExporterOptions options = {});
  std::optional<std::string> export_model(Estimator& estimator,
                                          const ExportRequest& request) override;
};

// Whether the second result is better.
using CompareResults = std::function<bool(const Values& best, const Values& current)>;
bool loss_smaller(const Values& best, const Values& current);

struct BestExporterOptions {
  std::map<std::string, std::string> assets_extra = {};
  bool as_text = false;
  std::optional<std::size_t> exports_to_keep = 5;  // none: all
  // Which event files tell of earlier evaluations, below the model's directory; "": none.
  std::string event_file_pattern = "eval/*.tfevents.*";
  CompareResults compare_fn = loss_smaller;

  operator ExporterOptions() const {
    return {.assets_extra = assets_extra, .as_text = as_text, .exports_to_keep = exports_to_keep};
  }
};

// When an evaluation was better than all before it, and the first time in this process. Earlier
// processes' evaluations are read from the event files. Throws InvalidArgument without compare_fn.
class BestExporter : public LatestExporter {
 public:
  BestExporter(std::string name, InputReceiverFn receiver, BestExporterOptions options = {});
  std::optional<std::string> export_model(Estimator& estimator,
                                          const ExportRequest& request) override;

 private:
  std::string event_file_pattern_;
  CompareResults compare_;
  std::string model_dir_;
  std::optional<Values> best_;
  bool has_exported_ = false;
};

// The best of the results that event files tell of.
std::optional<Values> best_eval_result(const std::string& event_files,
                                       const CompareResults& compare);

}  // namespace rill::estimator
