#include "rill/api/keras/get_file.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/mapped_file.h"
#include "rill/base/md5.h"
#include "rill/base/sha256.h"
#include "rill/io/archive.h"

namespace rill::keras::utils {
namespace {

constexpr std::size_t kSha256Digits = 64;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string cache_directory(const GetFile& options) {
  std::string directory = options.cache_dir.empty() ? environment("KERAS_HOME") : options.cache_dir;
  if (directory.empty()) directory = join_path(environment("HOME"), ".keras");
  if (directory.starts_with("~/")) directory = join_path(environment("HOME"), directory.substr(2));
  const std::string subdirectory = join_path(directory, options.cache_subdir);
  make_directories(subdirectory);
  return subdirectory;
}

// A bar that stays on its line; on what is no terminal, nothing.
class Bar {
 public:
  explicit Bar(const std::string& origin) {
    std::printf("Downloading data from %s\n", origin.c_str());
    std::fflush(stdout);
  }
  ~Bar() {
    if (shown_) std::printf("\n");
  }
  void operator()(std::uint64_t done, std::int64_t total) {
    if (total <= 0 || ::isatty(STDOUT_FILENO) == 0) return;
    constexpr int kWidth = 30;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const std::string full(static_cast<std::size_t>(share * kWidth), '=');
    std::printf("\r%llu/%lld [%-*s]", static_cast<unsigned long long>(done),
                static_cast<long long>(total), kWidth, full.c_str());
    std::fflush(stdout);
    shown_ = true;
  }

 private:
  bool shown_ = false;
};

bool is_current(const std::string& path, const GetFile& options) {
  if (!file_exists(path)) return false;
  if (options.file_hash.empty() || validate_file(path, options.file_hash, options.hash_algorithm))
    return true;
  std::printf("%s is there, but its %s hash is not %s: it is fetched anew.\n", path.c_str(),
              options.hash_algorithm.c_str(), options.file_hash.c_str());
  return false;
}

void fetch(const std::string& origin, const std::string& path, const GetFile& options) {
  try {
    if (options.progress) {
      download(origin, path, options.progress);
    } else {
      Bar bar(origin);
      download(origin, path, std::ref(bar));
    }
  } catch (const Error& error) {
    if (error.code() == Code::kCancelled || error.code() == Code::kAborted) throw;
    raise(error.code(), "URL fetch failure on ", origin, ": ", error.message(),
          ". On a machine without a network, put this file at ", path);
  }
  if (!options.file_hash.empty() && !validate_file(path, options.file_hash, options.hash_algorithm))
    raise(Code::kDataLoss, "What came from ", origin, " has another hash than ", options.file_hash,
          "; it is at ", path);
}

}  // namespace

bool validate_file(const std::string& path, const std::string& file_hash,
                   const std::string& algorithm) {
  require(algorithm == "auto" || algorithm == "md5" || algorithm == "sha256",
          "hash_algorithm must be auto, md5 or sha256, got ", algorithm);
  const auto file = MappedFile::open(path);
  const std::string_view bytes(static_cast<const char*>(file->data()), file->size());
  const bool is_sha256 =
      algorithm == "sha256" || (algorithm == "auto" && file_hash.size() == kSha256Digits);
  return lower(file_hash) == (is_sha256 ? sha256_hex(bytes) : md5_hex(bytes));
}

std::string get_file(const std::string& fname, const std::string& origin, const GetFile& options) {
  const std::string directory = cache_directory(options);
  const std::string wanted = join_path(directory, fname);
  const std::string path = options.untar ? wanted + ".tar.gz" : wanted;
  if (options.untar && file_exists(wanted)) return wanted;
  if (!is_current(path, options)) fetch(origin, path, options);
  if (options.untar || options.extract)
    if (!extract_archive(path, directory) && options.untar)
      raise(Code::kInvalidArgument, path, " is no archive of tar's");
  return wanted;
}

}  // namespace rill::keras::utils
