#pragma once

namespace rill::python {

void bind_image_functions();   // tf.image
void bind_box_functions();     // boxes in images, and files of images
void bind_signal_functions();  // tf.signal

}  // namespace rill::python
