//! One-dimensional convolutional networks over sequences: layers with rectifiers between them, softmax behind the last. The
//! sequence keeps its length: the stride is 1, and what stands before its beginning and behind its end is 0.
//!
//! Sequences are rows of values, one behind the other. All sums are taken in a fixed order, so the same weights give the same
//! bits.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// The layers, the one that sees the input first.
    pub layers: Vec<Layer>,
}

/// A layer: each of its outputs is a weighted sum of the inputs of `kernel` neighbouring rows, plus a bias.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// How many rows it sees at once: odd; the row itself is the middle one.
    pub kernel: usize,
    /// Values in a row of its input.
    pub inputs: usize,
    /// Values in a row of its output.
    pub outputs: usize,
    /// By row of the kernel, input and output. In files in units of 2⁻¹⁴.
    #[serde(serialize_with = "to_units", deserialize_with = "from_units")]
    pub weights: Vec<f32>,
    /// By output. In files in units of 2⁻¹⁴.
    #[serde(serialize_with = "to_units", deserialize_with = "from_units")]
    pub biases: Vec<f32>,
}

/// Weights in files are whole numbers of 1 / this. A power of two, so that dividing is exact.
const UNITS: f32 = 16384.0;

fn to_units<S: Serializer>(values: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| (value * UNITS).round() as i32))
}

fn from_units<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
    let units = Vec::<i32>::deserialize(deserializer)?;
    Ok(units
        .into_iter()
        .map(|value| value as f32 / UNITS)
        .collect())
}

impl Layer {
    /// The rows of the input, and for each its row of the kernel, that a row of the output sees.
    pub fn seen(&self, row: usize, rows: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let half = self.kernel / 2;
        let first = half.saturating_sub(row);
        let last = self.kernel.min(rows + half - row);
        (first..last).map(move |of_kernel| (row + of_kernel - half, of_kernel))
    }

    /// Weights of an input, one for each output.
    pub fn weights_of(&self, of_kernel: usize, input: usize) -> &[f32] {
        let start = (of_kernel * self.inputs + input) * self.outputs;
        &self.weights[start..start + self.outputs]
    }

    /// What comes out for the rows of an input, before any rectifier; `output` is overwritten.
    pub fn forward(&self, input: &[f32], output: &mut Vec<f32>) {
        let rows = input.len() / self.inputs;
        output.clear();
        for row in 0..rows {
            output.extend_from_slice(&self.biases);
            let out = &mut output[row * self.outputs..];
            for (seen, of_kernel) in self.seen(row, rows) {
                let values = &input[seen * self.inputs..(seen + 1) * self.inputs];
                for (number, &value) in values.iter().enumerate() {
                    // Half of what a rectifier lets through is 0, and so are most binary features.
                    if value != 0.0 {
                        add_scaled(out, value, self.weights_of(of_kernel, number));
                    }
                }
            }
        }
    }

    fn is_whole(&self) -> bool {
        let count = self.kernel.checked_mul(self.inputs);
        let count = count.and_then(|count| count.checked_mul(self.outputs));
        self.kernel % 2 == 1
            && self.inputs > 0
            && self.outputs > 0
            && count == Some(self.weights.len())
            && self.biases.len() == self.outputs
    }
}

/// `sum += scale * values`.
pub fn add_scaled(sum: &mut [f32], scale: f32, values: &[f32]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += scale * value;
    }
}

/// Makes each row of logits shares that add up to 1.
pub fn softmax(logits: &mut [f32], width: usize) {
    for row in logits.chunks_exact_mut(width) {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for value in row.iter_mut() {
            *value = (*value - most).exp();
            sum += *value;
        }
        for value in row {
            *value /= sum;
        }
    }
}

impl Network {
    /// Values in a row of its input.
    pub fn inputs(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.inputs)
    }

    /// Classes that it tells apart.
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.outputs)
    }

    /// Weights and biases in all layers.
    pub fn num_parameters(&self) -> usize {
        let layers = self.layers.iter();
        layers
            .map(|layer| layer.weights.len() + layer.biases.len())
            .sum()
    }

    /// Returns whether it can be run: there is a layer, each has as many weights as it should, and each takes what the one before gives.
    pub fn is_whole(&self) -> bool {
        let pairs = self.layers.windows(2);
        !self.layers.is_empty()
            && self.layers.iter().all(Layer::is_whole)
            && pairs
                .into_iter()
                .all(|pair| pair[0].outputs == pair[1].inputs)
    }

    /// For each row of the input a share for each class. The input holds whole rows; the network is whole.
    pub fn shares(&self, input: &[f32]) -> Vec<f32> {
        let (mut values, mut next) = (input.to_vec(), Vec::new());
        for (number, layer) in self.layers.iter().enumerate() {
            layer.forward(&values, &mut next);
            if number + 1 < self.layers.len() {
                rectify(&mut next);
            }
            std::mem::swap(&mut values, &mut next);
        }
        softmax(&mut values, self.outputs().max(1));
        values
    }

    /// The weights as a file has them.
    pub fn rounded(mut self) -> Network {
        for layer in &mut self.layers {
            for value in layer.weights.iter_mut().chain(&mut layer.biases) {
                *value = (*value * UNITS).round() / UNITS;
            }
        }
        self
    }
}

/// A sequence that goes through a network row by row, whatever its length: the shares are those of the whole, to the bit.
pub struct Passing<'n> {
    network: &'n Network,
    /// Rows to each side that a row's shares depend on.
    reach: usize,
    /// The last rows: first those that are only looked at, then those whose shares are still to come.
    rows: Vec<f32>,
    looked_at: usize,
    shares: Vec<f32>,
}

/// Rows that go through a network together.
const TOGETHER: usize = 4096;

impl<'n> Passing<'n> {
    /// The beginning of a sequence.
    pub fn new(network: &'n Network) -> Self {
        Passing {
            network,
            reach: network.layers.iter().map(|layer| layer.kernel / 2).sum(),
            rows: Vec::new(),
            looked_at: 0,
            shares: Vec::new(),
        }
    }

    /// The next row.
    pub fn push(&mut self, row: &[f32]) {
        self.rows.extend_from_slice(row);
        if self.num_rows() == TOGETHER + 2 * self.reach {
            self.pass(self.reach);
            let kept = 2 * self.reach * self.network.inputs();
            self.rows.drain(..self.rows.len() - kept);
            self.looked_at = self.reach;
        }
    }

    /// For each row a share for each class.
    pub fn finish(mut self) -> Vec<f32> {
        self.pass(0);
        self.shares
    }

    fn num_rows(&self) -> usize {
        self.rows.len() / self.network.inputs().max(1)
    }

    /// Takes the shares of all rows but the last ones, which lack neighbours.
    fn pass(&mut self, without: usize) {
        let width = self.network.outputs();
        let shares = self.network.shares(&self.rows);
        let end = (self.num_rows() - without) * width;
        self.shares
            .extend_from_slice(&shares[self.looked_at * width..end]);
    }
}

/// The rectifier: max(0, x).
pub fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}
