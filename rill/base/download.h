#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rill {

// Called as bytes come in: how many there are, and how many there will be, -1 where the server does
// not tell. What it throws ends the download.
using DownloadProgress = std::function<void(std::uint64_t done, std::int64_t total)>;

// Fetches what `url` names (http, https, or a path of any file system) into the file `path`, which
// is there whole or not at all. The bytes gather in `path`.part: a download that broke off goes on
// where it was, if the server still has the same file. Of several processes one fetches and the
// others wait for it. Throws Unavailable, DeadlineExceeded, NotFound, ... with the address.
void download(const std::string& url, const std::string& path,
              const DownloadProgress& progress = {});

}  // namespace rill
