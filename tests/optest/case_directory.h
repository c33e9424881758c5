#pragma once

#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// The directory that $TMP stands for in rows; it goes away with this object. Without one, $TMP
// stands for itself: exported rows name no directory.
class CaseDirectory {
 public:
  CaseDirectory();
  ~CaseDirectory();
  CaseDirectory(const CaseDirectory&) = delete;
  CaseDirectory& operator=(const CaseDirectory&) = delete;
};

const std::string& case_directory();
void empty_case_directory();

// With $TMP in place of the directory, as goldens have it.
std::string without_case_directory(const std::string& text);
Tensor without_case_directory(const Tensor& value);

}  // namespace rill
