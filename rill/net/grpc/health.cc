#include "rill/net/grpc/health.h"

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include <vector>

#include "rill/base/error.h"

namespace rill::net {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// HealthCheckResponse { ServingStatus status = 1 }
enum Status { kServing = 1, kNotServing = 2, kServiceUnknown = 3 };

std::string response_of(Status status) {
  UnknownFieldSet fields;
  fields.AddVarint(1, status);
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}
std::string response_of(bool is_known, bool is_serving) {
  if (!is_known) return response_of(kServiceUnknown);
  return response_of(is_serving ? kServing : kNotServing);
}

}  // namespace

Health::Health(const RpcMethods& methods, const RpcStreams& streams) : services_{""} {
  const auto add = [&](const std::string& name) {
    services_.insert(name.substr(1, name.rfind('/') - 1));
  };
  for (const auto& [name, method] : methods) add(name);
  for (const auto& [name, method] : streams) add(name);
}

// HealthCheckRequest { string service = 1 }
std::string Health::name_in(const std::string& request) {
  UnknownFieldSet fields;
  require(fields.ParseFromString(request), "The request is no grpc.health.v1.HealthCheckRequest");
  std::string name;
  for (int i = 0; i < fields.field_count(); ++i)
    if (fields.field(i).number() == 1 &&
        fields.field(i).type() == UnknownField::TYPE_LENGTH_DELIMITED)
      name = fields.field(i).length_delimited();
  return name;
}

bool Health::is_known(const std::string& service) const { return services_.contains(service); }

std::string Health::check(const std::string& request) const {
  const std::string service = name_in(request);
  if (!is_known(service)) raise(Code::kNotFound, "service name unknown: ", service);
  const std::lock_guard lock(mutex_);
  return response_of(true, is_serving_);
}

void Health::set_serving(bool serving) {
  std::vector<std::shared_ptr<Watcher>> told;
  {
    const std::lock_guard lock(mutex_);
    if (is_serving_ == serving) return;
    is_serving_ = serving;
    told.assign(watchers_.begin(), watchers_.end());
  }
  for (const auto& watcher : told) {
    const std::lock_guard lock(watcher->mutex);
    if (watcher->changed && watcher->is_known) watcher->changed(response_of(true, serving));
  }
}

Health::Watching Health::watch(const std::string& request,
                               std::function<void(std::string)> changed) {
  auto watcher = std::make_shared<Watcher>();
  watcher->is_known = is_known(name_in(request));
  bool is_serving = false;
  {
    const std::lock_guard lock(mutex_);
    is_serving = is_serving_;
    watchers_.insert(watcher);
  }
  {
    const std::lock_guard lock(watcher->mutex);
    watcher->changed = std::move(changed);
    watcher->changed(response_of(watcher->is_known, is_serving));
  }
  return {watcher.get(), [this, watcher](void*) {
            {
              const std::lock_guard lock(watcher->mutex);
              watcher->changed = nullptr;
            }
            const std::lock_guard lock(mutex_);
            watchers_.erase(watcher);
          }};
}

RpcStreamMethod Health::watching() {
  return [this](const std::shared_ptr<RpcStream>& stream) {
    const auto watching = std::make_shared<Watching>();
    stream->read();
    return RpcStreamEvents{.on_message =
                               [this, stream, watching](const std::string& request) {
                                 *watching = watch(request, [stream](std::string response) {
                                   stream->write(std::move(response));
                                 });
                                 stream->read();
                               },
                           .on_end = [] {},  // it goes on listening
                           .on_over = [watching] { watching->reset(); }};
  };
}

void answer_check(const Health& health, RpcCall& call) {
  try {
    std::string bytes;
    const void* piece = nullptr;
    for (int size = 0; call.request().Next(&piece, &size);)
      bytes.append(static_cast<const char*>(piece), static_cast<std::size_t>(size));
    google::protobuf::Empty response;  // whatever the bytes are
    response.ParseFromString(health.check(bytes));
    call.reply(response);
  } catch (...) {
    call.fail(current_error());
  }
}

}  // namespace rill::net
