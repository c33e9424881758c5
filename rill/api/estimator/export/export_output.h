#pragma once

#include "rill/api/estimator/input/serving_input.h"
#include "rill/api/saver/signatures.h"

namespace rill::estimator {

using Signatures = std::map<std::string, saved_model::BoxedSignatureDef>;

// These throw InvalidArgument where a tensor is missing or has the wrong type.
ClassificationOutput classification_output(Output scores, Output classes = {});
RegressionOutput regression_output(Output value);
PredictOutput predict_output(std::map<std::string, Output> outputs);  // "" becomes "output"

// Throws InvalidArgument where that kind of answer cannot be had from what the model is fed.
saved_model::SignatureDef signature_of(const ExportOutput& output,
                                       const Features& receiver_tensors);

// What a model offers: loss, predictions and metrics of one that trains or is evaluated, else its
// export outputs, or all predictions where it names none. The only one is the default one, too.
// Throws InvalidArgument where there are several and none is the default.
std::map<std::string, ExportOutput> export_outputs_of(const EstimatorSpec& spec);
std::map<std::string, ExportOutput> with_default(std::map<std::string, ExportOutput> outputs);

// Of all outputs that can be computed from what the receiver is fed; `serving_only` leaves those
// out that servers do not know. What is left out is logged.
Signatures build_all_signature_defs(const InputReceiver& receiver,
                                    const std::map<std::string, ExportOutput>& outputs,
                                    bool serving_only = true);

// The loss, predictions and metrics under the names of their outputs.
struct SupervisedOutput {
  std::map<std::string, Output> loss = {}, predictions = {};
  std::map<std::string, EvalMetric> metrics = {};
};
ExportOutput supervised_output(const SupervisedOutput& output, Mode mode);

}  // namespace rill::estimator
