#include "rill/base/stores/webhdfs.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/stores/range_reader.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/webhdfs_client.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr std::size_t kHdfsBuffer = std::size_t{8} << 20;

// A path and who answers for it.
struct HdfsPlace {
  WebHdfsClient& client;
  std::string path, at;
};

std::int64_t number_in(const Json& json, std::string_view name) {
  const Json* const found = json.find(name);
  long long value = 0;
  return found != nullptr && found->is_count(&value) ? value : 0;
}

bool is_true(const Json& json) {
  const Json* const found = json.find("boolean");
  return found == nullptr || found->boolean;  // some operations answer nothing
}

FileFacts status_facts(const Json& status) {
  const Json* const type = status.find("type");
  return {.size = static_cast<std::uint64_t>(number_in(status, "length")),
          .modified_nanos = number_in(status, "modificationTime") * 1'000'000,
          .is_directory = type != nullptr && type->text == "DIRECTORY"};
}

FileFacts hdfs_facts(const HdfsPlace& place) {
  const Json json =
      place.client.ask({.path = place.path, .at = place.at, .operation = "GETFILESTATUS"});
  const Json* const status = json.find("FileStatus");
  if (status == nullptr)
    raise(Code::kUnavailable, place.path, "; the server does not tell the file's status");
  return status_facts(*status);
}

// Files there change by growing only; one that was replaced has another time or is smaller.
class HdfsSource final : public RangeSource {
 public:
  explicit HdfsSource(const HdfsPlace& place) : place_(place) {}
  ObjectFacts facts() const override {
    const FileFacts facts = hdfs_facts(place_);
    return {facts.size, facts.modified_nanos, str_cat(facts.modified_nanos)};
  }
  void read(const std::string&, std::uint64_t offset, std::span<char> out) const override {
    place_.client.send({.path = place_.path,
                        .at = place_.at,
                        .operation = "OPEN",
                        .query = {{"offset", str_cat(offset)}, {"length", str_cat(out.size())}},
                        .into = out});
  }

 private:
  const HdfsPlace place_;
};

class HdfsWriter final : public WritableFile {
 public:
  HdfsWriter(const HdfsPlace& place, WriteMode mode) : WritableFile(place.path), place_(place) {
    if (mode == WriteMode::append) {
      try {
        written_ = hdfs_facts(place_).size;
        return;
      } catch (const Error& error) {
        if (error.code() != Code::kNotFound) throw;
      }
    }
    place_.client.send({.method = "PUT",
                        .path = place_.path,
                        .at = place_.at,
                        .operation = "CREATE",
                        .query = {{"overwrite", "true"}}});
  }
  ~HdfsWriter() override {
    try {
      close();
    } catch (...) {  // who wants to know calls close()
    }
  }
  void append(std::string_view bytes) override {
    check_open();
    buffer_.append(bytes);
    if (buffer_.size() >= kHdfsBuffer) flush();
  }
  void flush() override {
    check_open();
    if (buffer_.empty()) return;
    try {
      send();
    } catch (...) {
      buffer_.clear();
      throw;
    }
    written_ += buffer_.size();
    buffer_.clear();
  }
  void sync() override { flush(); }
  void close() override {
    if (is_closed_) return;
    flush();
    is_closed_ = true;
  }

 private:
  void check_open() const {
    if (is_closed_) raise(Code::kFailedPrecondition, path(), " is closed");
  }
  // Nobody knows of a request that broke whether it was done; the file's size tells.
  void send() {
    for (int tries = 0;; ++tries) {
      try {
        place_.client.send({.method = "POST",
                            .path = place_.path,
                            .at = place_.at,
                            .operation = "APPEND",
                            .body = buffer_,
                            .is_once = true});
        return;
      } catch (const Error& error) {
        const bool may_pass =
            error.code() == Code::kUnavailable || error.code() == Code::kDeadlineExceeded;
        const std::uint64_t size = may_pass ? hdfs_facts(place_).size : 0;
        if (may_pass && size == written_ + buffer_.size()) return;
        if (!may_pass || size != written_ || tries == 5) throw;
      }
    }
  }

  const HdfsPlace place_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  bool is_closed_ = false;
};

class WebHdfsFiles final : public FileSystem {
 public:
  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    const HdfsPlace place = place_of(path);
    if (hdfs_facts(place).is_directory) raise(Code::kFailedPrecondition, path, "; Is a directory");
    auto source = std::make_shared<HdfsSource>(place);
    const ObjectFacts facts = source->facts();
    return open_ranges(path, std::move(source), facts);
  }
  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) override {
    return std::make_unique<HdfsWriter>(place_of(path), mode);
  }
  FileFacts facts(const std::string& path) override { return hdfs_facts(place_of(path)); }

  std::vector<NamedFacts> list_with_facts(const std::string& directory) override {
    const HdfsPlace place = place_of(directory);
    if (!hdfs_facts(place).is_directory)
      raise(Code::kFailedPrecondition, directory, "; Not a directory");
    std::vector<NamedFacts> found;
    Query query;
    for (bool is_more = true; is_more;) {
      const Json json = place.client.ask(
          {.path = place.path, .at = place.at, .operation = "LISTSTATUS_BATCH", .query = query});
      const Json* const list = json.find("DirectoryListing");
      const Json* const part = list == nullptr ? nullptr : list->find("partialListing");
      const Json* const statuses = part == nullptr ? nullptr : part->find("FileStatuses");
      const Json* const items = statuses == nullptr ? nullptr : statuses->find("FileStatus");
      if (items == nullptr) raise(Code::kUnavailable, directory, "; the server's list has no form");
      for (const Json& item : items->items) {
        const Json* const name = item.find("pathSuffix");
        if (name != nullptr && !name->text.empty())
          found.push_back({name->text, status_facts(item)});
      }
      is_more = number_in(*list, "remainingEntries") > 0 && !items->items.empty();
      if (is_more) query["startAfter"] = found.back().name;
    }
    std::ranges::sort(found, {}, &NamedFacts::name);
    return found;
  }
  std::vector<std::string> list(const std::string& directory) override {
    std::vector<std::string> names;
    for (NamedFacts& found : list_with_facts(directory)) names.push_back(std::move(found.name));
    return names;
  }

  void remove_file(const std::string& path) override {
    if (facts(path).is_directory) raise(Code::kFailedPrecondition, path, "; Is a directory");
    remove(path, "false");
  }
  void remove_directory(const std::string& path) override {
    if (!facts(path).is_directory) raise(Code::kFailedPrecondition, path, "; Not a directory");
    if (!list(path).empty()) raise(Code::kFailedPrecondition, path, "; Directory not empty");
    remove(path, "false");
  }
  bool remove_below(const std::string& directory) override {
    remove(directory, "true");
    return true;
  }
  void make_directory(const std::string& path) override {
    const HdfsPlace place = place_of(path);
    try {
      (void)hdfs_facts(place);
    } catch (const Error& error) {
      if (error.code() != Code::kNotFound) throw;
      if (!is_true(place.client.ask(
              {.method = "PUT", .path = place.path, .at = place.at, .operation = "MKDIRS"})))
        raise(Code::kFailedPrecondition, path, "; the directory cannot be made");
      return;
    }
    raise(Code::kAlreadyExists, path, "; File exists");
  }
  void rename(const std::string& from, const std::string& to) override {
    const HdfsPlace place = place_of(from), target = place_of(to);
    const bool is_done = is_true(
        place.client.ask({.method = "PUT",
                          .path = place.path,
                          .at = place.at,
                          .operation = "RENAME",
                          .query = {{"destination", target.at}, {"renameoptions", "OVERWRITE"}}}));
    if (!is_done) raise(Code::kFailedPrecondition, from, "; cannot be renamed to ", to);
  }

 private:
  HdfsPlace place_of(const std::string& path) {
    const std::string_view scheme = scheme_of(path);
    const std::string_view rest = std::string_view(path).substr(scheme.size() + 3);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string authority(rest.substr(0, slash));
    std::string at(rest.substr(slash));
    while (at.size() > 1 && at.ends_with('/')) at.pop_back();
    return {client_of(scheme, authority), path, at.empty() ? "/" : at};
  }
  WebHdfsClient& client_of(std::string_view scheme, const std::string& authority) {
    const std::lock_guard lock(mutex_);
    auto& client = clients_[str_cat(scheme, "://", authority)];
    if (client == nullptr)
      client = std::make_unique<WebHdfsClient>(
          scheme == "webhdfs"    ? std::vector{"http://" + authority}
          : scheme == "swebhdfs" ? std::vector{"https://" + authority}
                                 : name_nodes_of_hdfs(authority));
    return *client;
  }
  void remove(const std::string& path, const char* recursive) {
    const HdfsPlace place = place_of(path);
    if (!is_true(place.client.ask({.method = "DELETE",
                                   .path = place.path,
                                   .at = place.at,
                                   .operation = "DELETE",
                                   .query = {{"recursive", recursive}}})))
      raise(Code::kNotFound, path, "; No such file or directory");
  }

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<WebHdfsClient>> clients_;  // never removed
};

}  // namespace

std::vector<std::string> name_nodes_of_hdfs(const std::string& authority) {
  const std::string home = environment_text("HADOOP_HOME");
  const std::string folder =
      environment_text("HADOOP_CONF_DIR", home.empty() ? "" : (home + "/etc/hadoop").c_str());
  std::map<std::string, std::string> settings;
  for (const char* file : {"/core-site.xml", "/hdfs-site.xml"})
    for_each_element(small_file(folder.empty() ? "" : folder + file).value_or(""), "property",
                     [&](std::string_view property) {
                       settings[xml_text(property, "name")] = xml_text(property, "value");
                     });
  std::string service = authority;
  if (service.empty()) {  // the default file system
    const std::string& given = settings["fs.defaultFS"];
    service = given.substr(std::min(scheme_of(given).size() + 3, given.size()));
    service = service.substr(0, service.find('/'));
  }
  std::vector<std::string> nodes;
  for (const std::string_view node : split(settings["dfs.ha.namenodes." + service], ','))
    if (const std::string& address =
            settings[str_cat("dfs.namenode.http-address.", service, ".", strip(node))];
        !address.empty())
      nodes.push_back("http://" + address);
  if (nodes.empty() && !settings["dfs.namenode.http-address"].empty())
    nodes.push_back("http://" + settings["dfs.namenode.http-address"]);
  require(!nodes.empty() || !service.empty(),
          "hdfs:/// is the default file system of Hadoop's core-site.xml, which HADOOP_CONF_DIR "
          "does not name");
  if (nodes.empty())
    nodes.push_back(str_cat("http://", service.substr(0, service.find(':')), ":9870"));
  return nodes;
}

std::unique_ptr<FileSystem> make_webhdfs_files() { return std::make_unique<WebHdfsFiles>(); }

}  // namespace rill::stores

namespace rill {

FileSystem& webhdfs_files() {
  static auto& files = *stores::make_webhdfs_files().release();
  return files;
}

}  // namespace rill
