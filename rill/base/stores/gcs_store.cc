#include <unistd.h>

#include <atomic>

#include "rill/base/clock.h"
#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/json.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/gcs_client.h"
#include "rill/base/stores/gcs_upload.h"
#include "rill/base/stores/object_files.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/side_by_side.h"
#include "rill/base/stores/timed_cache.h"

namespace rill::stores {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

std::string bucket_path(const Place& place) {
  return str_cat("/storage/v1/b/", url_encoded(place.bucket), "/o");
}
std::string gcs_object_path(const Place& place) {
  return str_cat(bucket_path(place), "/", url_encoded(place.key));
}
std::string listed_text(const Json& json, std::string_view name) {
  const Json* const found = json.find(name);
  return found == nullptr ? "" : found->text;
}
const std::vector<Json>& items_of(const Json& json, std::string_view name) {
  static const std::vector<Json>& none = *new std::vector<Json>;
  const Json* const found = json.find(name);
  return found == nullptr ? none : found->items;
}

std::string crc_text(std::string_view bytes) {
  const std::uint32_t crc = extend_crc32c(0, bytes);
  std::string big_endian;
  for (int shift = 24; shift >= 0; shift -= 8) big_endian += static_cast<char>(crc >> shift);
  return base64_text(big_endian);
}

// What goes behind an object: an object of its own, and then both are made one.
class AppendedPart final : public Upload {
 public:
  AppendedPart(GcsClient& client, const Place& place, const ObjectFacts& base)
      : client_(client),
        place_(place),
        base_(base),
        part_(part_place(place)),
        upload_(client, part_) {}
  ~AppendedPart() override {
    if (is_there_) remove_quietly();
  }
  void add(std::string bytes) override { upload_.add(std::move(bytes)); }
  ObjectFacts finish() override {
    const ObjectFacts tail = upload_.finish();
    is_there_ = true;
    const std::string body = str_cat(
        "{\"sourceObjects\":[{\"name\":", json_quoted(place_.key),
        ",\"generation\":", json_quoted(base_.version), "},{\"name\":", json_quoted(part_.key),
        "}],\"destination\":{\"contentType\":\"application/octet-stream\"}}");
    const HttpAnswer answer = client_.must({.method = "POST",
                                            .place = place_,
                                            .path = gcs_object_path(place_) + "/compose",
                                            .query = {{"ifGenerationMatch", base_.version}},
                                            .headers = {"Content-Type: application/json"},
                                            .body = body});
    ObjectFacts facts = gcs_facts(answer);
    facts.size = base_.size + tail.size;
    return facts;
  }

 private:
  static Place part_place(const Place& place) {
    static std::atomic<int> number = 0;
    Place part = place;
    part.key += str_cat(".rill_part_", ::getpid(), "_", wall_micros(), "_", number++);
    return part;
  }
  void remove_quietly() {
    try {
      client_.send({.method = "DELETE", .place = part_, .path = gcs_object_path(part_)});
    } catch (const Error&) {  // an object more
    }
  }

  GcsClient& client_;
  const Place place_;
  const ObjectFacts base_;
  const Place part_;
  GcsUpload upload_;
  bool is_there_ = false;
};

std::int64_t seconds_of(const char* name) {
  return std::int64_t{environment_millis(name, 0, 1000)} * 1'000'000;
}
std::size_t count_of(const char* name) {
  long long count = 0;
  return parse_int(environment_text(name), &count) && count > 0 ? static_cast<std::size_t>(count)
                                                                : 1024;
}

class GcsStore final : public ObjectStore {
 public:
  std::string scheme() const override { return "GCS"; }

  std::optional<ObjectFacts> facts(const Place& place) override {
    return known_facts_.get(str_cat(place.bucket, "/", place.key),
                            [&] { return asked_facts(place); });
  }

  std::optional<ObjectFacts> asked_facts(const Place& place) {
    const GcsRequest request{.place = place,
                             .path = gcs_object_path(place),
                             .query = {{"fields", "size,updated,generation"}}};
    const HttpAnswer answer = client_.send(request);
    if (answer.status == 404) return std::nullopt;
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
    return gcs_facts(answer);
  }

  void read(const Place& place, const std::string& version, std::uint64_t offset,
            std::span<char> out) override {
    const GcsRequest request{
        .place = place,
        .path = gcs_object_path(place),
        .query = {{"alt", "media"}, {"ifGenerationMatch", version}},
        .headers = {str_cat("Range: bytes=", offset, "-", offset + out.size() - 1)},
        .into = out};
    const HttpAnswer answer = client_.send(request);
    const std::string generation = answer.header("x-goog-generation");
    const bool is_same = generation.empty() || generation == version;
    if (answer.status == 412 || answer.status == 416 || (answer.is_good() && !is_same))
      raise(Code::kFailedPrecondition, place.path, "; it was replaced while it was read");
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
  }

  // With its checksum, which the server compares.
  ObjectFacts put(const Place& place, std::string_view bytes) override {
    const Forgets changes(*this);
    const std::string boundary = str_cat("rill", hex_text(sha256_bytes(bytes)));
    const std::string body = str_cat(
        "--", boundary, "\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{\"name\":",
        json_quoted(place.key), ",\"crc32c\":\"", crc_text(bytes), "\"}\r\n--", boundary,
        "\r\nContent-Type: application/octet-stream\r\n\r\n", bytes, "\r\n--", boundary, "--\r\n");
    const HttpAnswer answer =
        client_.must({.method = "POST",
                      .place = place,
                      .path = "/upload" + bucket_path(place),
                      .query = {{"uploadType", "multipart"}},
                      .headers = {str_cat("Content-Type: multipart/related; boundary=", boundary)},
                      .body = body});
    ObjectFacts facts = gcs_facts(answer);
    facts.size = bytes.size();
    return facts;
  }

  std::unique_ptr<Upload> upload(const Place& place) override {
    return forgetting(std::make_unique<GcsUpload>(client_, place));
  }
  std::unique_ptr<Upload> upload_behind(const Place& place, const ObjectFacts& base) override {
    return forgetting(std::make_unique<AppendedPart>(client_, place, base));
  }
  std::uint64_t smallest_base() const override { return kMebibyte; }
  std::size_t part_size(std::uint64_t) const override {
    return static_cast<std::size_t>(8 * kMebibyte);  // a multiple of 256 KiB
  }

  void copy(const Place& from, const Place& to) override {
    const Forgets changes(*this);
    Query query;
    do {
      const HttpAnswer answer =
          client_.must({.method = "POST",
                        .place = from,
                        .path = str_cat(gcs_object_path(from), "/rewriteTo/b/",
                                        url_encoded(to.bucket), "/o/", url_encoded(to.key)),
                        .query = query,
                        .headers = {"Content-Type: application/json"}});
      query["rewriteToken"] = listed_text(parse_json(answer.body), "rewriteToken");
    } while (!query["rewriteToken"].empty());
  }

  void remove(const Place& place) override {
    const Forgets changes(*this);
    (void)client_.send({.method = "DELETE", .place = place, .path = gcs_object_path(place)});
  }
  void remove_all(const std::string& bucket, std::span<const std::string> keys,
                  const std::string& path) override {
    side_by_side(keys.size(), [&](std::size_t i) { remove({bucket, keys[i], path}); });
  }

  ListedPage list(const Place& place, bool by_folder, const std::string& from, int most) override {
    return known_pages_.get(
        str_cat(place.bucket, "/", place.key, "\n", by_folder, from, "\n", most),
        [&] { return asked_page(place, by_folder, from, most); });
  }

  ListedPage asked_page(const Place& place, bool by_folder, const std::string& from, int most) {
    Query query{{"prefix", place.key},
                {"fields", "items(name,size,updated,generation),prefixes,nextPageToken"}};
    if (by_folder) query["delimiter"] = "/";
    if (!from.empty()) query["pageToken"] = from;
    if (most > 0) query["maxResults"] = str_cat(most);
    const HttpAnswer answer =
        client_.must({.place = place, .path = bucket_path(place), .query = query});
    const Json json = parse_json(answer.body);
    ListedPage page;
    for (const Json& item : items_of(json, "items")) {
      long long size = 0;
      (void)parse_int(listed_text(item, "size"), &size);
      page.objects.push_back(
          {.key = listed_text(item, "name"),
           .facts = {.size = static_cast<std::uint64_t>(std::max(size, 0LL)),
                     .modified_nanos = nanos_of_date(listed_text(item, "updated")),
                     .version = listed_text(item, "generation")}});
    }
    for (const Json& prefix : items_of(json, "prefixes")) page.folders.push_back(prefix.text);
    page.next = listed_text(json, "nextPageToken");
    return page;
  }

  bool has_bucket(const Place& place) override {
    return client_
        .send({.place = place, .path = bucket_path(place), .query = {{"maxResults", "1"}}})
        .is_good();
  }

 private:
  // What is known of the store is not, once this process has changed it.
  class Forgets {
   public:
    explicit Forgets(GcsStore& store) : store_(store) {}
    ~Forgets() { store_.forget(); }

   private:
    GcsStore& store_;
  };
  class ForgettingUpload final : public Upload {
   public:
    ForgettingUpload(GcsStore& store, std::unique_ptr<Upload> upload)
        : store_(store), upload_(std::move(upload)) {}
    void add(std::string bytes) override { upload_->add(std::move(bytes)); }
    ObjectFacts finish() override {
      const Forgets changes(store_);
      return upload_->finish();
    }

   private:
    GcsStore& store_;
    const std::unique_ptr<Upload> upload_;
  };
  std::unique_ptr<Upload> forgetting(std::unique_ptr<Upload> upload) {
    return std::make_unique<ForgettingUpload>(*this, std::move(upload));
  }
  void forget() {
    known_facts_.clear();
    known_pages_.clear();
  }

  GcsClient client_;
  // As TensorFlow has them, but for the first one's default age, which is five seconds there.
  TimedCache<std::optional<ObjectFacts>> known_facts_{seconds_of("GCS_STAT_CACHE_MAX_AGE"),
                                                      count_of("GCS_STAT_CACHE_MAX_ENTRIES")};
  TimedCache<ListedPage> known_pages_{seconds_of("GCS_MATCHING_PATHS_CACHE_MAX_AGE"),
                                      count_of("GCS_MATCHING_PATHS_CACHE_MAX_ENTRIES")};
};

// GCS_READ_CACHE_BLOCK_SIZE_MB is the largest piece that is read ahead, GCS_READ_CACHE_MAX_SIZE_MB
// what is kept of a file (GCS_READ_CACHE_DISABLED: as little as can be),
// GCS_READAHEAD_BUFFER_SIZE_BYTES the smallest piece.
ReadAhead gcs_read_ahead() {
  ReadAhead ahead;
  const auto environment_size = [](const char* name, std::uint64_t unit, std::uint64_t* value) {
    long long number = 0;
    if (parse_int(environment_text(name), &number) && number > 0)
      *value = std::min<std::uint64_t>(static_cast<std::uint64_t>(number), 1 << 30) * unit;
  };
  environment_size("GCS_READ_CACHE_BLOCK_SIZE_MB", kMebibyte, &ahead.largest_piece);
  environment_size("GCS_READ_CACHE_MAX_SIZE_MB", kMebibyte, &ahead.kept);
  environment_size("GCS_READAHEAD_BUFFER_SIZE_BYTES", 1, &ahead.smallest_piece);
  if (!environment_text("GCS_READ_CACHE_DISABLED").empty()) ahead.kept = 0;
  ahead.smallest_piece = std::min(ahead.smallest_piece, ahead.largest_piece);
  ahead.kept = std::max(ahead.kept, 4 * ahead.smallest_piece);
  return ahead;
}

}  // namespace
}  // namespace rill::stores

namespace rill {

FileSystem& gcs_files() {
  static auto& files =
      *new stores::ObjectFiles(std::make_unique<stores::GcsStore>(), stores::gcs_read_ahead());
  return files;
}

}  // namespace rill
