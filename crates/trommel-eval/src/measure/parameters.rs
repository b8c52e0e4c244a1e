//! Parameters of measures: the keys that a family takes, and the values of one measure.

use std::fmt;

/// A key that the measures of a family take, such as `rel` in `P(rel=2)@5`.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name, as ir_measures has it where it has one.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What holds where it is not given.
    pub need: Need,
}

/// What values a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A number of documents from 1.
    Cutoff,
    /// A grade.
    Grade,
    /// `True` or `False`.
    Flag,
    /// A number in `min..=max`.
    Number {
        /// The least that is taken.
        min: f64,
        /// The most that is taken.
        max: f64,
    },
    /// Numbers: `[1,-1,0,0]`, in trec_eval's style without brackets.
    Numbers {
        /// How many, if that is fixed; else one or more.
        count: Option<usize>,
    },
    /// Gains of grades: `{1:3,2:9}`, in trec_eval's style `1=3,2=9`.
    Gains,
}

/// What holds where a key is not given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Need {
    /// It must be given.
    Required,
    /// The measure does without.
    Optional,
    /// This value.
    Default(Constant),
}

/// A value in the table of measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// A cutoff or a grade.
    Whole(i64),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Numbers.
    Numbers(&'static [f64]),
}

impl Constant {
    /// The value.
    pub fn value(self) -> Value {
        match self {
            Constant::Whole(k) => Value::Whole(k),
            Constant::Number(x) => Value::Number(x),
            Constant::Flag(flag) => Value::Flag(flag),
            Constant::Numbers(numbers) => Value::Numbers(numbers.to_vec()),
        }
    }
}

/// The value of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A cutoff or a grade.
    Whole(i64),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Numbers, in the order given.
    Numbers(Vec<f64>),
    /// Gains of grades, in the order given.
    Gains(Vec<(i32, f64)>),
}

impl Kind {
    /// Reads a value as ir_measures writes it; none if the kind does not take it.
    pub(super) fn read(self, text: &str) -> Option<Value> {
        let text = text.trim();
        match self {
            Kind::Cutoff => cutoff(text.parse().ok()?),
            Kind::Grade => Some(Value::Whole(text.parse::<i32>().ok()?.into())),
            Kind::Flag => match text {
                "True" | "true" => Some(Value::Flag(true)),
                "False" | "false" => Some(Value::Flag(false)),
                _ => None,
            },
            Kind::Number { .. } => self.number(text),
            Kind::Numbers { count } => numbers(text.strip_prefix('[')?.strip_suffix(']')?, count),
            Kind::Gains => gains(text.strip_prefix('{')?.strip_suffix('}')?, ':'),
        }
    }

    /// Reads a value as trec_eval writes it; none if the kind does not take it.
    pub(super) fn read_trec(self, text: &str) -> Option<Value> {
        match self {
            // trec_eval reads the whole number that a cutoff begins with: 23.4 is 23.
            Kind::Cutoff => cutoff(text.split('.').next()?.parse().ok()?),
            Kind::Numbers { count } => numbers(text, count),
            Kind::Gains => gains(text, '='),
            _ => self.read(text),
        }
    }

    fn number(self, text: &str) -> Option<Value> {
        let Kind::Number { min, max } = self else {
            return None;
        };
        let number: f64 = text.parse().ok()?;
        (min..=max)
            .contains(&number)
            .then_some(Value::Number(number))
    }

    /// Whether a value is of this kind.
    pub(super) fn takes(self, value: &Value) -> bool {
        match (self, value) {
            (Kind::Cutoff, Value::Whole(k)) => *k > 0,
            (Kind::Grade, Value::Whole(grade)) => i32::try_from(*grade).is_ok(),
            (Kind::Flag, Value::Flag(_)) => true,
            (Kind::Number { min, max }, Value::Number(x)) => (min..=max).contains(x),
            (Kind::Numbers { count }, Value::Numbers(numbers)) => {
                count.map_or(!numbers.is_empty(), |count| numbers.len() == count)
            }
            (Kind::Gains, Value::Gains(gains)) => !gains.is_empty(),
            _ => false,
        }
    }
}

fn cutoff(k: i64) -> Option<Value> {
    (k > 0).then_some(Value::Whole(k))
}

fn numbers(text: &str, count: Option<usize>) -> Option<Value> {
    let numbers = text.split(',').map(|word| word.trim().parse::<f64>().ok());
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    let fits =
        numbers.iter().all(|x| x.is_finite()) && count.is_none_or(|count| numbers.len() == count);
    fits.then_some(Value::Numbers(numbers))
}

fn gains(text: &str, between: char) -> Option<Value> {
    let one = |pair: &str| {
        let (grade, gain) = pair.split_once(between)?;
        let gain: f64 = gain.trim().parse().ok()?;
        gain.is_finite()
            .then_some((grade.trim().parse().ok()?, gain))
    };
    let gains: Vec<(i32, f64)> = text.split(',').map(one).collect::<Option<_>>()?;
    Some(Value::Gains(gains))
}

/// What a value of this kind is, in words.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Cutoff => f.write_str("a whole number from 1"),
            Kind::Grade => f.write_str("a grade (a whole number)"),
            Kind::Flag => f.write_str("True or False"),
            Kind::Number { min, max } if *max == f64::MAX => write!(f, "a number from {min}"),
            Kind::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Kind::Numbers { count: Some(count) } => {
                write!(f, "{count} numbers, such as [1,-1,0,0]")
            }
            Kind::Numbers { count: None } => f.write_str("numbers, such as [0.2,0.5,0.8]"),
            Kind::Gains => f.write_str("gains of grades, such as {1:3,2:9}"),
        }
    }
}

/// The value as ir_measures writes it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(k) => write!(f, "{k}"),
            Value::Number(x) => write!(f, "{x:?}"),
            Value::Flag(true) => f.write_str("True"),
            Value::Flag(false) => f.write_str("False"),
            Value::Numbers(numbers) => {
                let words: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
                write!(f, "[{}]", words.join(","))
            }
            Value::Gains(gains) => {
                let words = gains.iter().map(|(grade, gain)| format!("{grade}:{gain}"));
                write!(f, "{{{}}}", words.collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl Value {
    /// The value as trec_eval writes it.
    pub(super) fn trec(&self) -> String {
        match self {
            Value::Number(x) => format!("{x}"),
            Value::Numbers(numbers) => {
                let words: Vec<String> = numbers.iter().map(f64::to_string).collect();
                words.join(",")
            }
            Value::Gains(gains) => {
                let words = gains.iter().map(|(grade, gain)| format!("{grade}={gain}"));
                words.collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        }
    }
}

/// The parameters of one measure: a value for each key that has one, in the order of the family's keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(pub(super) Vec<(&'static str, Value)>);

impl Parameters {
    /// Parameters of these values.
    pub fn of<const N: usize>(values: [(&'static str, Value); N]) -> Self {
        Parameters(values.into())
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| value)
    }

    /// The cutoff; without one, larger than any ranking.
    pub fn cutoff(&self) -> usize {
        self.whole("cutoff")
            .map_or(usize::MAX, |k| usize::try_from(k).unwrap_or(usize::MAX))
    }

    /// The value of a key that takes a whole number.
    pub fn whole(&self, key: &str) -> Option<i64> {
        match self.get(key) {
            Some(Value::Whole(k)) => Some(*k),
            _ => None,
        }
    }

    /// The value of a key that takes a grade.
    pub fn grade(&self, key: &str) -> Option<i32> {
        self.whole(key).and_then(|grade| i32::try_from(grade).ok())
    }

    /// The value of a key that takes a number; 0 without one.
    pub fn number(&self, key: &str) -> f64 {
        match self.get(key) {
            Some(Value::Number(x)) => *x,
            _ => 0.0,
        }
    }

    /// The value of a key that takes numbers.
    pub fn numbers(&self, key: &str) -> &[f64] {
        match self.get(key) {
            Some(Value::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// The gains that grades are given.
    pub fn gains(&self) -> &[(i32, f64)] {
        match self.get("gains") {
            Some(Value::Gains(gains)) => gains,
            _ => &[],
        }
    }

    /// Whether a flag is set.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key) == Some(&Value::Flag(true))
    }
}
