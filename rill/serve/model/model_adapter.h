#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "rill/serve/config/model_settings.h"
#include "rill/serve/core/source.h"
#include "rill/serve/model/admission.h"
#include "rill/serve/model/model.h"
#include "rill/serve/model/op_policy.h"

namespace rill::serve {

struct ModelOptions {
  std::set<std::string> tags = {"serve"};
  SessionOptions session;
  bool warm_up = true;
  int warm_up_rounds = 1;
  // Makes what runs the steps of one version of a model; none: they run at once, alone.
  std::function<std::unique_ptr<StepRunner>(const ServableId&)> make_runner;
  std::shared_ptr<Admission> admission;  // of what is not joined; none: everything runs at once
  // The same where it depends on files of the version; it goes first.
  std::function<std::unique_ptr<StepRunner>(const ServableId&, const std::string& directory)>
      make_runner_of_version;
  // What is set for single models, and where their caches count; either may be empty.
  std::shared_ptr<const ModelSettings> settings;
  std::shared_ptr<Metrics> metrics;
  std::shared_ptr<const OpPolicy> policy;  // none: models are trusted
};

// Loads a SavedModel, and has it answer the requests that it was saved with before anybody else's.
class ModelLoader : public Loader {
 public:
  ModelLoader(ServableId id, std::string path, const ModelOptions& options)
      : id_(std::move(id)), path_(std::move(path)), options_(options) {}
  std::shared_ptr<Servable> load() override;
  bool may_be_quiet() const override { return options_.session.intra_op_threads == 0; }

 private:
  const ServableId id_;
  const std::string path_;
  const ModelOptions options_;
};

class ModelAdapter : public PathAdapter {
 public:
  explicit ModelAdapter(ModelOptions options) : options_(std::move(options)) {}

 protected:
  LoaderRef adapt(const ServableId& id, std::string path) override {
    ModelOptions options = options_;
    if (options.make_runner_of_version)
      options.make_runner = [make = options.make_runner_of_version, path](const ServableId& of) {
        return make(of, path);
      };
    return std::make_shared<ModelLoader>(id, std::move(path), options);
  }

 private:
  const ModelOptions options_;
};

// Asks `model` what the file assets.extra/tf_serving_warmup_requests of its directory holds, if
// there is one: at most 1000 requests. Throws what the first that fails throws.
void warm_up(const ModelServable& model, const std::string& path, int rounds = 1);

}  // namespace rill::serve
