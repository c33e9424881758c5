// libjpeg is C: it is left by a jump, and only plain values live in the frames that are jumped
// over.
#pragma once

#include <csetjmp>
#include <cstdio>

// It wants FILE to be declared.
#include <jpeglib.h>

namespace rill {

struct JpegErrors {
  jpeg_error_mgr manager{};  // first: libjpeg knows the whole by its address
  std::jmp_buf jump{};
  char message[JMSG_LENGTH_MAX] = "";

  jpeg_error_mgr* start() {
    jpeg_std_error(&manager);
    manager.error_exit = leave;
    manager.output_message = [](j_common_ptr) {};
    manager.emit_message = [](j_common_ptr c, int level) { c->err->num_warnings += level < 0; };
    return &manager;
  }

 private:
  static void leave(j_common_ptr c) {
    auto* errors = reinterpret_cast<JpegErrors*>(c->err);
    c->err->format_message(c, errors->message);
    std::longjmp(errors->jump, 1);
  }
};

}  // namespace rill
