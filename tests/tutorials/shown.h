#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "rill/rill.h"

// What a tutorial prints: "name: value value ...", as shown.py does.
inline void show(const std::string& name, const rill::Tensor& value) {
  std::printf("%s:", name.c_str());
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    switch (value.dtype()) {
      case rill::DType::f32:
        std::printf(" %.4g", value.flat<float>()[at] + 0.0f);
        break;
      case rill::DType::f64:
        std::printf(" %.4g", value.flat<double>()[at] + 0.0);
        break;
      case rill::DType::i32:
        std::printf(" %d", value.flat<std::int32_t>()[at]);
        break;
      case rill::DType::i64:
        std::printf(" %lld", static_cast<long long>(value.flat<std::int64_t>()[at]));
        break;
      case rill::DType::boolean:
        std::printf(" %d", value.flat<bool>()[at] ? 1 : 0);
        break;
      default:
        std::printf(" %s", value.flat<std::string>()[at].c_str());
    }
  }
  std::printf("\n");
}

// Empty, and of this program alone.
inline std::string temporary_folder(const std::string& name) {
  const auto folder = std::filesystem::temp_directory_path() / ("rill_tutorial_" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}
