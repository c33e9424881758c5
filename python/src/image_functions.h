#pragma once

namespace rill::python {

void bind_image_functions();      // tf.image
void bind_box_functions();        // boxes in images, and files of images
void bind_signal_functions();     // tf.signal
void bind_transform_functions();  // tf.contrib.image and tf.contrib.resampler
void bind_crf_functions();        // tf.contrib.crf

}  // namespace rill::python
