#pragma once

namespace rill::python {

void bind_nn_functions();  // all of the following

void add_nn_convolutions();
void add_nn_ctc();
void add_nn_embeddings();
void add_nn_losses();
void add_nn_normalization();
void add_nn_pooling();

}  // namespace rill::python
