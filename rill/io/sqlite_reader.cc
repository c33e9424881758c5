#include "rill/io/sqlite_reader.h"

#include <sqlite3.h>

#include "rill/base/error.h"

namespace rill {

struct SqliteReader::Handles {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  ~Handles() {
    sqlite3_finalize(statement);
    sqlite3_close(database);
  }
};

namespace {

// What SQLite says of its last failure.
std::string reason(sqlite3* database, int code) {
  return database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database);
}

Code code_of(int code) {
  switch (code & 0xff) {
    case SQLITE_CANTOPEN:
      return Code::kNotFound;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return Code::kPermissionDenied;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Code::kDataLoss;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Code::kUnavailable;
    case SQLITE_NOMEM:
    case SQLITE_FULL:
      return Code::kResourceExhausted;
    default:
      return Code::kUnknown;
  }
}

}  // namespace

SqliteReader::SqliteReader(const std::string& path, const std::string& query)
    : handles_(std::make_unique<Handles>()), query_(query) {
  const int opened =
      sqlite3_open_v2(path.c_str(), &handles_->database, SQLITE_OPEN_READONLY, nullptr);
  if (opened != SQLITE_OK)
    raise(code_of(opened), "Failed to connect to database: [", opened, "] ",
          reason(handles_->database, opened), ": ", path);
  const int prepared =
      sqlite3_prepare_v2(handles_->database, query.c_str(), -1, &handles_->statement, nullptr);
  if (prepared != SQLITE_OK)
    raise(code_of(prepared), "Prepare() failed: [", prepared, "] ",
          reason(handles_->database, prepared), ": ", query);
}

SqliteReader::~SqliteReader() = default;

int SqliteReader::column_count() const { return sqlite3_column_count(handles_->statement); }

bool SqliteReader::next() {
  if (handles_->statement == nullptr) return false;  // the query was empty
  const int stepped = sqlite3_step(handles_->statement);
  if (stepped == SQLITE_ROW) return true;
  if (stepped == SQLITE_DONE) return false;
  raise(code_of(stepped), "Step() failed: [", stepped, "] ", reason(handles_->database, stepped),
        ": ", query_);
}

std::int64_t SqliteReader::integer(int column) const {
  return sqlite3_column_int64(handles_->statement, column);
}

double SqliteReader::real(int column) const {
  return sqlite3_column_double(handles_->statement, column);
}

std::string_view SqliteReader::text(int column) const {
  const auto* const bytes =
      static_cast<const char*>(sqlite3_column_blob(handles_->statement, column));
  const int size = sqlite3_column_bytes(handles_->statement, column);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<std::size_t>(size));
}

}  // namespace rill
