#pragma once

#include <memory>

#include "rill/serve/model/model.h"
#include "tensorflow/cc/saved_model/loader.h"

namespace tensorflow {
namespace serving {

// A model in a session that joins steps which feed and fetch what one of its signatures says, by
// whoever they are run; others run as they are, and steps with targets are refused.
Status LoadBatched(const SessionOptions& options, const string& path,
                   const std::unordered_set<string>& tags,
                   std::unique_ptr<rill::serve::StepRunner> runner, SavedModelBundle* bundle);

}  // namespace serving
}  // namespace tensorflow
