#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rill/serve/core/manager.h"
#include "rill/serve/core/source.h"
#include "rill/serve/model/model.h"
#include "rill_serving/serving_options.pb.h"
#include "tensorflow_serving/apis/model.pb.h"

namespace rill::serve {

// Finds the models that ensembles ask. It is set when there are some, which is later than the
// ensembles are configured. Safe from several threads at once.
class ModelFinder {
 public:
  using Find = std::function<Handle(const tensorflow::serving::ModelSpec&)>;
  void set(Find find);
  Handle find(const tensorflow::serving::ModelSpec& spec) const;  // throws as ServerCore::find

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Find> find_;  // guarded by mutex_
};

// Throws InvalidArgument naming what does not fit together: a tensor that nobody gives, or that two
// give, and steps that wait for each other.
void check_ensemble(const serving::Ensemble& ensemble);

// A model that asks others, by what the file ensemble.pbtxt of its version says. The models are
// found anew for each request.
class EnsembleAdapter : public PathAdapter {
 public:
  explicit EnsembleAdapter(std::shared_ptr<const ModelFinder> finder)
      : finder_(std::move(finder)) {}

 protected:
  LoaderRef adapt(const ServableId& id, std::string path) override;

 private:
  const std::shared_ptr<const ModelFinder> finder_;
};

}  // namespace rill::serve
