// Files that a web server hands out, read by range requests.
#include <algorithm>
#include <cstring>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/http_handle.h"

namespace rill {
namespace {

// What one request asks for and what came back.
struct Exchange {
  CURL* handle = nullptr;
  std::uint64_t offset = 0;  // of the first byte wanted
  std::span<char> out;
  std::size_t filled = 0;
  std::uint64_t skipped = 0;     // bytes before `offset` that a server sent all the same
  std::int64_t total_size = -1;  // as Content-Range tells it
  long status() const {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }
};

// Called by libcurl with a piece of the body; a count other than `size` ends the transfer.
std::size_t take_body(char* data, std::size_t, std::size_t size, void* context) {
  auto& exchange = *static_cast<Exchange*>(context);
  const long status = exchange.status();
  if (status >= 300) return size;  // a page that explains an error
  std::size_t skip = 0;
  if (status != 206) {  // the server knows no ranges and sends the file from its beginning
    skip =
        static_cast<std::size_t>(std::min<std::uint64_t>(size, exchange.offset - exchange.skipped));
    exchange.skipped += skip;
  }
  const std::size_t count = std::min(size - skip, exchange.out.size() - exchange.filled);
  if (count > 0) std::memcpy(exchange.out.data() + exchange.filled, data + skip, count);
  exchange.filled += count;
  return skip + count;
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* context) {
  auto& exchange = *static_cast<Exchange*>(context);
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) exchange.total_size = -1;  // another answer begins
  const auto slash = line.rfind('/');
  if (lower(line.substr(0, line.find(':'))) == "content-range" && slash != line.npos) {
    long long total = 0;
    if (parse_int(strip(line.substr(slash + 1)), &total) && total >= 0) exchange.total_size = total;
  }
  return size;
}

class HttpReadable final : public ReadableFile {
 public:
  explicit HttpReadable(const std::string& path)
      : ReadableFile(path), owned_(http_handle(path)), handle_(owned_.get()) {
    curl_easy_setopt(handle_, CURLOPT_FILETIME, 1L);
    curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, take_header);
  }

  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    if (out.empty()) return 0;
    const std::lock_guard lock(mutex_);
    Exchange exchange{.offset = offset, .out = out};
    perform(&exchange);
    return exchange.filled;
  }
  std::uint64_t size() const override { return facts().size; }

  // Learned from a request for one byte: not every server answers HEAD.
  FileFacts facts() const {
    const std::lock_guard lock(mutex_);
    char byte = 0;
    Exchange exchange{.out = {&byte, 1}};
    perform(&exchange);
    curl_off_t length = -1, modified = -1;
    curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    curl_easy_getinfo(handle_, CURLINFO_FILETIME_T, &modified);
    if (exchange.status() == 200) exchange.total_size = length;
    if (exchange.status() == 416 && exchange.total_size < 0) exchange.total_size = 0;
    if (exchange.total_size < 0)
      raise(Code::kUnavailable, path(), "; the server does not tell the size of the file");
    return {.size = static_cast<std::uint64_t>(exchange.total_size),
            .modified_nanos = modified < 0 ? 0 : std::int64_t{modified} * 1'000'000'000};
  }

 private:
  void perform(Exchange* exchange) const {
    exchange->handle = handle_;
    const std::string range =
        str_cat(exchange->offset, "-", exchange->offset + (exchange->out.size() - 1));
    curl_easy_setopt(handle_, CURLOPT_RANGE, range.c_str());
    curl_easy_setopt(handle_, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(handle_, CURLOPT_HEADERDATA, exchange);
    const CURLcode result = curl_easy_perform(handle_);
    const bool enough = result == CURLE_WRITE_ERROR && exchange->filled == exchange->out.size();
    if (result != CURLE_OK && !enough) raise_http_failure(path(), result);
    const long status = exchange->status();
    const bool beyond_end = status == 416;
    if (status >= 300 && !beyond_end) raise_http_status(path(), status);
  }

  mutable std::mutex mutex_;  // one request at a time, over one connection that stays open
  const HttpHandle owned_;
  CURL* const handle_;
};

class HttpFiles final : public FileSystem {
 public:
  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    auto file = std::make_unique<HttpReadable>(path);
    (void)file->facts();  // a missing file is reported here, as by other file systems
    return file;
  }
  FileFacts facts(const std::string& path) override { return HttpReadable(path).facts(); }
  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode) override {
    read_only(path, "written");
  }
  std::vector<std::string> list(const std::string& directory) override {
    read_only(directory, "listed");
  }
  void remove_file(const std::string& path) override { read_only(path, "removed"); }
  void make_directory(const std::string& path) override { read_only(path, "made"); }
  void remove_directory(const std::string& path) override { read_only(path, "removed"); }
  void rename(const std::string& from, const std::string&) override { read_only(from, "renamed"); }

 private:
  [[noreturn]] static void read_only(const std::string& path, const char* what) {
    raise(Code::kUnimplemented, path, "; files of web servers can be read, not ", what);
  }
};

}  // namespace

FileSystem& http_files() {
  static auto& files = *new HttpFiles;
  return files;
}

}  // namespace rill
