#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/stores/azure_client.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/object_files.h"
#include "rill/base/stores/parts_in_flight.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/side_by_side.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

std::uint64_t size_of_text(const std::string& text) {
  long long value = 0;
  return parse_int(text, &value) && value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

// Lists give tags with and without quotation marks.
std::string bare_tag(std::string tag) {
  std::erase(tag, '"');
  return tag;
}
std::string quoted_tag(const std::string& tag) { return str_cat("\"", tag, "\""); }

ObjectFacts azure_facts(const HttpAnswer& answer) {
  return {.size = size_of_text(answer.header("content-length")),
          .modified_nanos = nanos_of_date(answer.header("last-modified")),
          .version = bare_tag(answer.header("etag"))};
}

// A blob as a list of blocks, several on their way at once. Blocks that no list names are removed
// by the service after a week.
class AzureUpload final : public Upload {
 public:
  AzureUpload(const AzureClient& client, const Place& place) : client_(client), place_(place) {}

  // Goes on behind what is there: its blocks stay. Those of somebody else's making, or a blob that
  // has none, are sent anew.
  void keep(const ObjectFacts& base) {
    const HttpAnswer answer = client_.must(
        {.place = place_, .query = {{"comp", "blocklist"}, {"blocklisttype", "committed"}}});
    std::uint64_t size = 0;
    for_each_element(answer.body, "Block", [&](std::string_view block) {
      names_.push_back(xml_text(block, "Name"));
      size += size_of_text(xml_text(block, "Size"));
    });
    const bool is_ours = std::ranges::all_of(
        names_, [](const std::string& name) { return name.size() == block_name(0).size(); });
    if (size != base.size || !is_ours) send_anew(base);
    size_ = base.size;
    base_ = base.version;
  }

  void add(std::string bytes) override {
    size_ += bytes.size();
    names_.push_back(new_name());
    in_flight_.add([this, name = names_.back(), bytes = std::move(bytes)] {
      client_.must({.method = "PUT",
                    .place = place_,
                    .query = {{"comp", "block"}, {"blockid", name}},
                    .body = bytes});
    });
  }

  ObjectFacts finish() override {
    in_flight_.finish();
    std::string body = "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>";
    for (const std::string& name : names_) body += str_cat("<Latest>", name, "</Latest>");
    body += "</BlockList>";
    AzureRequest request{
        .method = "PUT", .place = place_, .query = {{"comp", "blocklist"}}, .body = body};
    if (!base_.empty()) request.headers["if-match"] = quoted_tag(base_);
    ObjectFacts facts = azure_facts(client_.must(request));
    facts.size = size_;
    return facts;
  }

 private:
  static std::string block_name(std::uint64_t number) {
    std::string text = str_cat(number);
    return base64_text(str_cat("rill", std::string(20 - text.size(), '0'), text));
  }
  std::string new_name() {
    if (taken_.empty()) taken_.insert(names_.begin(), names_.end());
    std::string name = block_name(next_++);
    while (!taken_.insert(name).second) name = block_name(next_++);
    return name;
  }
  void send_anew(const ObjectFacts& base) {
    names_.clear();
    taken_.clear();
    for (std::uint64_t at = 0; at < base.size; at += 4 * kMib) {
      std::string bytes(std::min(4 * kMib, base.size - at), '\0');
      client_.must({.place = place_,
                    .headers = {{"x-ms-range", str_cat("bytes=", at, "-", at + bytes.size() - 1)},
                                {"if-match", quoted_tag(base.version)}},
                    .into = bytes});
      add(std::move(bytes));
    }
  }

  const AzureClient& client_;
  const Place place_;
  std::vector<std::string> names_;
  std::set<std::string> taken_;
  std::uint64_t next_ = 0, size_ = 0;
  std::string base_;
  PartsInFlight in_flight_;  // which use the rest
};

// The first part of a path is the account, the second the container.
class AzureStore final : public ObjectStore {
 public:
  std::string scheme() const override { return "Azure"; }

  std::optional<ObjectFacts> facts(const Place& place) override {
    if (blob_of(place).empty()) return std::nullopt;  // a container
    const AzureRequest request{.method = "HEAD", .place = place};
    const HttpAnswer answer = client_.send(request);
    if (answer.status == 404) return std::nullopt;
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
    return azure_facts(answer);
  }

  void read(const Place& place, const std::string& version, std::uint64_t offset,
            std::span<char> out) override {
    const AzureRequest request{
        .place = place,
        .headers = {{"x-ms-range", str_cat("bytes=", offset, "-", offset + out.size() - 1)},
                    {"if-match", quoted_tag(version)}},
        .into = out};
    const HttpAnswer answer = client_.send(request);
    if (answer.status == 412 || answer.status == 416)
      raise(Code::kFailedPrecondition, place.path, "; it was replaced while it was read");
    if (!answer.is_good()) client_.raise_answer(request, answer, 1);
  }

  ObjectFacts put(const Place& place, std::string_view bytes) override {
    require_blob(place);
    const HttpAnswer answer =
        client_.must({.method = "PUT",
                      .place = place,
                      .headers = {{"x-ms-blob-type", "BlockBlob"},
                                  {"content-md5", base64_text(md5_bytes(bytes))}},
                      .body = bytes});
    ObjectFacts facts = azure_facts(answer);
    facts.size = bytes.size();
    return facts;
  }

  std::unique_ptr<Upload> upload(const Place& place) override {
    require_blob(place);
    return std::make_unique<AzureUpload>(client_, place);
  }
  std::unique_ptr<Upload> upload_behind(const Place& place, const ObjectFacts& base) override {
    auto upload = std::make_unique<AzureUpload>(client_, place);
    upload->keep(base);
    return upload;
  }
  std::uint64_t smallest_base() const override { return 4 * kMib; }
  // Fifty thousand blocks are a blob of at most 190 terabytes.
  std::size_t part_size(std::uint64_t offset) const override {
    return static_cast<std::size_t>(8 * kMib + offset / 10'000);
  }

  void copy(const Place& from, const Place& to) override {
    require_blob(to);
    if (!facts(from)) raise(Code::kNotFound, from.path, "; No such file or directory");
    HttpAnswer answer = client_.must({.method = "PUT",
                                      .place = to,
                                      .headers = {{"x-ms-copy-source", client_.address_of(from)}}});
    constexpr auto kPause = std::chrono::milliseconds(200);
    while (answer.header("x-ms-copy-status") == "pending") {
      std::this_thread::sleep_for(kPause);
      answer = client_.must({.method = "HEAD", .place = to});
    }
    if (const std::string status = answer.header("x-ms-copy-status"); status != "success")
      raise(Code::kUnavailable, to.path, "; the copy of ", from.path, " ended as '", status, "'");
  }

  void remove(const Place& place) override {
    require_blob(place);
    (void)client_.send({.method = "DELETE", .place = place});
  }
  void remove_all(const std::string& bucket, std::span<const std::string> keys,
                  const std::string& path) override {
    side_by_side(keys.size(), [&](std::size_t i) {
      const Place place{bucket, keys[i], path};
      if (!blob_of(place).empty()) remove(place);  // the container stays
    });
  }

  ListedPage list(const Place& place, bool by_folder, const std::string& from, int most) override {
    Query query{{"restype", "container"}, {"comp", "list"}};
    if (!blob_of(place).empty()) query["prefix"] = blob_of(place);
    if (by_folder) query["delimiter"] = "/";
    if (!from.empty()) query["marker"] = from;
    if (most > 0) query["maxresults"] = str_cat(most);
    const HttpAnswer answer =
        client_.send({.place = place, .query = query, .names_container = true});
    ListedPage page;
    if (answer.status == 404) return page;  // no such container: nothing is in it
    const std::string container = container_of(place) + "/";
    for_each_element(answer.body, "Blob", [&](std::string_view blob) {
      page.objects.push_back(
          {.key = container + xml_text(blob, "Name"),
           .facts = {.size = size_of_text(xml_text(blob, "Content-Length")),
                     .modified_nanos = nanos_of_date(xml_text(blob, "Last-Modified")),
                     .version = bare_tag(xml_text(blob, "Etag"))}});
    });
    for_each_element(answer.body, "BlobPrefix", [&](std::string_view folder) {
      page.folders.push_back(container + xml_text(folder, "Name"));
    });
    page.next = xml_text(answer.body, "NextMarker");
    // A container is a directory also when nothing is in it.
    if (blob_of(place).empty() && page.objects.empty() && page.folders.empty())
      page.objects.push_back({.key = container, .facts = {}});
    return page;
  }

  // An account is there when somebody answers.
  bool has_bucket(const Place& place) override { return !place.bucket.empty(); }

 private:
  static void require_blob(const Place& place) {
    require(!blob_of(place).empty(), "Azure path doesn't contain an object name: ", place.path,
            "; it is az://ACCOUNT/CONTAINER/NAME, and containers are neither made nor removed");
  }

  const AzureClient client_;
};

}  // namespace
}  // namespace rill::stores

namespace rill {

FileSystem& azure_files() {
  static auto& files =
      *new stores::ObjectFiles(std::make_unique<stores::AzureStore>(), stores::ReadAhead());
  return files;
}

}  // namespace rill
