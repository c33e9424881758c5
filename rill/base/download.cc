#include "rill/base/download.h"

#include <chrono>
#include <exception>
#include <thread>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/http_handle.h"
#include "rill/base/lock_file.h"

namespace rill {
namespace {

constexpr int kMaxBreaks = 5;  // a transfer that gets no further in so many attempts is given up

// What has come so far of a file, and which file of the server it is a part of.
class PartFile {
 public:
  PartFile(std::string url, const std::string& path)
      : url_(std::move(url)), path_(path + ".part"), origin_path_(path + ".part.origin") {
    if (!file_exists(path_) || !file_exists(origin_path_)) return;
    const std::string origin = read_file(origin_path_);
    const auto line = origin.find('\n');
    if (line == origin.npos || std::string_view(origin).substr(0, line) != url_) return;
    version_ = origin.substr(line + 1);
    if (!version_.empty()) size_ = local_files().facts(path_).size;
  }

  std::uint64_t size() const { return size_; }
  const std::string& version() const { return version_; }  // "": nothing can be continued
  const std::string& path() const { return path_; }

  void begin(const std::string& version) {
    size_ = 0;
    version_ = version;
    file_ = local_files().create(path_, WriteMode::truncate);
    write_file(origin_path_, str_cat(url_, "\n", version));
  }
  void go_on() { file_ = local_files().create(path_, WriteMode::append); }
  void append(std::string_view bytes) {
    file_->append(bytes);
    size_ += bytes.size();
  }
  void close() {
    if (file_ != nullptr) file_->close();
    file_.reset();
  }
  void publish(const std::string& path) {
    close();
    local_files().rename(path_, path);
    local_files().remove_file(origin_path_);
  }

 private:
  std::string url_, path_, origin_path_;
  std::string version_;  // the server's mark of the file's content
  std::uint64_t size_ = 0;
  std::unique_ptr<WritableFile> file_;
};

// One request for what is missing.
class Transfer {
 public:
  Transfer(const std::string& url, PartFile* part, const DownloadProgress& progress)
      : url_(url), part_(*part), progress_(progress), handle_(http_handle(url)) {
    CURL* curl = handle_.get();
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Transfer::take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Transfer::take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &Transfer::tell);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, this);
  }

  // Whether the file is there now; false when the connection broke.
  bool perform() {
    curl_slist* headers = nullptr;
    if (part_.size() > 0) {
      curl_easy_setopt(handle_.get(), CURLOPT_RANGE, str_cat(part_.size(), "-").c_str());
      headers = curl_slist_append(nullptr, str_cat("If-Range: ", part_.version()).c_str());
      curl_easy_setopt(handle_.get(), CURLOPT_HTTPHEADER, headers);
    }
    const CURLcode result = curl_easy_perform(handle_.get());
    curl_slist_free_all(headers);
    if (thrown_) std::rethrow_exception(thrown_);
    if (status() == 416) return begin_anew();
    if (status() >= 300) raise_http_status(url_, status());
    if (result == CURLE_OK && !started_) start();  // an empty file
    part_.close();
    const bool broke = result == CURLE_PARTIAL_FILE || result == CURLE_RECV_ERROR;
    if (result != CURLE_OK && !(broke && started_)) raise_http_failure(url_, result);
    return result == CURLE_OK;
  }

 private:
  long status() const {
    long code = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
    return code;
  }
  bool begin_anew() {  // the part is longer than the file: it was of another one
    part_.begin("");
    part_.close();
    return false;
  }
  void start() {
    started_ = true;
    if (status() == 206)
      part_.go_on();
    else
      part_.begin(version_);
    curl_off_t length = -1;
    curl_easy_getinfo(handle_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    total_ = length < 0 ? -1 : static_cast<std::int64_t>(part_.size()) + length;
  }
  void take(std::string_view bytes) {
    if (status() >= 300) return;  // a page that explains an error
    if (!started_) start();
    part_.append(bytes);
  }
  // No exception may pass through libcurl.
  template <class Work>
  bool caught(Work work) {
    try {
      work();
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }
  static std::size_t take_body(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    return transfer.caught([&] { transfer.take({data, size}); }) ? size : 0;
  }
  static std::size_t take_header(char* data, std::size_t, std::size_t size, void* self) {
    auto& version = static_cast<Transfer*>(self)->version_;
    const std::string_view line(data, size);
    if (line.starts_with("HTTP/")) version.clear();  // another answer begins
    const auto colon = line.find(':');
    if (colon == line.npos) return size;
    const std::string name = lower(line.substr(0, colon));
    const std::string_view value = strip(line.substr(colon + 1));
    // A weak tag says nothing of single bytes.
    if (name == "etag" && !value.starts_with("W/")) version = value;
    if (name == "last-modified" && version.empty()) version = value;
    return size;
  }
  static int tell(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (!transfer.progress_) return 0;
    return transfer.caught([&] { transfer.progress_(transfer.part_.size(), transfer.total_); }) ? 0
                                                                                                : 1;
  }

  const std::string& url_;
  PartFile& part_;
  const DownloadProgress& progress_;
  HttpHandle handle_;
  std::string version_;
  std::int64_t total_ = -1;
  bool started_ = false;
  std::exception_ptr thrown_;
};

void fetch(const std::string& url, const std::string& path, const DownloadProgress& progress) {
  PartFile part(url, path);
  for (int breaks = 0; !Transfer(url, &part, progress).perform(); ++breaks) {
    const bool continues = breaks < kMaxBreaks;
    if (!continues)
      raise(Code::kUnavailable, url, "; the connection broke off ", kMaxBreaks + 1,
            " times; what came is kept in ", part.path());
    if (part.version().empty()) part.begin("");
  }
  if (progress) progress(part.size(), static_cast<std::int64_t>(part.size()));
  part.publish(path);
}

std::shared_ptr<LockFile> wait_for_lock(const std::string& path, const DownloadProgress& progress) {
  while (true) try {
      return LockFile::take(path + ".lock", str_cat(path, " is being downloaded"));
    } catch (const Error& error) {
      if (error.code() != Code::kFailedPrecondition) throw;
      if (progress) progress(0, -1);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

}  // namespace

void download(const std::string& url, const std::string& path, const DownloadProgress& progress) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    copy_file(url, path, /*overwrite=*/true);
    return;
  }
  const bool was_there = file_exists(path);
  const auto lock = wait_for_lock(path, progress);
  if (!was_there && file_exists(path)) return;  // another process has fetched it meanwhile
  fetch(url, path, progress);
}

}  // namespace rill
