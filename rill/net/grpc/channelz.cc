#include "rill/net/grpc/channelz.h"

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <map>
#include <vector>

#include "rill/base/error.h"
#include "rill/net/grpc/grpc_connection.h"
#include "rill/net/grpc/grpc_host.h"

namespace rill::net {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// There is one server here; connections have numbers of their own, which are larger.
constexpr std::uint64_t kServerId = 1;
constexpr std::size_t kMostResults = 100;

std::string channelz_bytes(const UnknownFieldSet& fields) {
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}

std::uint64_t number_in(const UnknownFieldSet& asked, int field) {
  for (int i = 0; i < asked.field_count(); ++i)
    if (asked.field(i).number() == field && asked.field(i).type() == UnknownField::TYPE_VARINT)
      return asked.field(i).varint();
  return 0;
}

void add_count(int field, std::int64_t count, UnknownFieldSet* to) {
  if (count > 0) to->AddVarint(field, static_cast<std::uint64_t>(count));
}

void add_time(int field, std::int64_t micros, UnknownFieldSet* to) {
  if (micros == 0) return;
  UnknownFieldSet time;
  time.AddVarint(1, static_cast<std::uint64_t>(micros / 1'000'000));
  time.AddVarint(2, static_cast<std::uint64_t>(micros % 1'000'000 * 1000));
  to->AddLengthDelimited(field, channelz_bytes(time));
}

// SocketRef { int64 socket_id = 3; string name = 4 }
std::string socket_ref(const GrpcConnectionInfo& connection) {
  UnknownFieldSet ref;
  ref.AddVarint(3, connection.id);
  ref.AddLengthDelimited(4, connection.peer);
  return channelz_bytes(ref);
}

std::map<std::uint64_t, GrpcConnectionInfo> connections_of(GrpcHost& host) {
  std::vector<std::shared_ptr<GrpcConnection>> open;
  {
    const std::lock_guard lock(host.mutex);
    for (const auto& [id, connection] : host.open) open.push_back(connection);
  }
  std::map<std::uint64_t, GrpcConnectionInfo> all;
  for (const auto& connection : open) {
    GrpcConnectionInfo info = connection->info();
    all.emplace(info.id, std::move(info));
  }
  return all;
}

// Server { ServerRef ref = 1; ServerData data = 2 }
std::string server_text(GrpcHost& host) {
  GrpcCounts counts;
  for (const auto& [id, connection] : connections_of(host)) counts.add(connection.counts);
  {
    const std::lock_guard lock(host.mutex);
    counts.add(host.past);
  }
  UnknownFieldSet ref, data, server;
  ref.AddVarint(5, kServerId);
  ref.AddLengthDelimited(6, "rill");
  server.AddLengthDelimited(1, channelz_bytes(ref));
  add_count(2, counts.started, &data);
  add_count(3, counts.succeeded, &data);
  add_count(4, counts.failed, &data);
  server.AddLengthDelimited(2, channelz_bytes(data));
  return channelz_bytes(server);
}

// Socket { SocketRef ref = 1; SocketData data = 2; ... string remote_name = 6 }
std::string socket_text(const GrpcConnectionInfo& connection) {
  UnknownFieldSet data, socket;
  socket.AddLengthDelimited(1, socket_ref(connection));
  add_count(1, connection.counts.started, &data);
  add_count(2, connection.counts.succeeded, &data);
  add_count(3, connection.counts.failed, &data);
  add_time(8, connection.last_call_micros, &data);
  socket.AddLengthDelimited(2, channelz_bytes(data));
  socket.AddLengthDelimited(6, connection.peer);
  return channelz_bytes(socket);
}

void servers(GrpcHost& host, const UnknownFieldSet& asked, UnknownFieldSet* answer) {
  if (number_in(asked, 1) <= kServerId) answer->AddLengthDelimited(1, server_text(host));
  answer->AddVarint(2, 1);
}

void server(GrpcHost& host, const UnknownFieldSet& asked, UnknownFieldSet* answer) {
  if (number_in(asked, 1) != kServerId)
    raise(Code::kNotFound, "There is no server ", number_in(asked, 1));
  answer->AddLengthDelimited(1, server_text(host));
}

void server_sockets(GrpcHost& host, const UnknownFieldSet& asked, UnknownFieldSet* answer) {
  if (number_in(asked, 1) != kServerId)
    raise(Code::kNotFound, "There is no server ", number_in(asked, 1));
  const auto all = connections_of(host);
  const std::uint64_t wanted = number_in(asked, 3);
  const std::size_t most = wanted == 0 ? kMostResults : std::min<std::size_t>(wanted, kMostResults);
  auto it = all.lower_bound(number_in(asked, 2));
  for (std::size_t i = 0; i < most && it != all.end(); ++i, ++it)
    answer->AddLengthDelimited(1, socket_ref(it->second));
  if (it == all.end()) answer->AddVarint(2, 1);
}

void socket(GrpcHost& host, const UnknownFieldSet& asked, UnknownFieldSet* answer) {
  const auto all = connections_of(host);
  const auto found = all.find(number_in(asked, 1));
  if (found == all.end()) raise(Code::kNotFound, "There is no socket ", number_in(asked, 1));
  answer->AddLengthDelimited(1, socket_text(found->second));
}

// This process tells nobody of what it asks others.
void no_channels(GrpcHost&, const UnknownFieldSet&, UnknownFieldSet* answer) {
  answer->AddVarint(2, 1);
}
void no_channel(GrpcHost&, const UnknownFieldSet& asked, UnknownFieldSet*) {
  raise(Code::kNotFound, "There is no channel ", number_in(asked, 1));
}

}  // namespace

RpcMethods channelz(GrpcHost& host) {
  using Answer = void (*)(GrpcHost&, const UnknownFieldSet& asked, UnknownFieldSet* answer);
  const std::pair<const char*, Answer> all[] = {
      {"GetServers", servers},      {"GetServer", server},
      {"GetSocket", socket},        {"GetServerSockets", server_sockets},
      {"GetChannel", no_channel},   {"GetTopChannels", no_channels},
      {"GetSubchannel", no_channel}};
  RpcMethods methods;
  for (const auto& [name, answer] : all)
    methods[str_cat("/grpc.channelz.v1.Channelz/", name)] =
        [&host, answer = answer](const std::shared_ptr<RpcCall>& call) {
          try {
            UnknownFieldSet asked;
            require(asked.ParseFromZeroCopyStream(&call->request()),
                    "The request is none of channelz");
            google::protobuf::Empty response;  // whatever the fields are
            answer(host, asked, response.GetReflection()->MutableUnknownFields(&response));
            call->reply(response);
          } catch (...) {
            call->fail(current_error());
          }
        };
  return methods;
}

}  // namespace rill::net
