#pragma once

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "rill/tensor/resource_handle.h"
#include "rill/tensor/tensor.h"

namespace rill {

// A list of tensors that a step fills and reads by position. Each element is written once, except
// in an array of gradients, which sums what is written. Safe from several threads. Everything here
// throws InvalidArgument in TensorFlow's words.
class TensorArrayResource final : public Resource {
 public:
  struct Options {
    std::string name;  // for messages
    DType dtype = DType::invalid;
    PartialShape element_shape = {};        // what every element must fit
    bool identical_element_shapes = false;  // the first element decides for all
    bool dynamic_size = false;              // writing past the end makes the array longer
    bool clear_after_read = true;           // an element is given up once it was read
    bool sums_writes = false;               // it holds gradients
  };
  static constexpr const char* kTypeName = "tensorflow::TensorArray";

  TensorArrayResource(Options options, std::int64_t size)
      : options_(std::move(options)), size_(size) {}

  const std::string& name() const { return options_.name; }
  DType dtype() const { return options_.dtype; }
  bool holds_gradients() const { return options_.sums_writes; }
  std::int64_t size() const;
  bool dynamic_size() const;

  // Value i goes to indices[i].
  void write(std::span<const std::int32_t> indices, std::span<const Tensor> values);
  Tensor read(std::int64_t index);
  std::vector<Tensor> read(std::span<const std::int32_t> indices);
  std::vector<Tensor> read_all();
  void close();

  // The array of gradients for `source`, made when first asked for: as long as this one, and with
  // zeros of the same shapes (behind `prefix`) where this one has elements. From then on this one
  // no longer grows.
  std::shared_ptr<TensorArrayResource> gradient(const std::string& source, const Shape& prefix);

  std::string describe() const override;
  std::int64_t memory_bytes() const override;

 private:
  struct Element {
    Tensor value;  // may hold nothing though written: zeros of that shape
    Shape shape;
    bool written = false, read = false, cleared = false;
  };

  // These expect the mutex to be held.
  void check_open() const;
  void write_one(std::int64_t index, const Tensor& value);
  void check_writable(std::int64_t index, const Element& element, const Tensor& value);
  Tensor read_one(std::int64_t index);
  void check_readable(std::int64_t index, const Element& element) const;
  Element& element(std::int64_t index);  // makes room up to here

  mutable std::mutex mutex_;
  Options options_;
  std::int64_t size_;
  std::vector<Element> elements_;  // those up to the highest one touched
  std::map<std::string, std::shared_ptr<TensorArrayResource>> gradients_;
  bool closed_ = false;
};

}  // namespace rill
