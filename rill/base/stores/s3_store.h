#pragma once

#include <memory>

#include "rill/base/stores/object_store.h"

namespace rill::stores {

// s3://BUCKET/KEY.
std::unique_ptr<ObjectStore> s3_store();

}  // namespace rill::stores
