#pragma once

#include <memory>

#include "rill/serve/model/model.h"
#include "tensorflow/cc/saved_model/loader.h"

namespace tensorflow {
namespace serving {

// Loads a model into a session of its own. With a `runner` it joins steps which feed and fetch what
// one of its signatures says, whoever runs them; others run as they are, and steps with targets are
// refused.
Status LoadModel(const SessionOptions& options, const string& path,
                 const std::unordered_set<string>& tags,
                 std::unique_ptr<rill::serve::StepRunner> runner, SavedModelBundle* bundle);

// The model in such a session, which answers requests; nullptr for other sessions.
const rill::serve::ModelServable* model_in(const Session* session);

}  // namespace serving
}  // namespace tensorflow
