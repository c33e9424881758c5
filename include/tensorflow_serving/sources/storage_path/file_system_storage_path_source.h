#ifndef TENSORFLOW_SERVING_SOURCES_STORAGE_PATH_FILE_SYSTEM_STORAGE_PATH_SOURCE_H_
#define TENSORFLOW_SERVING_SOURCES_STORAGE_PATH_FILE_SYSTEM_STORAGE_PATH_SOURCE_H_

#include <memory>

#include "tensorflow_serving/config/file_system_storage_path_source.pb.h"
#include "tensorflow_serving/core/source.h"
#include "tensorflow_serving/core/storage_path.h"

namespace tensorflow {
namespace serving {

// Finds versions: what is named by a number below the base paths of servables.
class FileSystemStoragePathSource : public Source<StoragePath> {
 public:
  static Status Create(const FileSystemStoragePathSourceConfig& config,
                       std::unique_ptr<FileSystemStoragePathSource>* result);
  ~FileSystemStoragePathSource() override;

  // The wait between two looks cannot change.
  Status UpdateConfig(const FileSystemStoragePathSourceConfig& config);
  void SetAspiredVersionsCallback(AspiredVersionsCallback callback) override;
  FileSystemStoragePathSourceConfig config() const;

 private:
  struct Impl;
  explicit FileSystemStoragePathSource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
