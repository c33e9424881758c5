#include "rill/base/stores/gcs_upload.h"

#include "rill/base/background.h"
#include "rill/base/blocking.h"
#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/retries.h"
#include "rill/base/stores/settings.h"

namespace rill::stores {
namespace {

std::string description_text(const Json& json, std::string_view name) {
  const Json* const found = json.find(name);
  return found == nullptr ? "" : found->text;
}

// How many bytes the server has: "bytes=0-41" are 42.
std::uint64_t bytes_had(const HttpAnswer& answer) {
  const std::string range = answer.header("range");
  long long last = 0;
  const std::size_t dash = range.rfind('-');
  return dash != range.npos && parse_int(range.substr(dash + 1), &last) && last >= 0
             ? static_cast<std::uint64_t>(last) + 1
             : 0;
}

}  // namespace

ObjectFacts gcs_facts(const HttpAnswer& answer) {
  const Json json = parse_json(answer.body);
  long long size = 0;
  (void)parse_int(description_text(json, "size"), &size);
  return {.size = static_cast<std::uint64_t>(std::max(size, 0LL)),
          .modified_nanos = nanos_of_date(description_text(json, "updated")),
          .version = description_text(json, "generation")};
}

GcsUpload::GcsUpload(GcsClient& client, const Place& place) : client_(client), place_(place) {
  const GcsRequest request{
      .method = "POST",
      .place = place_,
      .path = str_cat("/upload/storage/v1/b/", url_encoded(place_.bucket), "/o"),
      .query = {{"uploadType", "resumable"}, {"name", place_.key}},
      .headers = {"X-Upload-Content-Type: application/octet-stream"}};
  session_ = client_.must(request).header("location");
  if (session_.empty()) raise(Code::kUnavailable, place_.path, "; the server begins no upload");
}

GcsUpload::~GcsUpload() {
  const Blocking others_run;
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return !is_sending_; });
}

void GcsUpload::wait() {
  const Blocking others_run;
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return !is_sending_; });
  if (failure_) std::rethrow_exception(failure_);
}

// The last part has to say so, and nobody knows which one it is until it ends.
void GcsUpload::add(std::string bytes) {
  crc_ = extend_crc32c(crc_, bytes);
  if (is_holding_) begin_sending(std::exchange(held_, {}), /*is_last=*/false);
  held_ = std::move(bytes);
  is_holding_ = true;
}

ObjectFacts GcsUpload::finish() {
  begin_sending(std::exchange(held_, {}), /*is_last=*/true);
  wait();
  const std::string sum = description_text(parse_json(last_.body), "crc32c");
  std::string ours(4, '\0');
  for (int i = 0; i < 4; ++i)
    ours[static_cast<std::size_t>(i)] = static_cast<char>(crc_ >> (24 - 8 * i));
  if (!sum.empty() && sum != base64_text(ours))
    raise(Code::kDataLoss, place_.path, "; other bytes arrived than were sent");
  ObjectFacts facts = gcs_facts(last_);
  facts.size = offset_;
  return facts;
}

void GcsUpload::begin_sending(std::string bytes, bool is_last) {
  wait();
  is_sending_ = true;
  run_in_background([this, bytes = std::move(bytes), is_last] {
    std::exception_ptr failure;
    try {
      send_all(bytes, is_last);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    is_sending_ = false;
    idle_.notify_all();
  });
}

void GcsUpload::send_all(const std::string& bytes, bool is_last) {
  const std::uint64_t begin = offset_, end = begin + bytes.size();
  for (Retries retries;;) {
    try {
      last_ = send_from(offset_, std::string_view(bytes).substr(offset_ - begin), is_last);
    } catch (const Error& error) {
      const bool may_pass =
          error.code() == Code::kUnavailable || error.code() == Code::kDeadlineExceeded;
      if (!may_pass || !retries.again()) throw;
      last_ = ask_how_far();
    }
    const bool is_done = last_.is_good();
    if (is_done != is_last && is_done)
      raise(Code::kUnavailable, place_.path, "; the server ended the upload too early");
    if (last_.status != 308 && !is_done)
      raise(code_of_status(last_.status), place_.path, "; the server has lost the upload");
    const std::uint64_t had = is_done ? end : bytes_had(last_);
    if (had < begin || had > end)
      raise(Code::kUnavailable, place_.path, "; the server has ", had, " bytes of ", end);
    offset_ = had;
    if (had == end && (is_done || !is_last)) return;
    if (!retries.again()) raise(Code::kUnavailable, place_.path, "; the upload does not end");
  }
}

HttpAnswer GcsUpload::send_from(std::uint64_t offset, std::string_view bytes, bool is_last) {
  const std::uint64_t end = offset + bytes.size();
  const std::string whole = is_last ? str_cat(end) : "*";
  const std::string range = bytes.empty() ? str_cat("bytes */", whole)
                                          : str_cat("bytes ", offset, "-", end - 1, "/", whole);
  return client_.send({.method = "PUT",
                       .place = place_,
                       .path = session_,
                       .headers = {"Content-Range: " + range},
                       .body = bytes,
                       .is_once = true});
}

HttpAnswer GcsUpload::ask_how_far() {
  return client_.send({.method = "PUT",
                       .place = place_,
                       .path = session_,
                       .headers = {"Content-Range: bytes */*"}});
}

}  // namespace rill::stores
