"""Ludwig 0.2: a model described by a dictionary is trained on a table, saved, loaded and asked."""
import os
import tempfile

import numpy as np
import pandas as pd
from ludwig.api import LudwigModel

random = np.random.RandomState(0)
DEFINITION = {
    "input_features": [{"name": "text", "type": "category"}, {"name": "number", "type": "numerical"},
                       {"name": "words", "type": "text", "encoder": "parallel_cnn", "level": "word"}],
    "output_features": [{"name": "label", "type": "category"}],
    "training": {"epochs": 4, "batch_size": 32}}


def table(rows):
    kinds = random.choice(["red", "green", "blue"], rows)
    numbers = random.rand(rows)
    words = [" ".join(random.choice(["one", "two", "three", "four"], 5)) for _ in range(rows)]
    return pd.DataFrame({"text": kinds, "number": numbers, "words": words,
                         "label": np.where((kinds == "red") | (numbers > 0.8), "yes", "no")})


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        model = LudwigModel(DEFINITION)
        statistics = model.train(data_df=table(300), skip_save_processed_input=True, output_directory=folder)
        losses = statistics["training"]["label"]["loss"]
        assert losses[-1] < losses[0], losses
        asked = table(20)
        answers = model.predict(data_df=asked)
        assert "label_predictions" in answers and len(answers) == 20
        model.save(os.path.join(folder, "model"))
        model.close()
        again = LudwigModel.load(os.path.join(folder, "model"))
        assert list(again.predict(data_df=asked)["label_predictions"]) == list(answers["label_predictions"])
        again.close()
        os.chdir("/")
    print("a model of categories, numbers and words is trained, asked, saved and loaded")


main()
