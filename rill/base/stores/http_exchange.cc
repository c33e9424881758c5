#include "rill/base/stores/http_exchange.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/forks.h"
#include "rill/base/http_handle.h"

namespace rill::stores {
namespace {

constexpr std::size_t kMaxBody = std::size_t{64} << 20;  // of an answer that is no object
constexpr std::size_t kKeptHandles = 32;
constexpr long kSlowBytes = 1024;  // a second

// Handles keep their connections; whoever is done with one leaves it to the next.
struct IdleHandles {
  std::mutex mutex;
  std::vector<HttpHandle> handles;
};

class Lease {
 public:
  explicit Lease(const std::string& url) : idle_(of_this_process<IdleHandles>()) {
    const std::lock_guard lock(idle_.mutex);
    if (!idle_.handles.empty()) {
      handle_ = std::move(idle_.handles.back());
      idle_.handles.pop_back();
      curl_easy_reset(handle_.get());
      set_http_defaults(handle_.get(), url);
    } else {
      handle_ = http_handle(url);
    }
  }
  ~Lease() {
    const std::lock_guard lock(idle_.mutex);
    if (idle_.handles.size() < kKeptHandles) idle_.handles.push_back(std::move(handle_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  CURL* get() const { return handle_.get(); }

 private:
  IdleHandles& idle_;
  HttpHandle handle_;
};

struct Transfer {
  CURL* curl;
  const HttpRequest& request;
  HttpAnswer answer = {};
  std::size_t sent = 0;
  bool is_too_long = false;

  long status() const {
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }
  bool take(std::string_view bytes) {
    const bool is_object = !request.into.empty() && (status() == 200 || status() == 206);
    const std::size_t room =
        is_object ? request.into.size() - answer.filled : kMaxBody - answer.body.size();
    is_too_long = bytes.size() > room;
    if (is_too_long) return false;
    if (is_object) {
      std::memcpy(request.into.data() + answer.filled, bytes.data(), bytes.size());
      answer.filled += bytes.size();
    } else {
      answer.body.append(bytes);
    }
    return true;
  }
};

std::size_t take_piece(char* data, std::size_t, std::size_t size, void* transfer) {
  return static_cast<Transfer*>(transfer)->take({data, size}) ? size : 0;
}

std::size_t take_line(char* data, std::size_t, std::size_t size, void* transfer) {
  auto& headers = static_cast<Transfer*>(transfer)->answer.headers;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) headers.clear();  // another answer begins
  const auto colon = line.find(':');
  if (colon != line.npos)
    headers[lower(strip(line.substr(0, colon)))] = strip(line.substr(colon + 1));
  return size;
}

std::size_t give_piece(char* out, std::size_t, std::size_t room, void* transfer) {
  auto& at = *static_cast<Transfer*>(transfer);
  const std::size_t count = std::min(room, at.request.body.size() - at.sent);
  if (count > 0) std::memcpy(out, at.request.body.data() + at.sent, count);
  at.sent += count;
  return count;
}

int go_back(void* transfer, curl_off_t offset, int origin) {
  auto& at = *static_cast<Transfer*>(transfer);
  const bool fits = origin == SEEK_SET && offset >= 0 &&
                    static_cast<std::size_t>(offset) <= at.request.body.size();
  if (fits) at.sent = static_cast<std::size_t>(offset);
  return fits ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

void set_limits(CURL* curl, const HttpLimits& limits) {
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, limits.connect_ms);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kSlowBytes);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, std::max(1L, (limits.stall_ms + 999) / 1000));
  if (limits.whole_ms > 0) curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, limits.whole_ms);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, limits.verifies ? 1L : 0L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, limits.verifies ? 2L : 0L);
  if (!limits.authorities.empty())
    curl_easy_setopt(curl, CURLOPT_CAINFO, limits.authorities.c_str());
  if (!limits.folder.empty()) curl_easy_setopt(curl, CURLOPT_CAPATH, limits.folder.c_str());
  curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L << 10);
  curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
}

void set_request(Transfer* transfer) {
  CURL* const curl = transfer->curl;
  const HttpRequest& request = transfer->request;
  const bool sends = request.method == "PUT" || request.method == "POST";
  if (request.method == "HEAD") curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  if (sends) {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give_piece);
    curl_easy_setopt(curl, CURLOPT_READDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, go_back);
    curl_easy_setopt(curl, CURLOPT_SEEKDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_piece);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_line);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, transfer);
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

}  // namespace

std::string HttpAnswer::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

HttpAnswer http_exchange(const HttpRequest& request, const HttpLimits& limits) {
  const Lease lease(request.url);
  Transfer transfer{.curl = lease.get(), .request = request};
  set_limits(transfer.curl, limits);
  set_request(&transfer);
  curl_slist* headers = curl_slist_append(nullptr, "Expect:");
  for (const std::string& header : request.headers)
    headers = curl_slist_append(headers, header.c_str());
  curl_easy_setopt(transfer.curl, CURLOPT_HTTPHEADER, headers);
  const CURLcode result = curl_easy_perform(transfer.curl);
  curl_slist_free_all(headers);
  transfer.answer.status = transfer.status();
  if (transfer.is_too_long) raise(Code::kUnavailable, "the server sent more than it was asked for");
  if (result != CURLE_OK)
    raise(result == CURLE_OPERATION_TIMEDOUT ? Code::kDeadlineExceeded : Code::kUnavailable,
          curl_easy_strerror(result));
  return std::move(transfer.answer);
}

std::string url_encoded(std::string_view text, bool keeps_slash) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || std::string_view("-_.~").find(c) != text.npos;
    if (is_plain || (keeps_slash && c == '/'))
      result += c;
    else
      result += {'%', kDigits[code >> 4], kDigits[code & 15]};
  }
  return result;
}

std::string url_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 &&
                           digit_of(text[i + 2]) >= 0;
    if (is_escape) {
      result += static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
      i += 2;
    } else {
      result += text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

std::string url_query(const Query& query) {
  std::string text;
  for (const auto& [name, value] : query)
    text += str_cat(text.empty() ? "" : "&", url_encoded(name), "=", url_encoded(value));
  return text;
}

}  // namespace rill::stores
