"""Where static shapes are not those of TensorFlow 2.15, and why."""
# A reason, and what Rill answers instead: by case, by variant.
DIFFERENCES = [
    ("TensorFlow cannot dilate by a filter whose sizes are not all known; Rill computes the paddings in "
     "the step.",
     {
         "atrous_conv2d": {"1.dim0": "[2,?,?,5]", "1.dim1": "[2,?,?,5]", "1.dim2": "[2,8,6,5]",
             "1.dim3": "[2,8,6,?]", "1.dims": "[2,?,?,?]", "1.rank": "[2,?,?,?]"},
         "convolution_dilated": {"1.dim0": "[2,?,?,5]", "1.dim1": "[2,?,?,5]", "1.dim2": "[2,8,6,5]",
             "1.dim3": "[2,8,6,?]", "1.dims": "[2,?,?,?]", "1.rank": "[2,?,?,?]"},
         "depthwise_dilated": {"1.dim0": "[2,?,?,20]", "1.dim1": "[2,?,?,20]", "1.dim2": "[2,8,6,20]", "1.dim3": "[2,8,6,?]",
             "1.dims": "[2,?,?,?]", "1.rank": "[2,?,?,?]", "ranks": "[?,?,?,?]"},
     }),
    ("2.15 merges the batch of input and output; in 1.15 the output shape alone tells it, as here.",
     {
         "conv2d_transpose": {"0.dim0": "[2,8,6,4]", "0.dims": "[2,8,6,4]", "0.rank": "[2,8,6,4]",
             "2.value": "[?,?,?,?]", "2.rank": "[?,?,?,?]", "2.item0": "[?,8,6,4]"},
     }),
    ("2.15 gathers in batches by GatherV2, where 1.15 computes the indices, as here.",
     {
         "batch_gather": {"1.dims": "[?,?,5]"},
     }),
    ("2.15 finds the one unknown size of a new shape by the size of the old one, 1.15 does not look.",
     {
         "sparse_reshape": {"3.item0": "[5,2];[2];[?,?]", "3.item1": "[5,2];[2];[?,?]"},
     }),
    ("More is known here: the rank does not depend on the axis, nor a size on another dimension.",
     {
         "expand_dims": {"1.value": "[?,?,?]"},
         "expand_dims_last": {"1.value": "[?,?,?]"},
         "extract_patches": {"0.dim1": "[2,?,3,36]", "0.dim2": "[2,4,?,36]"},
         "linspace": {"0.rank": "[4]", "1.rank": "[4]", "ranks": "[?]"},
         "unique": {"0.rank": "[?];[?]"},
     }),
    ("More is known here: part of a shape that is wholly known, though the rest of the shape is not.",
     {
         "resize_by_twice": {"0.dim0": "[?,16,12,4]", "0.dim3": "[2,16,12,?]"},
     }),
    ("A tensor of unknown rank is not taken for a scalar before it is known to be one.",
     {
         "eye": {"0.rank": "?"},
     }),
]


def names():
    return sorted({name for _, cases in DIFFERENCES for name in cases})


def of(name):
    """Variant to what Rill answers."""
    return {variant: shapes for _, cases in DIFFERENCES for variant, shapes in cases.get(name, {}).items()}
