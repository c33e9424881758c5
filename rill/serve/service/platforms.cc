#include "rill/serve/service/platforms.h"

#include <mutex>

#include "rill/serve/table/lookup_table.h"
#include "tensorflow_serving/servables/hashmap/hashmap_source_adapter.pb.h"

namespace rill::serve {
namespace {

using tensorflow::serving::HashmapSourceAdapterConfig;

struct Registered {
  std::mutex mutex;
  AdapterMakers makers{
      {"tensorflow.serving.HashmapSourceAdapterConfig",
       adapter_maker<HashmapSourceAdapterConfig>([](const HashmapSourceAdapterConfig& config) {
         return std::make_shared<LookupTableAdapter>(config.format());
       })}};
};
Registered& registered() {
  static Registered& all = *new Registered;  // libraries register while they are loaded
  return all;
}

MakeAdapter maker_of(const std::string& message, const AdapterMakers& own) {
  if (const auto found = own.find(message); found != own.end()) return found->second;
  const std::lock_guard lock(registered().mutex);
  const auto found = registered().makers.find(message);
  return found == registered().makers.end() ? MakeAdapter() : found->second;
}

}  // namespace

void register_adapter(const std::string& message, MakeAdapter make) {
  const std::lock_guard lock(registered().mutex);
  if (!registered().makers.emplace(message, std::move(make)).second)
    raise(Code::kAlreadyExists, "There is a source adapter for ", message, " already");
}

std::map<std::string, PathAdapterRef> adapters_for(
    const tensorflow::serving::PlatformConfigMap& platforms, const AdapterMakers& own) {
  std::map<std::string, PathAdapterRef> adapters;
  for (const auto& [platform, config] : platforms.platform_configs()) {
    const auto& any = config.source_adapter_config();
    const std::string message = any.type_url().substr(any.type_url().rfind('/') + 1);
    require(!message.empty(), "The platform ", platform, " has no source_adapter_config");
    const MakeAdapter make = maker_of(message, own);
    require(make != nullptr, "No source adapter is registered for ", message, " of platform ",
            platform);
    adapters[platform] = make(any);
  }
  return adapters;
}

}  // namespace rill::serve
