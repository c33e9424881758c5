#include "rill/base/stores/s3_store.h"

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/object_files.h"
#include "rill/base/stores/s3_client.h"
#include "rill/base/stores/s3_upload.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostCopied = 5 * 1024 * kMegabyte;  // by one request

std::string copy_source(const Place& place) {
  return str_cat("/", url_encoded(place.bucket), "/", url_encoded(place.key, /*keeps_slash=*/true));
}

std::uint64_t number_of(const std::string& text) {
  long long value = 0;
  return parse_int(text, &value) && value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

class S3Store final : public ObjectStore {
 public:
  std::string scheme() const override { return "S3"; }

  std::optional<ObjectFacts> facts(const Place& place) override {
    const S3Request request{.method = "HEAD", .place = place};
    HttpAnswer answer = head(request);
    if (answer.status == 404) return std::nullopt;
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
    return ObjectFacts{.size = number_of(answer.header("content-length")),
                       .modified_nanos = nanos_of_date(answer.header("last-modified")),
                       .version = answer.header("etag")};
  }

  void read(const Place& place, const std::string& version, std::uint64_t offset,
            std::span<char> out) override {
    const S3Request request{
        .place = place,
        .headers = {{"range", str_cat("bytes=", offset, "-", offset + out.size() - 1)},
                    {"if-match", version}},
        .into = out};
    const HttpAnswer answer = client_.send(request);
    const bool is_same = answer.header("etag").empty() || answer.header("etag") == version;
    if (answer.status == 412 || answer.status == 416 || (answer.is_good() && !is_same))
      raise(Code::kFailedPrecondition, place.path, "; it was replaced while it was read");
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
  }

  ObjectFacts put(const Place& place, std::string_view bytes) override {
    const HttpAnswer answer = must({.method = "PUT", .place = place, .body = bytes});
    return {.size = bytes.size(), .modified_nanos = 0, .version = answer.header("etag")};
  }

  std::unique_ptr<Upload> upload(const Place& place) override {
    return std::make_unique<S3Upload>(client_, place);
  }
  std::unique_ptr<Upload> upload_behind(const Place& place, const ObjectFacts& base) override {
    auto upload = std::make_unique<S3Upload>(client_, place);
    upload->copy(place, base);
    return upload;
  }
  std::uint64_t smallest_base() const override { return 5 * kMegabyte; }  // of a part
  // Ten thousand parts are an object of at most five terabytes.
  std::size_t part_size(std::uint64_t offset) const override {
    return static_cast<std::size_t>(8 * kMegabyte + offset / 2000);
  }

  void copy(const Place& from, const Place& to) override {
    const auto facts = this->facts(from);
    if (!facts) raise(Code::kNotFound, from.path, "; No such file or directory");
    if (facts->size < kMostCopied) {
      must({.method = "PUT", .place = to, .headers = {{"x-amz-copy-source", copy_source(from)}}});
      return;
    }
    S3Upload upload(client_, to);
    upload.copy(from, *facts);
    (void)upload.finish();
  }

  void remove(const Place& place) override {
    (void)client_.send({.method = "DELETE", .place = place});
  }

  void remove_all(const std::string& bucket, std::span<const std::string> keys,
                  const std::string& path) override {
    std::string body = "<Delete><Quiet>true</Quiet>";
    for (const std::string& key : keys)
      body += str_cat("<Object><Key>", xml_escaped(key), "</Key></Object>");
    body += "</Delete>";
    const Place place{bucket, "", path};
    const HttpAnswer answer = must({.method = "POST",
                                    .place = place,
                                    .query = {{"delete", ""}},
                                    .headers = {{"content-md5", base64_text(md5_bytes(body))}},
                                    .body = body,
                                    .names_bucket = true});
    for_each_element(answer.body, "Error", [&](std::string_view error) {
      raise(Code::kPermissionDenied, path, "; ", xml_text(error, "Key"),
            " cannot be removed: ", xml_text(error, "Code"), ": ", xml_text(error, "Message"));
    });
  }

  ListedPage list(const Place& place, bool by_folder, const std::string& from, int most) override {
    Query query{{"list-type", "2"}, {"prefix", place.key}, {"encoding-type", "url"}};
    if (by_folder) query["delimiter"] = "/";
    if (!from.empty()) query["continuation-token"] = from;
    if (most > 0) query["max-keys"] = str_cat(most);
    const HttpAnswer answer = must({.place = place, .query = query, .names_bucket = true});
    const bool is_encoded = xml_text(answer.body, "EncodingType") == "url";
    const auto name = [&](const std::string& text) {
      return is_encoded ? url_decoded(text) : text;
    };
    ListedPage page;
    for_each_element(answer.body, "Contents", [&](std::string_view object) {
      page.objects.push_back(
          {.key = name(xml_text(object, "Key")),
           .facts = {.size = number_of(xml_text(object, "Size")),
                     .modified_nanos = nanos_of_date(xml_text(object, "LastModified")),
                     .version = xml_text(object, "ETag")}});
    });
    for_each_element(answer.body, "CommonPrefixes", [&](std::string_view folder) {
      page.folders.push_back(name(xml_text(folder, "Prefix")));
    });
    page.next = xml_text(answer.body, "NextContinuationToken");
    return page;
  }

  bool has_bucket(const Place& place) override {
    const Query query{{"list-type", "2"}, {"max-keys", "1"}};
    const HttpAnswer answer = client_.send({.place = place, .query = query, .names_bucket = true});
    return answer.is_good();
  }

 private:
  // A good answer, or an error.
  HttpAnswer must(const S3Request& request) {
    HttpAnswer answer = client_.send(request);
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
    return answer;
  }

  // An answer to HEAD does not say what is wrong; one to GET does, and may be mended on the way.
  HttpAnswer head(const S3Request& request) {
    try {
      return client_.send(request);
    } catch (const Error& error) {
      const Code code = error.code();
      if (code == Code::kUnavailable || code == Code::kDeadlineExceeded) throw;
    }
    char byte = 0;
    const HttpAnswer answer = client_.send(
        {.place = request.place, .headers = {{"range", "bytes=0-0"}}, .into = {&byte, 1}});
    if (answer.status == 404) return answer;
    return client_.send(request);
  }

  S3Client client_;
};

}  // namespace

std::unique_ptr<ObjectStore> s3_store() { return std::make_unique<S3Store>(); }

}  // namespace rill::stores

namespace rill {

FileSystem& s3_files() {
  static auto& files = *new stores::ObjectFiles(stores::s3_store());
  return files;
}

}  // namespace rill
