#pragma once

#include "rill/compat/serving/foreign.h"

namespace tensorflow {
namespace serving {

struct AspiredVersionsManager::Impl {
  std::unique_ptr<rill::serve::Manager> owned;
  rill::serve::Manager* manager = nullptr;  // the one that is owned, or a server's
  PreLoadHook pre_load_hook;
};

// A policy, as a manager of rill/serve asks it.
rill::serve::NextAction to_rill(std::shared_ptr<const AspiredVersionPolicy> policy);

Status find_handle(rill::serve::Manager& manager, const ServableRequest& request,
                   std::unique_ptr<UntypedServableHandle>* handle);
std::map<ServableId, std::unique_ptr<UntypedServableHandle>> all_handles(
    rill::serve::Manager& manager);
std::vector<ServableId> all_ids(const std::vector<rill::serve::ServableId>& ids);

}  // namespace serving
}  // namespace tensorflow
