"""What the networks are held to: shares, gradients and steps of Adam by JAX and Optax, in double precision.

    pip install jax optax
    python3 crates/trommel-lab/src/learning/network/network.py > network.json

Weights and inputs are formulas, so that the test makes the same ones. `conv_general_dilated` is JAX's own convolution, `jax.grad`
its own differentiation, `optax.adam` its own Adam (of Kingma and Ba), with the gradient of the decay added before.
"""

import json
import math

import jax
import jax.numpy as jnp
import optax

jax.config.update("jax_enable_x64", True)

INPUTS = 5
LAYERS = [(1, 12), (3, 10), (5, 4), (3, 3)]
LENGTHS = [6, 1, 2]
DECAY = 0.01
RATE = 0.05
STEPS = 3


def weights():
    layers, width = [], INPUTS
    for number, (kernel, outputs) in enumerate(LAYERS):
        count = kernel * width * outputs
        w = [0.5 * math.sin(0.3 + 1.3 * place + number) for place in range(count)]
        b = [0.1 * math.cos(place + number) for place in range(outputs)]
        layers.append((jnp.array(w).reshape(kernel, width, outputs), jnp.array(b)))
        width = outputs
    return layers


def sequences():
    found, at = [], 0
    for length in LENGTHS:
        values = []
        for place in range(at, at + length * INPUTS):
            values.append(0.0 if place % 4 == 3 else math.sin(1 + 0.7 * place))
        at += length * INPUTS
        # Every fourth row, counted from the third, does not count.
        classes = [None if row % 4 == 2 else (row * 2 + length) % 3 for row in range(length)]
        found.append((jnp.array(values).reshape(length, INPUTS), classes))
    return found


def logits(layers, rows):
    x = rows[None]
    for number, (w, b) in enumerate(layers):
        x = jax.lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")) + b
        if number + 1 < len(layers):
            x = jax.nn.relu(x)
    return x[0]


def loss(layers, decay):
    total, count = 0.0, 0
    for rows, classes in sequences():
        logs = jax.nn.log_softmax(logits(layers, rows))
        for row, of in enumerate(classes):
            if of is not None:
                total -= logs[row, of]
                count += 1
    return total / count + 0.5 * decay * sum(jnp.sum(w * w) for w, _ in layers)


def flat(layers):
    return [float(value) for w, b in layers for value in [*w.reshape(-1), *b]]


def rounded(values):
    return [float(f"{value:.9g}") for value in values]


layers = weights()
shares = [jax.nn.softmax(logits(layers, rows)) for rows, _ in sequences()]
value, gradient = jax.value_and_grad(loss)(layers, 0.0)
adam = optax.adam(RATE)
state, now = adam.init(layers), layers
losses = []
for _ in range(STEPS):
    losses.append(float(loss(now, 0.0)))
    changes, state = adam.update(jax.grad(loss)(now, DECAY), state)
    now = optax.apply_updates(now, changes)
print(json.dumps({
    "shares": [rounded(row) for part in shares for row in part.tolist()],
    "loss": float(value),
    "gradient": rounded(flat(gradient)),
    "losses": losses,
    "after_steps": rounded(flat(now)),
}))
