#include "rill/io/bundle_index.h"

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/io/bundle_format.h"
#include "rill/io/parse_message.h"
#include "rill/io/table_reader.h"
#include "rill/io/table_writer.h"

namespace rill {
namespace {

void check_version(const tensorflow::VersionDef& version, const std::string& path) {
  require(version.producer() >= 0, path, " has a negative producer version, ", version.producer());
  require(version.min_consumer() <= kBundleVersion, path, " needs a reader of version ",
          version.min_consumer(), ", this one is of version ", kBundleVersion);
  for (const int bad : version.bad_consumers())
    require(bad != kBundleVersion, path, " must not be read by readers of version ", bad);
}

template <class Message>
void parse_value(const TableReader& table, Message* message, const char* what) {
  if (!parse_message(table.value(), message))
    raise(Code::kDataLoss, "cannot parse the ", what, " of ", quoted(table.key()), " in ",
          table.path());
}

}  // namespace

BundleIndex read_bundle_index(const std::string& prefix) {
  const std::string path = bundle_index_path(prefix);
  TableReader table(file_system_of(path).open(path));
  BundleIndex index;
  table.first();
  if (!table.valid() || table.key() != kBundleHeaderKey)
    raise(Code::kDataLoss, path, " does not begin with a header");
  parse_value(table, &index.header, "header");
  check_version(index.header.version(), path);
  if (index.header.num_shards() < 0)
    raise(Code::kDataLoss, path, " tells of ", index.header.num_shards(), " shards");
  for (table.next(); table.valid(); table.next())
    parse_value(table, &index.entries[table.key()], "entry");
  return index;
}

void write_bundle_index(const std::string& prefix, const BundleIndex& index) {
  const std::string path = bundle_index_path(prefix), temporary = temporary_path(path);
  FileSystem& files = file_system_of(path);
  try {
    const auto file = files.create(temporary, WriteMode::truncate);
    TableWriter table(*file);
    table.add(kBundleHeaderKey, index.header.SerializeAsString());
    for (const auto& [key, entry] : index.entries) table.add(key, entry.SerializeAsString());
    table.finish();
    sync_written(*file);
    file->close();
    files.rename(temporary, path);
  } catch (const Error&) {
    try {
      files.remove_file(temporary);
    } catch (const Error&) {  // the first error is the one to tell
    }
    throw;
  }
}

}  // namespace rill
