#pragma once

#include <string>
#include <unordered_map>

#include "rill/serve/core/source.h"

namespace rill::serve {

using Lookup = std::unordered_map<std::string, std::string>;

// The numbers are HashmapSourceAdapterConfig.Format's.
enum class TableFormat { kSimpleCsv = 0 };

// Reads a file of lines "key,value"; empty lines mean nothing. Throws InvalidArgument naming the
// line that has another form, or another value for a key that was there before.
Lookup read_lookup(const std::string& path, TableFormat format = TableFormat::kSimpleCsv);

// A table that programs look things up in.
struct LookupTable : Servable {
  Lookup entries;
};

class LookupTableAdapter : public PathAdapter {
 public:
  // Throws InvalidArgument for a format that does not exist.
  explicit LookupTableAdapter(int format);

 protected:
  LoaderRef adapt(const ServableId& id, std::string path) override;

 private:
  const TableFormat format_;
};

}  // namespace rill::serve
