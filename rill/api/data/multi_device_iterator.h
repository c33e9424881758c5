#pragma once

#include <string>
#include <vector>

#include "rill/api/data/iterator.h"

namespace rill::data {

struct MultiDeviceIteratorOptions {
  std::int64_t max_buffer_size = 1;       // elements that wait for all devices together
  std::int64_t prefetch_buffer_size = 1;  // and for each of them
  std::string source_device = "/cpu:0";
};

// Deals the elements of a dataset out to devices: the first one gets the first, the second one the
// second, and so on in turn. The initializer begins all of them. Throws InvalidArgument without
// devices.
class MultiDeviceIterator {
 public:
  MultiDeviceIterator(const Dataset& dataset, std::vector<std::string> devices,
                      const MultiDeviceIteratorOptions& options = {});

  Node& initializer() const { return *initializer_; }
  const ElementSpec& element() const { return element_; }
  std::size_t device_count() const { return devices_.size(); }
  // The next element of one device; throws InvalidArgument where there is no such device.
  Components get_next(std::size_t device) const;
  Components get_next(const std::string& device) const;

 private:
  std::vector<std::string> devices_;
  ElementSpec element_;
  std::vector<Iterator> iterators_;
  NodePtr initializer_;
};

}  // namespace rill::data
