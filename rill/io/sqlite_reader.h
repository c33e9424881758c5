#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace rill {

// The rows that a query finds in an SQLite database. The database is opened for reading alone. Not
// safe from several threads. Errors name the query or the file.
class SqliteReader {
 public:
  SqliteReader(const std::string& path, const std::string& query);
  ~SqliteReader();
  SqliteReader(const SqliteReader&) = delete;
  SqliteReader& operator=(const SqliteReader&) = delete;

  int column_count() const;
  bool next();  // goes to the next row, from before the first one; false behind the last

  // The row's values, turned into the type that is asked for as SQLite does: what is no number is
  // 0, NULL is 0 or empty.
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // until next(); bytes as they are

 private:
  struct Handles;
  const std::unique_ptr<Handles> handles_;
  const std::string query_;
};

}  // namespace rill
