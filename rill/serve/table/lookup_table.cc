#include "rill/serve/table/lookup_table.h"

#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::serve {
namespace {

class TableLoader : public Loader {
 public:
  TableLoader(std::string path, TableFormat format) : path_(std::move(path)), format_(format) {}
  std::shared_ptr<Servable> load() override {
    auto table = std::make_shared<LookupTable>();
    table->entries = read_lookup(path_, format_);
    return table;
  }
  bool may_be_quiet() const override { return true; }

 private:
  const std::string path_;
  const TableFormat format_;
};

}  // namespace

Lookup read_lookup(const std::string& path, TableFormat) {
  Lookup entries;
  const std::string text = read_file(path);
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t comma = line.find(',');
    require(comma != line.npos && line.find(',', comma + 1) == line.npos,
            "Unexpected format: line ", number, " of ", path, " is not key,value");
    const std::string value(line.substr(comma + 1));
    const auto [entry, is_new] = entries.emplace(line.substr(0, comma), value);
    require(is_new || entry->second == value, "Line ", number, " of ", path, " has another value",
            " for ", entry->first);
  }
  return entries;
}

LookupTableAdapter::LookupTableAdapter(int format) : format_(static_cast<TableFormat>(format)) {
  require(format_ == TableFormat::kSimpleCsv, "There is no format ", format, " of look-up tables");
}

LoaderRef LookupTableAdapter::adapt(const ServableId&, std::string path) {
  return std::make_shared<TableLoader>(std::move(path), format_);
}

}  // namespace rill::serve
