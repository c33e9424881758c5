#pragma once

#include <memory>
#include <string>

#include "rill/cluster/service.h"

namespace rill::cluster {

// The servers of this process, by address ("localhost:2222"): a session of theirs needs no network.
void register_local_server(const std::string& address, std::weak_ptr<const Service> service);
void forget_local_server(const std::string& address);
// To a server of this process where one is there, else by gRPC.
std::shared_ptr<Link> link_to_server(const std::string& address,
                                     std::shared_ptr<const net::ClientSecurity> security = nullptr);

}  // namespace rill::cluster
