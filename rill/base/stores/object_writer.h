#pragma once

#include <memory>
#include <optional>
#include <string>

#include "rill/base/file_system.h"
#include "rill/base/stores/object_store.h"

namespace rill::stores {

// A file that is written to an object store. The object appears, or changes, at flush() and at
// close(), with all that was appended until then; in between large files go out in parts. A writer
// that goes away by an exception leaves what was there.
std::unique_ptr<WritableFile> write_object(ObjectStore& store, const Place& place, WriteMode mode);

}  // namespace rill::stores
