#ifndef TENSORFLOW_SERVING_CORE_SIMPLE_LOADER_H_
#define TENSORFLOW_SERVING_CORE_SIMPLE_LOADER_H_

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "tensorflow_serving/core/loader.h"
#include "tensorflow_serving/core/source_adapter.h"
#include "tensorflow_serving/util/optional.h"

namespace tensorflow {
namespace serving {

// A loader that is two functions: one makes the servable, one says what it will need.
template <typename ServableType>
class SimpleLoader : public Loader {
 public:
  typedef std::function<Status(std::unique_ptr<ServableType>*)> Creator;
  typedef std::function<Status(const Metadata&, std::unique_ptr<ServableType>*)>
      CreatorWithMetadata;
  typedef std::function<Status(ResourceAllocation*)> ResourceEstimator;

  static ResourceEstimator EstimateNoResources() {
    return [](ResourceAllocation* estimate) {
      estimate->Clear();
      return Status::OK();
    };
  }

  // `post_load_resource_estimator` is asked instead of the other one when it is loaded.
  SimpleLoader(Creator creator, ResourceEstimator resource_estimator,
               optional<ResourceEstimator> post_load_resource_estimator = nullopt)
      : SimpleLoader(CreatorWithMetadata(
                         [creator](const Metadata&, std::unique_ptr<ServableType>* servable) {
                           return creator(servable);
                         }),
                     std::move(resource_estimator), std::move(post_load_resource_estimator)) {}
  SimpleLoader(CreatorWithMetadata creator, ResourceEstimator resource_estimator,
               optional<ResourceEstimator> post_load_resource_estimator = nullopt)
      : creator_(std::move(creator)),
        resource_estimator_(std::move(resource_estimator)),
        post_load_resource_estimator_(std::move(post_load_resource_estimator)) {}

  Status EstimateResources(ResourceAllocation* estimate) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!known_) {
      const Status status = resource_estimator_(&estimate_);
      if (!status.ok()) return status;
      known_ = true;
    }
    *estimate = estimate_;
    return Status::OK();
  }
  Status Load() override { return LoadWithMetadata(Metadata{ServableId{"", 0}}); }
  Status LoadWithMetadata(const Metadata& metadata) override {
    const Status status = creator_(metadata, &servable_);
    if (!status.ok() || !post_load_resource_estimator_) return status;
    std::lock_guard<std::mutex> lock(mutex_);
    known_ = true;
    return (*post_load_resource_estimator_)(&estimate_);
  }
  void Unload() override { servable_.reset(); }
  AnyPtr servable() override { return AnyPtr(servable_.get()); }

 private:
  const CreatorWithMetadata creator_;
  const ResourceEstimator resource_estimator_;
  const optional<ResourceEstimator> post_load_resource_estimator_;
  mutable std::mutex mutex_;
  mutable bool known_ = false;
  mutable ResourceAllocation estimate_;
  std::unique_ptr<ServableType> servable_;
  TF_DISALLOW_COPY_AND_ASSIGN(SimpleLoader);
};

// Makes such loaders of data, such as paths.
template <typename DataType, typename ServableType>
class SimpleLoaderSourceAdapter : public UnarySourceAdapter<DataType, std::unique_ptr<Loader>> {
 public:
  typedef std::function<Status(const DataType& data, std::unique_ptr<ServableType>* servable)>
      Creator;
  typedef std::function<Status(const Loader::Metadata& metadata, const DataType& data,
                               std::unique_ptr<ServableType>* servable)>
      CreatorWithMetadata;
  typedef std::function<Status(const DataType& data, ResourceAllocation* estimate)>
      ResourceEstimator;

  static ResourceEstimator EstimateNoResources() {
    return [](const DataType&, ResourceAllocation* estimate) {
      estimate->Clear();
      return Status::OK();
    };
  }
  ~SimpleLoaderSourceAdapter() override = 0;

 protected:
  SimpleLoaderSourceAdapter(Creator creator, ResourceEstimator resource_estimator)
      : SimpleLoaderSourceAdapter(
            CreatorWithMetadata([creator](const Loader::Metadata&, const DataType& data,
                                          std::unique_ptr<ServableType>* servable) {
              return creator(data, servable);
            }),
            std::move(resource_estimator)) {}
  SimpleLoaderSourceAdapter(CreatorWithMetadata creator, ResourceEstimator resource_estimator)
      : creator_(std::move(creator)), resource_estimator_(std::move(resource_estimator)) {}

  Status Convert(const DataType& data, std::unique_ptr<Loader>* loader) final {
    // The loader may outlive the adapter.
    const CreatorWithMetadata creator = creator_;
    const ResourceEstimator estimator = resource_estimator_;
    typename SimpleLoader<ServableType>::CreatorWithMetadata create =
        [creator, data](const Loader::Metadata& metadata, std::unique_ptr<ServableType>* servable) {
          return creator(metadata, data, servable);
        };
    loader->reset(new SimpleLoader<ServableType>(
        std::move(create),
        [estimator, data](ResourceAllocation* estimate) { return estimator(data, estimate); }));
    return Status::OK();
  }

 private:
  const CreatorWithMetadata creator_;
  const ResourceEstimator resource_estimator_;
  TF_DISALLOW_COPY_AND_ASSIGN(SimpleLoaderSourceAdapter);
};
template <typename DataType, typename ServableType>
SimpleLoaderSourceAdapter<DataType, ServableType>::~SimpleLoaderSourceAdapter() {}

}  // namespace serving
}  // namespace tensorflow

#endif
