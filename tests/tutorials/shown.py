"""What a tutorial prints: "name: value value ...", as shown.h does."""
import numpy as np


def show(name, value):
    value = np.asarray(value)
    if value.dtype.kind == "f":
        texts = ["%.4g" % (v + 0.0) for v in value.ravel()]
    elif value.dtype.kind in "iub":
        texts = [str(int(v)) for v in value.ravel()]
    else:
        texts = [v.decode() if isinstance(v, bytes) else str(v) for v in value.ravel()]
    print(" ".join([name + ":"] + texts))
