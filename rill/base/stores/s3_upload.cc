#include "rill/base/stores/s3_upload.h"

#include "rill/base/error.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr std::uint64_t kCopiedAtOnce = std::uint64_t{1} << 30;

}  // namespace

S3Upload::S3Upload(S3Client& client, const Place& place) : client_(client), place_(place) {
  const S3Request request{.method = "POST", .place = place_, .query = {{"uploads", ""}}};
  const HttpAnswer answer = client_.send(request);
  if (!answer.is_good()) client_.raise_answer(request, answer, 1);
  id_ = xml_text(answer.body, "UploadId");
  if (id_.empty()) raise(Code::kUnavailable, place_.path, "; the server begins no upload");
}

S3Upload::~S3Upload() {
  parts_in_flight_.wait();
  if (is_finished_) return;
  try {
    client_.send({.method = "DELETE", .place = place_, .query = {{"uploadId", id_}}});
  } catch (const Error&) {  // the bucket's rules for unfinished uploads remove it
  }
}

Query S3Upload::part_query(int number) const {
  return {{"partNumber", str_cat(number)}, {"uploadId", id_}};
}

void S3Upload::note_part(int number, std::string tag) {
  const std::lock_guard lock(mutex_);
  tags_[number] = std::move(tag);
}

void S3Upload::copy(const Place& from, const ObjectFacts& facts) {
  const std::uint64_t count = (facts.size + kCopiedAtOnce - 1) / kCopiedAtOnce;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = facts.size / count * i;
    const std::uint64_t end = i + 1 == count ? facts.size : facts.size / count * (i + 1);
    const int number = ++parts_;
    const S3Request request{
        .method = "PUT",
        .place = place_,
        .query = part_query(number),
        .headers = {{"x-amz-copy-source", str_cat("/", url_encoded(from.bucket), "/",
                                                  url_encoded(from.key, /*keeps_slash=*/true))},
                    {"x-amz-copy-source-if-match", facts.version},
                    {"x-amz-copy-source-range", str_cat("bytes=", begin, "-", end - 1)}}};
    const HttpAnswer answer = client_.send(request);
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
    note_part(number, xml_text(answer.body, "ETag"));
  }
  size_ += facts.size;
}

void S3Upload::add(std::string bytes) {
  size_ += bytes.size();
  const int number = ++parts_;
  parts_in_flight_.add([this, number, bytes = std::move(bytes)] {
    const S3Request request{
        .method = "PUT", .place = place_, .query = part_query(number), .body = bytes};
    const HttpAnswer answer = client_.send(request);
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
    note_part(number, answer.header("etag"));
  });
}

ObjectFacts S3Upload::finish() {
  parts_in_flight_.finish();
  complete();
  is_finished_ = true;
  return {.size = size_, .modified_nanos = 0, .version = version_};
}

void S3Upload::complete() {
  std::string body = "<CompleteMultipartUpload>";
  for (const auto& [number, tag] : tags_)
    body += str_cat("<Part><PartNumber>", number, "</PartNumber><ETag>", xml_escaped(tag),
                    "</ETag></Part>");
  body += "</CompleteMultipartUpload>";
  const S3Request request{
      .method = "POST", .place = place_, .query = {{"uploadId", id_}}, .body = body};
  const HttpAnswer answer = client_.send(request);
  version_ = xml_text(answer.body, "ETag");
  if (answer.is_good()) return;
  // An answer that was lost on its way: the upload is over, and the object is there.
  const HttpAnswer now = client_.send({.method = "HEAD", .place = place_});
  version_ = now.header("etag");
  const bool is_there = now.is_good() && now.header("content-length") == str_cat(size_) &&
                        version_.ends_with(str_cat("-", parts_, "\""));
  if (!is_there) client_.raise_answer(request, answer, 1);
}

}  // namespace rill::stores
