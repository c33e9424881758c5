#ifndef TENSORFLOW_SERVING_SOURCES_STORAGE_PATH_STATIC_STORAGE_PATH_SOURCE_H_
#define TENSORFLOW_SERVING_SOURCES_STORAGE_PATH_STATIC_STORAGE_PATH_SOURCE_H_

#include <memory>

#include "tensorflow_serving/core/source.h"
#include "tensorflow_serving/core/storage_path.h"
#include "tensorflow_serving/sources/storage_path/static_storage_path_source.pb.h"

namespace tensorflow {
namespace serving {

// One version at one path, for ever.
class StaticStoragePathSource : public Source<StoragePath> {
 public:
  static Status Create(const StaticStoragePathSourceConfig& config,
                       std::unique_ptr<StaticStoragePathSource>* result) {
    result->reset(new StaticStoragePathSource(config));
    return Status::OK();
  }
  void SetAspiredVersionsCallback(AspiredVersionsCallback callback) override {
    const ServableId id = {config_.servable_name(), config_.version_num()};
    callback(config_.servable_name(), {ServableData<StoragePath>(id, config_.version_path())});
  }

 private:
  explicit StaticStoragePathSource(const StaticStoragePathSourceConfig& config) : config_(config) {}
  const StaticStoragePathSourceConfig config_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
