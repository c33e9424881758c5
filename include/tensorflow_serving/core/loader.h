#ifndef TENSORFLOW_SERVING_CORE_LOADER_H_
#define TENSORFLOW_SERVING_CORE_LOADER_H_

#include <memory>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow_serving/core/servable_id.h"
#include "tensorflow_serving/core/source.h"
#include "tensorflow_serving/resources/resources.pb.h"
#include "tensorflow_serving/util/any_ptr.h"

namespace tensorflow {
namespace serving {

// Loads and unloads one version of a servable. Called from one thread at a time.
class Loader {
 public:
  struct Metadata {
    ServableId servable_id;
  };
  virtual ~Loader() = default;

  // What it will need, at most, while it is loading and afterwards.
  virtual Status EstimateResources(ResourceAllocation* estimate) const = 0;
  // One of the two is overridden. After a failure it may be called again.
  virtual Status Load() { return errors::Unimplemented("Load isn't implemented."); }
  virtual Status LoadWithMetadata(const Metadata& metadata) {
    (void)metadata;
    return Load();
  }
  virtual void Unload() = 0;
  // What was loaded, from when Load() has ended well until Unload() begins.
  virtual AnyPtr servable() = 0;
};

// One whose resources nobody knows.
class ResourceUnsafeLoader : public Loader {
 private:
  Status EstimateResources(ResourceAllocation* estimate) const final {
    estimate->Clear();
    return Status::OK();
  }
};

typedef Source<std::unique_ptr<Loader>> LoaderSource;

}  // namespace serving
}  // namespace tensorflow

#endif
