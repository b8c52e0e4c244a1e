//! Networks against JAX and Optax, finite differences, and by hand.

#![allow(clippy::unwrap_used)]

use serde::Deserialize;

use super::{Example, Gradient, Rates, Training, cross_entropy, initial};
use trommel_extract::classifier::network::{Layer, Network};
use trommel_text::SplitMix64;

/// What `network.py` wrote.
#[derive(Deserialize)]
struct Reference {
    shares: Vec<Vec<f64>>,
    loss: f64,
    gradient: Vec<f64>,
    losses: Vec<f64>,
    after_steps: Vec<f64>,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("network.json")).unwrap()
}

const INPUTS: usize = 5;
const LAYERS: [(usize, usize); 4] = [(1, 12), (3, 10), (5, 4), (3, 3)];

/// The script's weights.
fn network() -> Network {
    let mut width = INPUTS;
    let layers = LAYERS
        .iter()
        .enumerate()
        .map(|(number, &(kernel, outputs))| {
            let inputs = std::mem::replace(&mut width, outputs);
            let weight = |place| 0.5 * (0.3 + 1.3 * place as f64 + number as f64).sin();
            let bias = |place| 0.1 * ((place + number) as f64).cos();
            Layer {
                kernel,
                inputs,
                outputs,
                weights: (0..kernel * inputs * outputs)
                    .map(|p| weight(p) as f32)
                    .collect(),
                biases: (0..outputs).map(|p| bias(p) as f32).collect(),
            }
        });
    Network {
        layers: layers.collect(),
    }
}

/// The script's sequences.
fn sequences() -> Vec<(Vec<f32>, Vec<Option<u8>>)> {
    let mut at = 0;
    let of_length = |length: usize| {
        let value = |place: usize| match place % 4 {
            3 => 0.0,
            _ => (1.0 + 0.7 * place as f64).sin() as f32,
        };
        let values = (at..at + length * INPUTS).map(value).collect();
        at += length * INPUTS;
        let class = |row: usize| (row % 4 != 2).then_some(((row * 2 + length) % 3) as u8);
        (values, (0..length).map(class).collect())
    };
    [6, 1, 2].map(of_length).into()
}

fn examples(sequences: &[(Vec<f32>, Vec<Option<u8>>)]) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    for (input, classes) in sequences {
        examples.push(Example { input, classes });
    }
    examples
}

fn flat(network: &Network) -> Vec<f32> {
    let layers = network.layers.iter();
    layers
        .flat_map(|layer| layer.weights.iter().chain(&layer.biases))
        .copied()
        .collect()
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let difference = (f64::from(*found) - expected).abs();
        assert!(difference < tolerance, "{place}: {found} {expected}");
    }
}

const STILL: Rates = Rates {
    learning: 0.05,
    dropout: 0.0,
    decay: 0.01,
};

fn never() -> f64 {
    unreachable!("nothing is drawn")
}

#[test]
fn shares_are_those_of_jax() {
    let found: Vec<f32> = sequences()
        .iter()
        .flat_map(|(input, _)| network().shares(input))
        .collect();
    assert_close(&found, &reference().shares.concat(), 1e-6);
}

#[test]
fn gradients_are_those_of_jax() {
    let (network, sequences) = (network(), sequences());
    let mut gradient = Gradient::of(&network);
    let (mut loss, mut count) = (0.0, 0);
    for example in examples(&sequences) {
        gradient.add(&network, example);
        let of = cross_entropy(&network, example);
        (loss, count) = (loss + of.0, count + of.1);
    }
    // Of 9 rows the third of the first sequence does not count.
    assert_eq!(count, 8);
    let mean = |sum: f64| sum / count as f64;
    assert!((mean(loss) - reference().loss).abs() < 1e-6);
    assert!((mean(gradient.loss) - reference().loss).abs() < 1e-6);
    let found: Vec<f32> = flat(&gradient.by)
        .iter()
        .map(|of| of / count as f32)
        .collect();
    assert_close(&found, &reference().gradient, 1e-6);
}

/// Three steps of Adam with decay.
#[test]
fn steps_are_those_of_optax() {
    let sequences = sequences();
    let mut training = Training::of(network(), STILL);
    for expected in reference().losses {
        let loss = training.step(&examples(&sequences), &mut never);
        assert!((loss - expected).abs() < 1e-5, "{loss} {expected}");
    }
    assert_close(&flat(&training.network), &reference().after_steps, 2e-5);
}

/// Each derivative against the difference of losses at two weights, for a network of random weights and one row that is not counted.
#[test]
fn gradients_are_differences() {
    let mut random = SplitMix64::new(7);
    let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 20);
    let mut network = initial(4, &[(1, 6), (3, 5), (3, 2)], &mut uniform);
    // Larger weights keep what goes into the rectifiers away from their bend, beside which differences mean nothing.
    for layer in &mut network.layers {
        layer.weights.iter_mut().for_each(|weight| *weight *= 5.0);
    }
    let input: Vec<f32> = (0..5 * 4).map(|_| (4.0 * uniform() - 2.0) as f32).collect();
    let classes = [Some(1), Some(0), None, Some(1), Some(1)];
    let example = Example {
        input: &input,
        classes: &classes,
    };
    let mut gradient = Gradient::of(&network);
    gradient.add(&network, example);
    let found = flat(&gradient.by);
    let loss = |place: usize, change: f32| {
        let mut changed = network.clone();
        let mut weights = changed
            .layers
            .iter_mut()
            .flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.biases));
        *weights.nth(place).unwrap() += change;
        cross_entropy(&changed, example).0
    };
    for (place, found) in found.iter().enumerate() {
        let step = 1e-3;
        let difference = (loss(place, step) - loss(place, -step)) / (2.0 * f64::from(step));
        assert!(
            (f64::from(*found) - difference).abs() < 2e-3,
            "{place}: {found} {difference}"
        );
    }
    assert!(found.iter().filter(|of| of.abs() > 0.01).count() > found.len() / 2);
}

/// Dropout leaves out its share of the weights, and a weight that is left out is changed by its decay alone.
#[test]
fn dropout() {
    let sequences = sequences();
    let rates = Rates {
        dropout: 0.5,
        decay: 0.0,
        ..STILL
    };
    let mut training = Training::of(network(), rates);
    let mut draws = 0;
    // Every other weight stays.
    training.step(&examples(&sequences), &mut || {
        draws += 1;
        [0.25, 0.75][draws % 2]
    });
    let weights: usize = network()
        .layers
        .iter()
        .map(|layer| layer.weights.len())
        .sum();
    assert_eq!(draws, weights);
    let (before, mut number) = (network(), 0);
    for (before, after) in before.layers.iter().zip(&training.network.layers) {
        for (before, after) in before.weights.iter().zip(&after.weights) {
            number += 1;
            let stays = number % 2 == 0;
            assert!(stays || before == after);
        }
    }
    let changed = flat(&before).into_iter().zip(flat(&training.network));
    assert!(changed.filter(|(before, after)| before != after).count() > weights / 4);
}

/// What learns y = 1 where the sum of a row and its neighbour is above 0 learns it, with dropout.
#[test]
fn learns() {
    let mut random = SplitMix64::new(3);
    let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 20);
    let network = initial(1, &[(3, 8), (1, 2)], &mut uniform);
    let rates = Rates {
        learning: 0.01,
        dropout: 0.1,
        decay: 1e-4,
    };
    let mut training = Training::of(network, rates);
    let draw = |uniform: &mut dyn FnMut() -> f64| {
        let input: Vec<f32> = (0..200).map(|_| (2.0 * uniform() - 1.0) as f32).collect();
        let next = input[1..].iter().chain([&0.0]);
        let classes = input
            .iter()
            .zip(next)
            .map(|(a, b)| Some(u8::from(a + b > 0.0)));
        let classes: Vec<Option<u8>> = classes.collect();
        (input, classes)
    };
    for _ in 0..400 {
        let (input, classes) = draw(&mut uniform);
        let example = Example {
            input: &input,
            classes: &classes,
        };
        training.step(&[example], &mut uniform);
    }
    let (input, classes) = draw(&mut uniform);
    let shares = training.network.shares(&input);
    let verdicts = shares.chunks(2).map(|row| Some(u8::from(row[1] > row[0])));
    let right = verdicts
        .zip(classes)
        .filter(|(found, of)| found == of)
        .count();
    assert!(right > 190, "{right}");
}
