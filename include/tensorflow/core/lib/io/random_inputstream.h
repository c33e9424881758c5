#ifndef TENSORFLOW_CORE_LIB_IO_RANDOM_INPUTSTREAM_H_
#define TENSORFLOW_CORE_LIB_IO_RANDOM_INPUTSTREAM_H_

#include "tensorflow/core/lib/io/inputstream_interface.h"
#include "tensorflow/core/platform/file_system.h"

namespace tensorflow {
namespace io {

// The bytes of a file in order.
class RandomAccessInputStream : public InputStreamInterface {
 public:
  explicit RandomAccessInputStream(RandomAccessFile* file, bool owns_file = false)
      : file_(file), owned_(owns_file ? file : nullptr) {}

  Status ReadNBytes(int64 bytes_to_read, string* result) override {
    if (bytes_to_read < 0) return errors::InvalidArgument("Cannot read negative number of bytes");
    result->resize(static_cast<size_t>(bytes_to_read));
    StringPiece data;
    const Status status = file_->Read(static_cast<uint64>(position_), result->size(), &data,
                                      result->empty() ? nullptr : &(*result)[0]);
    const bool is_read = status.ok() || errors::IsOutOfRange(status);
    const string bytes = is_read ? string(data.data(), data.size()) : string();
    *result = bytes;
    position_ += static_cast<int64>(bytes.size());
    return status;
  }
  int64 Tell() const override { return position_; }
  Status Seek(int64 position) { return position_ = position, Status::OK(); }
  Status Reset() override { return Seek(0); }

 private:
  RandomAccessFile* file_;
  std::unique_ptr<RandomAccessFile> owned_;
  int64 position_ = 0;
};

}  // namespace io
}  // namespace tensorflow

#endif
