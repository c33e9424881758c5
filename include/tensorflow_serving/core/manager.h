#ifndef TENSORFLOW_SERVING_CORE_MANAGER_H_
#define TENSORFLOW_SERVING_CORE_MANAGER_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow_serving/core/servable_handle.h"
#include "tensorflow_serving/core/servable_id.h"
#include "tensorflow_serving/util/optional.h"

namespace tensorflow {
namespace serving {

// Which version: one, or the highest that serves.
struct ServableRequest {
  static ServableRequest Specific(const string& name, int64 version) {
    ServableRequest request;
    request.name = name;
    request.version = version;
    return request;
  }
  static ServableRequest Latest(const string& name) {
    ServableRequest request;
    request.name = name;
    return request;
  }
  static ServableRequest FromId(const ServableId& id) { return Specific(id.name, id.version); }
  string DebugString() const {
    return version ? "Specific(" + name + ", " + std::to_string(*version) + ")"
                   : "Latest(" + name + ")";
  }

  string name;
  optional<int64> version;
};

// Has servables and gives them out.
class Manager {
 public:
  virtual ~Manager() = default;
  virtual std::vector<ServableId> ListAvailableServableIds() const = 0;

  // Those that are a T.
  template <typename T>
  std::map<ServableId, ServableHandle<T>> GetAvailableServableHandles() const {
    std::map<ServableId, ServableHandle<T>> handles;
    for (auto& entry : GetAvailableUntypedServableHandles()) {
      ServableHandle<T> handle(std::move(entry.second));
      if (handle) handles.emplace(entry.first, std::move(handle));
    }
    return handles;
  }
  // NotFound when there is none, InvalidArgument when it is no T; `handle` is then left empty.
  template <typename T>
  Status GetServableHandle(const ServableRequest& request, ServableHandle<T>* handle) {
    *handle = ServableHandle<T>();
    std::unique_ptr<UntypedServableHandle> untyped;
    const Status status = GetUntypedServableHandle(request, &untyped);
    if (!status.ok()) return status;
    if (untyped == nullptr)
      return errors::Internal("Manager returned a null handle with OK status.");
    ServableHandle<T> typed(std::move(untyped));
    if (!typed) return errors::InvalidArgument("Servable type doesn't match the asked for type.");
    *handle = std::move(typed);
    return Status::OK();
  }

 private:
  virtual Status GetUntypedServableHandle(
      const ServableRequest& request, std::unique_ptr<UntypedServableHandle>* untyped_handle) = 0;
  virtual std::map<ServableId, std::unique_ptr<UntypedServableHandle>>
  GetAvailableUntypedServableHandles() const = 0;
};

}  // namespace serving
}  // namespace tensorflow

#endif
