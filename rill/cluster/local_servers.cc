#include "rill/cluster/local_servers.h"

#include <map>
#include <mutex>

namespace rill::cluster {
namespace {

struct LocalServers {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const Service>> services;
};
LocalServers& local_servers() {
  static LocalServers& servers = *new LocalServers;  // outlives what is static elsewhere
  return servers;
}

}  // namespace

void register_local_server(const std::string& address, std::weak_ptr<const Service> service) {
  LocalServers& servers = local_servers();
  const std::lock_guard lock(servers.mutex);
  servers.services[address] = std::move(service);
}

void forget_local_server(const std::string& address) {
  LocalServers& servers = local_servers();
  const std::lock_guard lock(servers.mutex);
  servers.services.erase(address);
}

std::shared_ptr<Link> link_to_server(const std::string& address,
                                     std::shared_ptr<const net::ClientSecurity> security) {
  LocalServers& servers = local_servers();
  const std::lock_guard lock(servers.mutex);
  const auto it = servers.services.find(address);
  if (it == servers.services.end() || it->second.expired())
    return link_to(address, std::move(security));
  return link_to(address, it->second);
}

}  // namespace rill::cluster
