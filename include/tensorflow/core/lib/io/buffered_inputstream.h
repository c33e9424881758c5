#ifndef TENSORFLOW_CORE_LIB_IO_BUFFERED_INPUTSTREAM_H_
#define TENSORFLOW_CORE_LIB_IO_BUFFERED_INPUTSTREAM_H_

#include "tensorflow/core/lib/io/random_inputstream.h"

namespace tensorflow {
namespace io {

// Reads another stream, or a file, in pieces of one size.
class BufferedInputStream : public InputStreamInterface {
 public:
  BufferedInputStream(InputStreamInterface* input_stream, size_t buffer_bytes,
                      bool owns_input_stream = false)
      : stream_(input_stream),
        owned_(owns_input_stream ? input_stream : nullptr),
        piece_(buffer_bytes == 0 ? 1 : buffer_bytes) {}
  BufferedInputStream(RandomAccessFile* file, size_t buffer_bytes)
      : BufferedInputStream(new RandomAccessInputStream(file), buffer_bytes, true) {}

  Status ReadNBytes(int64 bytes_to_read, string* result) override {
    if (bytes_to_read < 0) {
      return errors::InvalidArgument("Can't read a negative number of bytes: ", bytes_to_read);
    }
    result->clear();
    Status status = Status::OK();
    while (result->size() < static_cast<size_t>(bytes_to_read) && status.ok()) {
      const size_t wanted = static_cast<size_t>(bytes_to_read) - result->size();
      const size_t count = wanted < left() ? wanted : left();
      result->append(buffer_, next_, count);
      next_ += count;
      if (count < wanted) status = Fill();
    }
    return status;
  }
  int64 Tell() const override { return stream_->Tell() - static_cast<int64>(left()); }
  Status Seek(int64 position) {
    if (position < 0) return errors::InvalidArgument("Seeking to a negative position: ", position);
    const Status status = Reset();
    return status.ok() ? SkipNBytes(position) : status;
  }
  Status Reset() override {
    buffer_.clear();
    next_ = 0;
    return stream_->Reset();
  }
  // The next line without its end; OutOfRange when there is none.
  Status ReadLine(string* result) {
    result->clear();
    while (true) {
      if (left() == 0) {
        const Status status = Fill();
        if (!status.ok()) {
          return errors::IsOutOfRange(status) && !result->empty() ? Status::OK() : status;
        }
      }
      const char c = buffer_[next_++];
      if (c == '\n') return Status::OK();
      if (c != '\r') *result += c;
    }
  }
  string ReadLineAsString() {
    string result;
    ReadLine(&result).IgnoreError();
    return result;
  }
  // All that is left.
  Status ReadAll(string* result) {
    result->clear();
    Status status = Status::OK();
    while (status.ok()) {
      result->append(buffer_, next_, left());
      next_ = buffer_.size();
      status = Fill();
    }
    return errors::IsOutOfRange(status) ? Status::OK() : status;
  }

 private:
  size_t left() const { return buffer_.size() - next_; }
  // OK as long as something came.
  Status Fill() {
    next_ = 0;
    const Status status = stream_->ReadNBytes(static_cast<int64>(piece_), &buffer_);
    return errors::IsOutOfRange(status) && !buffer_.empty() ? Status::OK() : status;
  }

  InputStreamInterface* stream_;
  std::unique_ptr<InputStreamInterface> owned_;
  size_t piece_;
  string buffer_;
  size_t next_ = 0;
};

}  // namespace io
}  // namespace tensorflow

#endif
