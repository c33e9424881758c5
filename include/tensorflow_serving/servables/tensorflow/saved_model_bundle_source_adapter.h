#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_SAVED_MODEL_BUNDLE_SOURCE_ADAPTER_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_SAVED_MODEL_BUNDLE_SOURCE_ADAPTER_H_

#include <memory>

#include "tensorflow_serving/core/source_adapter.h"
#include "tensorflow_serving/core/storage_path.h"
#include "tensorflow_serving/servables/tensorflow/saved_model_bundle_factory.h"
#include "tensorflow_serving/servables/tensorflow/saved_model_bundle_source_adapter.pb.h"

namespace tensorflow {
namespace serving {

// Makes loaders of SavedModelBundles.
class SavedModelBundleSourceAdapter final
    : public UnarySourceAdapter<StoragePath, std::unique_ptr<Loader>> {
 public:
  static Status Create(const SavedModelBundleSourceAdapterConfig& config,
                       std::unique_ptr<SavedModelBundleSourceAdapter>* adapter);
  ~SavedModelBundleSourceAdapter() override;

 private:
  explicit SavedModelBundleSourceAdapter(std::shared_ptr<SavedModelBundleFactory> factory)
      : factory_(std::move(factory)) {}
  Status Convert(const StoragePath& path, std::unique_ptr<Loader>* loader) override;
  const std::shared_ptr<SavedModelBundleFactory> factory_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
