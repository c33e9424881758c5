#pragma once

#include <string>

#include "rill/net/socket/tls.h"
#include "rill/serve/flags.h"

// What stands in the files that flags name, read anew by every call. These throw InvalidArgument
// with the place where a file is wrong, and what reading it throws.
namespace rill::serve {

net::TlsFiles read_tls_files(const ServerFlags& flags);
std::string read_token(const ServerFlags& flags);            // "": none is needed
std::string read_prometheus_path(const ServerFlags& flags);  // "": nothing is told

}  // namespace rill::serve
