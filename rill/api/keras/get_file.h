#pragma once

#include <optional>
#include <string>

#include "rill/base/download.h"

namespace rill::keras::utils {

struct GetFile {
  bool untar = false;          // `fname` is what lies in an archive of tar's
  std::string file_hash = {};  // SHA-256 or MD5 in hexadecimal digits; "": not looked at
  std::string cache_subdir = "datasets";
  std::string hash_algorithm = "auto";  // "auto", "md5", "sha256"
  bool extract = false;                 // unpack the file where it lies
  std::string cache_dir = {};           // "": $KERAS_HOME, or ~/.keras
  DownloadProgress progress = {};       // instead of a bar on standard output
};

// The path of a file that was fetched once from `origin`: <cache_dir>/<cache_subdir>/<fname>. One
// that is there is taken unless its hash differs. Throws what download() throws; the message says
// where to put the file on a machine without a network. DataLoss if what came has another hash.
std::string get_file(const std::string& fname, const std::string& origin,
                     const GetFile& options = {});

// Whether a file has this hash; "auto" tells the two kinds by their length.
bool validate_file(const std::string& path, const std::string& file_hash,
                   const std::string& algorithm = "auto");

}  // namespace rill::keras::utils
