"""What CRFsuite learns from made sequences and says of them: `python3 reference.py > reference.json` with python-crfsuite."""

import json
import random
import tempfile

import pycrfsuite

draw = random.Random(2007)
FEATURES, C2 = 18, 0.3
own = [draw.gauss(0, 1) for _ in range(FEATURES)]
sequences = []
for _ in range(20):
    places, labels, before = [], [], False
    for _ in range(9):
        place = sorted(draw.sample(range(FEATURES), draw.randint(1, 5)))
        score = sum(own[it] for it in place) + (1.0 if before else -1.0)
        before = draw.random() < 1 / (1 + 2.718281828 ** -score)
        places.append(place)
        labels.append(before)
    sequences.append((places, labels))

trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
trainer.set_params(
    {
        "c1": 0.0,
        "c2": C2,
        "max_iterations": 5000,
        "epsilon": 1e-9,
        "delta": 1e-12,
        "feature.possible_states": True,
        "feature.possible_transitions": True,
    }
)
names = lambda places: [[f"f{it}" for it in place] for place in places]
for places, labels in sequences:
    trainer.append(names(places), ["true" if it else "false" for it in labels])
with tempfile.NamedTemporaryFile() as model:
    trainer.train(model.name)
    tagger = pycrfsuite.Tagger()
    tagger.open(model.name)
    info = tagger.info()
    probabilities, found = [], []
    for places, _ in sequences:
        found.append([it == "true" for it in tagger.tag(names(places))])
        probabilities.append([tagger.marginal("true", at) for at in range(len(places))])
both = ("false", "true")
print(
    json.dumps(
        {
            "c2": C2,
            "features": FEATURES,
            "sequences": sequences,
            "state": [[info.state_features.get((f"f{it}", label), 0.0) for label in both] for it in range(FEATURES)],
            "transition": [[info.transitions.get((a, b), 0.0) for b in both] for a in both],
            "probabilities": probabilities,
            "labels": found,
        },
        separators=(",", ":"),
    )
)
