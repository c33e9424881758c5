#ifndef TENSORFLOW_SERVING_SERVABLES_HASHMAP_HASHMAP_SOURCE_ADAPTER_H_
#define TENSORFLOW_SERVING_SERVABLES_HASHMAP_HASHMAP_SOURCE_ADAPTER_H_

#include <string>
#include <unordered_map>

#include "tensorflow_serving/core/simple_loader.h"
#include "tensorflow_serving/core/storage_path.h"
#include "tensorflow_serving/servables/hashmap/hashmap_source_adapter.pb.h"

namespace tensorflow {
namespace serving {

// Makes look-up tables of files with a key and a value in each line.
class HashmapSourceAdapter final
    : public SimpleLoaderSourceAdapter<StoragePath, std::unordered_map<string, string>> {
 public:
  explicit HashmapSourceAdapter(const HashmapSourceAdapterConfig& config);
  ~HashmapSourceAdapter() override;
};

}  // namespace serving
}  // namespace tensorflow

#endif
