#pragma once

#include "rill/api/estimator/heads/single_head.h"

namespace rill::estimator {

// What heads of the second generation have in common.

// The loss, with the sum of regularization losses.
Output regularized(Output loss, const std::vector<Output>& regularization_losses);
// The operation that trains, in the scope "training" at the top.
Runnable trained(const HeadCall& call, Output loss);
Metrics gathered_metrics(const Head& head, const HeadParts& parts, const HeadCall& call);
// `key` makes names of summaries of those of metrics.
void summarize_loss(Output loss, const std::vector<Output>& regularization_losses,
                    const std::function<std::string(const char*)>& key);

}  // namespace rill::estimator
