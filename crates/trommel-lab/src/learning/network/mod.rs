//! Training of networks over sequences: gradients of the cross-entropy by backpropagation, dropout, weight decay, and Adam (Kingma and Ba, *Adam: A Method for
//! Stochastic Optimization*, ICLR 2015, Algorithm 1).

#[cfg(test)]
mod tests;

use trommel_extract::classifier::network::{Layer, Network, add_scaled, rectify, softmax};

/// How the weights of a network are changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Adam's step size α.
    pub learning: f64,
    /// Share of the weights that are left out in a step, 0 to less than 1.
    pub dropout: f64,
    /// Weight decay: half of this times the sum of the squared weights (without biases) is added to the loss.
    pub decay: f64,
}

/// Adam's β1, β2 and ε, as its authors recommend.
const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// A sequence to learn from: rows of values, and for each row its class, or none if the row does not count.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    /// The rows.
    pub input: &'a [f32],
    /// Their classes.
    pub classes: &'a [Option<u8>],
}

/// A network with layers of so many rows and outputs. Weights are drawn from a normal distribution of deviation 0.1 that is cut
/// at two deviations, as Web2Text's authors did it; biases are 0. `random` gives numbers uniform in 0..1.
pub fn initial(
    inputs: usize,
    layers: &[(usize, usize)],
    random: &mut dyn FnMut() -> f64,
) -> Network {
    let mut draw = || loop {
        let value = 4.0 * random() - 2.0;
        if random() < (-0.5 * value * value).exp() {
            return (0.1 * value) as f32;
        }
    };
    let mut network = Network { layers: Vec::new() };
    let mut width = inputs;
    for &(kernel, outputs) in layers {
        network.layers.push(Layer {
            kernel,
            inputs: width,
            outputs,
            weights: (0..kernel * width * outputs).map(|_| draw()).collect(),
            biases: vec![0.0; outputs],
        });
        width = outputs;
    }
    network
}

/// The same layers with all weights 0.
fn zeros(network: &Network) -> Network {
    let mut zeros = network.clone();
    for layer in &mut zeros.layers {
        layer.weights.fill(0.0);
        layer.biases.fill(0.0);
    }
    zeros
}

/// Cross-entropy of the rows that count, in nats, and how many these are.
pub fn cross_entropy(network: &Network, example: Example) -> (f64, usize) {
    let shares = network.shares(example.input);
    let rows = shares.chunks_exact(network.outputs().max(1));
    let mut sum = (0.0, 0);
    for (row, class) in rows.zip(example.classes) {
        if let Some(class) = class {
            sum = (sum.0 + loss(row, *class), sum.1 + 1);
        }
    }
    sum
}

fn loss(shares: &[f32], class: u8) -> f64 {
    // A share that is 0 in single precision is some 1e-45.
    -f64::from(shares[usize::from(class)].max(f32::MIN_POSITIVE)).ln()
}

/// Gradients, with what is needed on the way.
#[derive(Debug, Clone)]
pub struct Gradient {
    /// In each place the derivative of the loss by that weight.
    pub by: Network,
    /// Sum of the losses.
    pub loss: f64,
    /// The input of each layer, and the output of the last.
    values: Vec<Vec<f32>>,
    /// Derivatives by the output of a layer, and by its input.
    after: Vec<f32>,
    before: Vec<f32>,
}

impl Gradient {
    /// All 0.
    pub fn of(network: &Network) -> Gradient {
        Gradient {
            by: zeros(network),
            loss: 0.0,
            values: vec![Vec::new(); network.layers.len() + 1],
            after: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Back to 0.
    pub fn clear(&mut self) {
        self.loss = 0.0;
        for layer in &mut self.by.layers {
            layer.weights.fill(0.0);
            layer.biases.fill(0.0);
        }
    }

    /// Adds the gradient of an example's summed cross-entropy.
    pub fn add(&mut self, network: &Network, example: Example) {
        let count = network.layers.len();
        self.values[0].clear();
        self.values[0].extend_from_slice(example.input);
        for (number, layer) in network.layers.iter().enumerate() {
            let (inputs, outputs) = self.values.split_at_mut(number + 1);
            layer.forward(&inputs[number], &mut outputs[0]);
            if number + 1 < count {
                rectify(&mut outputs[0]);
            }
        }
        let width = network.outputs().max(1);
        self.after.clone_from(&self.values[count]);
        softmax(&mut self.after, width);
        for (row, class) in self.after.chunks_exact_mut(width).zip(example.classes) {
            match class {
                None => row.fill(0.0),
                Some(class) => {
                    self.loss += loss(row, *class);
                    row[usize::from(*class)] -= 1.0;
                }
            }
        }
        for (number, layer) in network.layers.iter().enumerate().rev() {
            let input = &self.values[number];
            self.before.clear();
            self.before.resize(input.len(), 0.0);
            let is_first = number == 0;
            backward(
                layer,
                input,
                &self.after,
                &mut self.by.layers[number],
                (!is_first).then_some(&mut self.before),
            );
            std::mem::swap(&mut self.after, &mut self.before);
        }
    }
}

/// Adds a layer's gradient, and derivatives by those of its inputs that a rectifier let through.
fn backward(
    layer: &Layer,
    input: &[f32],
    after: &[f32],
    gradient: &mut Layer,
    mut before: Option<&mut Vec<f32>>,
) {
    let rows = input.len() / layer.inputs;
    for row in 0..rows {
        let after = &after[row * layer.outputs..(row + 1) * layer.outputs];
        add_scaled(&mut gradient.biases, 1.0, after);
        for (seen, of_kernel) in layer.seen(row, rows) {
            for number in 0..layer.inputs {
                let place = seen * layer.inputs + number;
                let value = input[place];
                // What is 0 adds nothing, and the rectifier before it has the derivative 0.
                if value == 0.0 {
                    continue;
                }
                let start = (of_kernel * layer.inputs + number) * layer.outputs;
                let weights = &mut gradient.weights[start..start + layer.outputs];
                add_scaled(weights, value, after);
                if let Some(before) = &mut before {
                    before[place] += dot(layer.weights_of(of_kernel, number), after);
                }
            }
        }
    }
}

/// The sum of products, in an order that fits vector registers.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = a.remainder().iter().zip(b.remainder());
    let rest: f32 = rest.map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// A network in training.
#[derive(Debug, Clone)]
pub struct Training {
    /// The weights so far.
    pub network: Network,
    rates: Rates,
    /// Adam's moments, in single precision as the weights.
    first: Network,
    second: Network,
    steps: i32,
    gradient: Gradient,
    /// For each layer and weight 0 if the step leaves it out; else what it is multiplied with, so that sums stay as large.
    masks: Vec<Vec<f32>>,
    /// The network of a step: weights times their masks.
    thinned: Network,
}

impl Training {
    /// Begins with a network.
    pub fn of(network: Network, rates: Rates) -> Training {
        Training {
            first: zeros(&network),
            second: zeros(&network),
            gradient: Gradient::of(&network),
            masks: network
                .layers
                .iter()
                .map(|layer| vec![1.0; layer.weights.len()])
                .collect(),
            thinned: network.clone(),
            network,
            rates,
            steps: 0,
        }
    }

    /// One step by the mean cross-entropy of the rows that count. `random` gives numbers uniform in 0..1, for dropout. Gives the mean
    /// loss before the step, without decay.
    ///
    /// Dropout is of weights, one draw for the whole batch: a weight is left out, or divided by the share of those that stay (what
    /// Web2Text's published program does; the paper says "dropout" alone).
    pub fn step(&mut self, batch: &[Example], random: &mut dyn FnMut() -> f64) -> f64 {
        let count = batch.iter().flat_map(|example| example.classes).flatten();
        let count = count.count().max(1);
        let stay = 1.0 - self.rates.dropout;
        self.gradient.clear();
        for (number, layer) in self.network.layers.iter().enumerate() {
            let (thinned, masks) = (&mut self.thinned.layers[number], &mut self.masks[number]);
            thinned.biases.copy_from_slice(&layer.biases);
            for (place, weight) in layer.weights.iter().enumerate() {
                let stays = self.rates.dropout == 0.0 || random() < stay;
                masks[place] = if stays { 1.0 / stay as f32 } else { 0.0 };
                thinned.weights[place] = weight * masks[place];
            }
        }
        for example in batch {
            self.gradient.add(&self.thinned, *example);
        }
        self.steps += 1;
        let adam = Adam {
            step: self.rates.learning,
            first: 1.0 - BETA_1.powi(self.steps),
            second: 1.0 - BETA_2.powi(self.steps),
        };
        let scale = 1.0 / count as f32;
        let decay = self.rates.decay as f32;
        for (number, layer) in self.network.layers.iter_mut().enumerate() {
            let (by, masks) = (&self.gradient.by.layers[number], &self.masks[number]);
            let (first, second) = (
                &mut self.first.layers[number],
                &mut self.second.layers[number],
            );
            for (place, (weight, mask)) in layer.weights.iter_mut().zip(masks).enumerate() {
                let by = by.weights[place] * mask * scale + decay * *weight;
                let first = &mut first.weights[place];
                adam.apply(weight, by, first, &mut second.weights[place]);
            }
            for (place, bias) in layer.biases.iter_mut().enumerate() {
                let by = by.biases[place] * scale;
                adam.apply(
                    bias,
                    by,
                    &mut first.biases[place],
                    &mut second.biases[place],
                );
            }
        }
        self.gradient.loss / count as f64
    }
}

/// One step of Adam: the step size and the corrections of both moments.
struct Adam {
    step: f64,
    first: f64,
    second: f64,
}

impl Adam {
    fn apply(&self, weight: &mut f32, gradient: f32, first: &mut f32, second: &mut f32) {
        let (beta_1, beta_2) = (BETA_1 as f32, BETA_2 as f32);
        *first = beta_1 * *first + (1.0 - beta_1) * gradient;
        *second = beta_2 * *second + (1.0 - beta_2) * gradient * gradient;
        let root = (*second / self.second as f32).sqrt() + EPSILON as f32;
        *weight -= self.step as f32 * (*first / self.first as f32) / root;
    }
}
