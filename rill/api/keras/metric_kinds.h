#pragma once

#include "rill/api/keras/metrics.h"
#include "rill/api/variables/initializer.h"

namespace rill::keras::metrics {

// What the metrics of one kind are made with.
using MakeMetric = MetricRef (*)(const std::string& class_name, const MetricOptions& options);

MetricRef make_mean(const std::string& class_name, const MetricOptions& options);  // none: not one
MetricRef make_confusion(const std::string& class_name, const MetricOptions& options);  // likewise

}  // namespace rill::keras::metrics
