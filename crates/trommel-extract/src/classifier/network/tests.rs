//! Networks by hand. That their shares are those of JAX is tested where they are trained.

#![allow(clippy::unwrap_used)]

use super::{Layer, Network, Passing};

fn layer(kernel: usize, inputs: usize, outputs: usize) -> Layer {
    Layer {
        kernel,
        inputs,
        outputs,
        weights: (0..kernel * inputs * outputs)
            .map(|n| (n * 7 % 13) as f32 / 6.5 - 1.0)
            .collect(),
        biases: (0..outputs).map(|n| n as f32 / 10.0).collect(),
    }
}

fn network() -> Network {
    Network {
        layers: vec![layer(1, 2, 3), layer(3, 3, 4), layer(5, 4, 2)],
    }
}

/// Two rows, a kernel of three, by hand: what stands outside is 0.
#[test]
fn padding_by_hand() {
    let layer = Layer {
        kernel: 3,
        inputs: 1,
        outputs: 2,
        weights: vec![1.0, 10.0, 2.0, 20.0, 3.0, 30.0],
        biases: vec![0.5, 0.0],
    };
    let mut output = Vec::new();
    layer.forward(&[1.0, -1.0], &mut output);
    // 2·1 + 3·(−1) + ½; 20·1 + 30·(−1); 1·1 + 2·(−1) + ½; 10·1 + 20·(−1).
    assert_eq!(output, [-0.5, -10.0, -0.5, -10.0]);
    layer.forward(&[], &mut output);
    assert!(output.is_empty());
}

/// A file gives back the weights that it was made of, to 2⁻¹⁵; rounded ones exactly.
#[test]
fn files() {
    let network = network();
    let text = serde_json::to_string(&network).unwrap();
    let read: Network = serde_json::from_str(&text).unwrap();
    for (read, wrote) in read.layers.iter().zip(&network.layers) {
        for (read, wrote) in read.weights.iter().zip(&wrote.weights) {
            assert!((read - wrote).abs() <= 0.51 / 16384.0, "{read} {wrote}");
        }
    }
    assert_eq!(network.rounded(), read);
    let again: Network = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
    assert_eq!(again, read);
    for damage in ["0.5", "99999999999", "null", "\"x\""] {
        let damaged = text.replacen("\"weights\":[", &format!("\"weights\":[{damage},"), 1);
        assert!(
            serde_json::from_str::<Network>(&damaged).is_err(),
            "{damage}"
        );
    }
}

#[test]
fn networks_that_are_none() {
    let changed = |change: fn(&mut Network)| {
        let mut network = network();
        change(&mut network);
        network.is_whole()
    };
    assert!(changed(|_| ()));
    assert!(!changed(|n| n.layers.clear()));
    assert!(!changed(|n| n.layers[1].kernel = 2));
    assert!(!changed(|n| n.layers[1].kernel = 5));
    assert!(!changed(|n| n.layers[0].weights.truncate(3)));
    assert!(!changed(|n| n.layers[2].biases.push(0.0)));
    assert!(!changed(|n| n.layers.swap(1, 2)));
    assert!(!changed(|n| {
        n.layers.remove(1);
    }));
    assert!(!changed(|n| {
        let layer = &mut n.layers[0];
        (layer.inputs, layer.weights) = (0, Vec::new());
    }));
    assert!(!changed(|n| n.layers[0].inputs = usize::MAX));
}

/// Row by row as all at once, to the bit, with lengths around those that pass together.
#[test]
fn a_sequence_may_pass_row_by_row() {
    let network = network();
    for rows in [
        0, 1, 2, 5, 6, 7, 4095, 4096, 4101, 4102, 4103, 8198, 8199, 12_345,
    ] {
        let input: Vec<f32> = (0..2 * rows)
            .map(|n| (n * 31 % 17) as f32 / 8.0 - 1.0)
            .collect();
        let mut passing = Passing::new(&network);
        for row in input.chunks(2) {
            passing.push(row);
        }
        assert!(passing.finish() == network.shares(&input), "{rows} rows");
    }
}
