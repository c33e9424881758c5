#include "rill/ops/debug/debug_target.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>

#include "rill/base/error.h"
#include "rill/ops/debug/grpc_target.h"

namespace rill {
namespace {

class FileTarget final : public DebugTarget {
 public:
  explicit FileTarget(std::string directory) : directory_(std::move(directory)) {}
  void run(const DebuggedRun& run) override { dump_run(directory_, run); }
  void graph(const std::string& device, const std::string& graph_def,
             std::int64_t micros) override {
    dump_graph(directory_, device, graph_def, micros);
  }
  void tensor(const Watched& watched, const Tensor& value) override {
    dump_tensor(directory_, watched, value);
  }

 private:
  const std::string directory_;
};

struct Callbacks {
  std::mutex mutex;
  std::map<std::string, DebugCallback> by_key;
};
Callbacks& callbacks() {
  static auto& all = *new Callbacks;
  return all;
}

class CallbackTarget final : public DebugTarget {
 public:
  explicit CallbackTarget(DebugCallback callback) : callback_(std::move(callback)) {}
  void run(const DebuggedRun&) override {}
  void graph(const std::string&, const std::string&, std::int64_t) override {}
  void tensor(const Watched& watched, const Tensor& value) override { callback_(watched, value); }

 private:
  const DebugCallback callback_;
};

DebugCallback callback_of(const std::string& key) {
  const std::lock_guard lock(callbacks().mutex);
  const auto it = callbacks().by_key.find(key);
  if (it == callbacks().by_key.end())
    raise(Code::kUnavailable, "nobody waits for tensors at memcbk://", key);
  return it->second;
}

bool has_scheme(const std::string& url, std::string_view scheme) {
  return url.size() > scheme.size() && lower(url.substr(0, scheme.size())) == scheme;
}

std::shared_ptr<DebugTarget> make_target(const std::string& url) {
  constexpr std::string_view kFile = "file://", kGrpc = "grpc://", kCallback = "memcbk://";
  if (has_scheme(url, kFile)) return std::make_shared<FileTarget>(url.substr(kFile.size()));
  if (has_scheme(url, kCallback))
    return std::make_shared<CallbackTarget>(callback_of(url.substr(kCallback.size())));
  if (has_scheme(url, kGrpc)) return make_grpc_target(url.substr(kGrpc.size()));
  raise(Code::kUnavailable, "Invalid debug target URL: ", url,
        ": it begins with none of file://, grpc:// and memcbk://, or nothing follows");
}

}  // namespace

std::shared_ptr<DebugTarget> debug_target(const std::string& url) {
  static std::mutex mutex;
  static auto& open = *new std::map<std::string, std::weak_ptr<DebugTarget>>;
  const std::lock_guard lock(mutex);
  std::erase_if(open, [](const auto& entry) { return entry.second.expired(); });
  if (auto known = open[url].lock()) return known;
  auto made = make_target(url);
  open[url] = made;
  return made;
}

void set_debug_callback(const std::string& key, DebugCallback callback) {
  const std::lock_guard lock(callbacks().mutex);
  if (callback == nullptr)
    callbacks().by_key.erase(key);
  else
    callbacks().by_key[key] = std::move(callback);
}

}  // namespace rill
