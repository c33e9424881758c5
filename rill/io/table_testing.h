#pragma once

// For tests alone: tables written in one go, and bytes in a form that a test can state.
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

#include "rill/base/file_system.h"
#include "rill/io/table_writer.h"

namespace rill {

inline void write_table(const std::string& path, const std::map<std::string, std::string>& entries,
                        const TableWriterOptions& options = {}) {
  const auto file = ram_files().create(path, WriteMode::truncate);
  TableWriter writer(*file, options);
  for (const auto& [key, value] : entries) writer.add(key, value);
  writer.finish();
  file->close();
}

inline std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(c));
    text += digits;
  }
  return text;
}

}  // namespace rill
