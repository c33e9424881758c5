#pragma once

#include <string>

#include "rill/api/estimator/core/estimator.h"

namespace rill::estimator {

// Logs what an evaluation gave and writes it to the event file of `directory`, with the checkpoint
// that was evaluated, if any.
void write_eval_summary(const std::string& directory, const Values& results,
                        const std::string& checkpoint);

// "accuracy = 0.5, global_step = 10"; serialised summaries are left out.
std::string metrics_text(const Values& results);

}  // namespace rill::estimator
