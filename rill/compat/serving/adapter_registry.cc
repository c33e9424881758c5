#include <map>
#include <mutex>

#include "rill/compat/serving/foreign.h"

namespace tensorflow {
namespace serving {
namespace {

struct Factories {
  std::mutex mutex;
  std::map<string, StoragePathSourceAdapterRegistry::Factory> by_message;
};
Factories& factories() {
  static Factories& all = *new Factories;  // libraries register while they are loaded
  return all;
}

}  // namespace

Status StoragePathSourceAdapterRegistry::Register(const string& message, Factory factory) {
  {
    const std::lock_guard<std::mutex> lock(factories().mutex);
    if (!factories().by_message.emplace(message, std::move(factory)).second)
      return errors::AlreadyExists("There is a source adapter for ", message, " already");
  }
  // The model server, and ServerCore, ask there; what they have themselves comes first.
  return guarded([&] {
    rill::serve::register_adapter(message, [](const google::protobuf::Any& config) {
      std::unique_ptr<StoragePathSourceAdapter> adapter;
      const Status status = StoragePathSourceAdapterRegistry::CreateFromAny(config, &adapter);
      if (!status.ok()) throw to_error(status);
      return to_rill(std::move(adapter));
    });
  });
}

Status StoragePathSourceAdapterRegistry::CreateFromAny(
    const google::protobuf::Any& config, std::unique_ptr<StoragePathSourceAdapter>* adapter) {
  const string message = config.type_url().substr(config.type_url().rfind('/') + 1);
  Factory factory;
  {
    const std::lock_guard<std::mutex> lock(factories().mutex);
    const auto found = factories().by_message.find(message);
    if (found != factories().by_message.end()) factory = found->second;
  }
  if (!factory) return errors::InvalidArgument("No source adapter is registered for ", message);
  Status status;
  const Status caught = guarded([&] { status = factory(config, adapter); });
  return caught.ok() ? status : caught;
}

}  // namespace serving
}  // namespace tensorflow
