#ifndef TENSORFLOW_SERVING_CORE_STATIC_MANAGER_H_
#define TENSORFLOW_SERVING_CORE_STATIC_MANAGER_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow_serving/core/manager.h"

namespace tensorflow {
namespace serving {

namespace internal {
// Servables that stay what they are.
class StaticManager final : public Manager {
 public:
  typedef std::map<ServableId, std::shared_ptr<UniqueAnyPtr>> Servables;
  explicit StaticManager(Servables servables) : servables_(std::move(servables)) {}

  std::vector<ServableId> ListAvailableServableIds() const override {
    std::vector<ServableId> ids;
    for (const auto& entry : servables_) ids.push_back(entry.first);
    return ids;
  }

 private:
  class Handle final : public UntypedServableHandle {
   public:
    Handle(const ServableId& id, std::shared_ptr<UniqueAnyPtr> servable)
        : id_(id), servable_(std::move(servable)) {}
    const ServableId& id() const override { return id_; }
    AnyPtr servable() override { return servable_->as_any_ptr(); }

   private:
    const ServableId id_;
    const std::shared_ptr<UniqueAnyPtr> servable_;
  };

  Status GetUntypedServableHandle(const ServableRequest& request,
                                  std::unique_ptr<UntypedServableHandle>* handle) override {
    for (auto entry = servables_.rbegin(); entry != servables_.rend(); ++entry) {
      const ServableId& id = entry->first;
      if (id.name != request.name || (request.version && *request.version != id.version)) continue;
      handle->reset(new Handle(id, entry->second));
      return Status::OK();
    }
    return errors::NotFound("Servable not found for request: ", request.DebugString());
  }
  std::map<ServableId, std::unique_ptr<UntypedServableHandle>> GetAvailableUntypedServableHandles()
      const override {
    std::map<ServableId, std::unique_ptr<UntypedServableHandle>> handles;
    for (const auto& entry : servables_)
      handles[entry.first].reset(new Handle(entry.first, entry.second));
    return handles;
  }

  const Servables servables_;
};
}  // namespace internal

// Makes a manager of servables that are there already.
class StaticManagerBuilder {
 public:
  template <typename ServableType>
  Status AddServable(const ServableId& id, std::unique_ptr<ServableType> servable) {
    if (servable == nullptr)
      return errors::InvalidArgument("Servable cannot be null: ", id.DebugString());
    if (servables_.count(id) > 0)
      return errors::InvalidArgument("Servable already added: ", id.DebugString());
    servables_[id] = std::make_shared<UniqueAnyPtr>(std::move(servable));
    return Status::OK();
  }
  std::unique_ptr<Manager> Build() {
    return std::unique_ptr<Manager>(new internal::StaticManager(std::move(servables_)));
  }

 private:
  internal::StaticManager::Servables servables_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
