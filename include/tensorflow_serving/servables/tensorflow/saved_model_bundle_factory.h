#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_SAVED_MODEL_BUNDLE_FACTORY_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_SAVED_MODEL_BUNDLE_FACTORY_H_

#include <memory>

#include "tensorflow/cc/saved_model/loader.h"
#include "tensorflow_serving/resources/resources.pb.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_config.pb.h"

namespace tensorflow {
namespace serving {

// Loads SavedModels as a configuration says. With batching_parameters their sessions join what
// several threads run of one signature.
class SavedModelBundleFactory {
 public:
  static Status Create(const SessionBundleConfig& config,
                       std::unique_ptr<SavedModelBundleFactory>* factory);
  Status CreateSavedModelBundle(const string& path, std::unique_ptr<SavedModelBundle>* bundle);
  // From the sizes of the model's files.
  Status EstimateResourceRequirement(const string& path, ResourceAllocation* estimate) const;
  const SessionBundleConfig& config() const { return config_; }

 private:
  struct Batching;
  explicit SavedModelBundleFactory(const SessionBundleConfig& config) : config_(config) {}
  const SessionBundleConfig config_;
  std::shared_ptr<Batching> batching_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
