#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/compat/convert.h"
#include "rill/serve/core/manager.h"
#include "rill/serve/service/platforms.h"
#include "tensorflow_serving/core/aspired_versions_manager.h"
#include "tensorflow_serving/core/source_adapter.h"

// Loaders, adapters and states between TensorFlow Serving's classes and those of rill/serve.
namespace tensorflow {
namespace serving {

using PreLoadHook = AspiredVersionsManager::PreLoadHook;
using Loaders = std::vector<ServableData<std::unique_ptr<Loader>>>;

ServableId from_rill(const rill::serve::ServableId& id);
rill::serve::ServableId to_rill(const ServableId& id);
ServableState from_rill(const rill::serve::ServableId& id,
                        const rill::serve::VersionStatus& status);

// What a foreign loader has loaded; it goes, with its servable, when nobody uses it any more.
class ForeignServable : public rill::serve::Servable {
 public:
  ForeignServable(std::shared_ptr<Loader> loader, AnyPtr servable)
      : loader_(std::move(loader)), servable_(servable) {}
  ~ForeignServable() override;
  AnyPtr get() const { return servable_; }

 private:
  const std::shared_ptr<Loader> loader_;
  const AnyPtr servable_;
};

// Versions for a manager of rill/serve. `hook` is called before one is loaded.
std::vector<rill::serve::Aspired<rill::serve::LoaderRef>> to_rill(Loaders loaders,
                                                                  const PreLoadHook& hook);

// A foreign adapter as a platform of rill/serve.
rill::serve::PathAdapterRef to_rill(std::unique_ptr<StoragePathSourceAdapter> adapter,
                                    const PreLoadHook& hook = {});

// The handle of a servable, for those who ask by TensorFlow Serving's ways; nullptr for one that no
// foreign loader has loaded.
std::unique_ptr<UntypedServableHandle> untyped(const rill::serve::Handle& handle);

}  // namespace serving
}  // namespace tensorflow
