//! What is put down of a block: every feature, with its name and unit, in order.

use trommel_page::{ElementId, Tag};

use super::lexicon::{CLASSES, TEXTS};
use super::outline::{Container, Holding, KINDS, Repeat, Unit, score};
use super::{MOST_AROUND, Measured, Near, Sink, yes};

const HOSTS: [Tag; 6] = [Tag::P, Tag::Div, Tag::Li, Tag::Td, Tag::H1, Tag::Blockquote];
pub(super) const AROUND: [Tag; 21] = [
    Tag::P,
    Tag::Ul,
    Tag::Ol,
    Tag::Table,
    Tag::Form,
    Tag::Blockquote,
    Tag::Nav,
    Tag::Header,
    Tag::Footer,
    Tag::Aside,
    Tag::Article,
    Tag::Section,
    Tag::Center,
    Tag::Dl,
    Tag::Main,
    Tag::Pre,
    Tag::Code,
    Tag::Figure,
    Tag::Button,
    Tag::Label,
    Tag::Details,
];
/// The place of a tag in [`AROUND`]; beyond its end for the others. It is asked very often.
pub(super) fn around(tag: &Tag) -> usize {
    match tag {
        Tag::P => 0,
        Tag::Ul => 1,
        Tag::Ol => 2,
        Tag::Table => 3,
        Tag::Form => 4,
        Tag::Blockquote => 5,
        Tag::Nav => 6,
        Tag::Header => 7,
        Tag::Footer => 8,
        Tag::Aside => 9,
        Tag::Article => 10,
        Tag::Section => 11,
        Tag::Center => 12,
        Tag::Dl => 13,
        Tag::Main => 14,
        Tag::Pre => 15,
        Tag::Code => 16,
        Tag::Figure => 17,
        Tag::Button => 18,
        Tag::Label => 19,
        Tag::Details => 20,
        _ => AROUND.len(),
    }
}

/// How many neighbours before, and after, are looked at together.
const WINDOW: usize = 10;
/// What stands for a distance to something that is not there.
const FAR: f32 = 999.0;

impl Measured<'_> {
    pub(super) fn put_all(&self, sink: &mut impl Sink) {
        self.put_text(sink);
        self.put_elements(sink);
        self.put_position(sink);
        self.put_page(sink);
        self.put_containers(sink);
        self.put_look(sink);
        self.put_repeats(sink);
        self.put_neighbours(sink);
    }

    fn density(&self, at: usize) -> f32 {
        self.blocks[at].text_density() as f32
    }

    fn put_text(&self, sink: &mut impl Sink) {
        let (unit, text) = (self.unit, &self.unit.text);
        let (words, tokens) = (text.words.max(1.0), text.tokens.max(1.0));
        let characters = text.characters.max(1.0);
        let mut put = |name: &str, unit, value| sink.put(format_args!("{name}"), unit, value);
        put("words", "words", text.words);
        put("characters", "characters", text.characters);
        put("link_density", "share of tokens", unit.link_density());
        put("unlinked", "tokens", text.tokens - unit.linked);
        put("text_density", "tokens per line", self.density(self.number));
        put("stops", "per word", text.stops / words);
        put("commas", "per word", text.commas / words);
        put("frequent", "share of words", text.frequent / words);
        put("num_frequent", "words", text.frequent);
        put("digits", "share of characters", text.digits / characters);
        put("capitalised", "share of tokens", text.capitalised / tokens);
        put("bars", "characters", text.bars);
        put("letters", "share of characters", text.letters / characters);
        put("short_words", "share of words", text.short_words / words);
        put("money", "characters", text.money);
        let ends = |with: &[char]| yes(text.last.is_some_and(|last| with.contains(&last)));
        put(
            "ends_sentence",
            "1/0",
            ends(&['.', '!', '?', '"', '”', '。', '！', '？', '।']),
        );
        put("ends_colon", "1/0", ends(&[':']));
        let trimmed = self.blocks[self.number].text.trim_end();
        let dots = trimmed.ends_with("...") || trimmed.ends_with('…');
        put("ends_dots", "1/0", yes(dots));
        put(
            "begins_upper",
            "1/0",
            yes(text.first.is_some_and(char::is_uppercase)),
        );
        put(
            "begins_lower",
            "1/0",
            yes(text.first.is_some_and(char::is_lowercase)),
        );
        let holds = |parts: &[&str]| {
            yes(parts
                .iter()
                .any(|part| self.blocks[self.number].text.contains(part)))
        };
        put("copyright", "1/0", holds(&["©", "(c)"]));
        put("year", "1/0", yes(text.has_year));
        put("time", "1/0", yes(text.has_time));
        put("address", "1/0", holds(&["http", "www.", ".com"]));
        put("leaves", "leaves", unit.leaves);
        put("same_text", "blocks", unit.same_text);
        for ((name, _), count) in TEXTS.iter().zip(text.groups) {
            sink.put(
                format_args!("says_{name}"),
                "words per √words",
                count / words.sqrt(),
            );
        }
    }

    /// Tags and classes: how near the next element of a kind is, 1 for the element around the leaf itself, 1/2 for its parent …, 0
    /// for none.
    fn put_elements(&self, sink: &mut impl Sink) {
        let host = self.page.tag(self.unit.host);
        for tag in &HOSTS {
            sink.put(format_args!("host_{tag}"), "1/0", yes(host == tag));
        }
        let key = self.page.tag(self.unit.key);
        sink.put(format_args!("key_a"), "1/0", yes(*key == Tag::A));
        let mut tags = [0.0f32; AROUND.len()];
        let mut classes = [0.0f32; CLASSES.len()];
        let mut numbers = [0.0f32; 3];
        for (distance, &element) in self.path.iter().enumerate() {
            let nearness = 1.0 / (1.0 + distance as f32);
            let tag = self.page.tag(element);
            if let Some(place) = tags.get_mut(around(tag))
                && *place == 0.0
            {
                *place = nearness;
            }
            let number = match tag {
                Tag::Table => 0,
                Tag::Div => 1,
                Tag::Ul => 2,
                _ => numbers.len(),
            };
            if let Some(number) = numbers.get_mut(number) {
                *number += 1.0;
            }
            let mut groups = self.outline.groups[element as usize];
            while groups != 0 {
                let place = &mut classes[groups.trailing_zeros() as usize];
                if *place == 0.0 {
                    *place = nearness;
                }
                groups &= groups - 1;
            }
        }
        for (tag, nearness) in AROUND.iter().zip(tags) {
            sink.put(format_args!("in_{tag}"), "1/(1+steps)", nearness);
        }
        for (name, number) in ["table", "div", "ul"].iter().zip(numbers) {
            sink.put(format_args!("num_{name}"), "elements", number);
        }
        for ((name, _), nearness) in CLASSES.iter().zip(classes) {
            sink.put(format_args!("class_{name}"), "1/(1+steps)", nearness);
        }
        let called = self.near[self.number].called;
        for (name, number) in ["negative", "positive"].iter().zip(called) {
            sink.put(format_args!("num_{name}"), "elements", number);
        }
        let headline = self.near[self.number].headline;
        sink.put(format_args!("headline"), "1/0", headline);
    }

    fn put_position(&self, sink: &mut impl Sink) {
        let (number, blocks) = (self.number as f32, self.outline.units.len() as f32);
        let middle = self.before.words + self.unit.text.words / 2.0;
        let mut put = |name: &str, unit, value| sink.put(format_args!("{name}"), unit, value);
        put("position", "share of blocks", number / blocks);
        put(
            "word_position",
            "share of words",
            middle / self.outline.words.max(1.0),
        );
        put("from_start", "blocks", number);
        put("from_end", "blocks", blocks - 1.0 - number);
        put(
            "from_largest",
            "blocks",
            number - self.outline.largest as f32,
        );
        let first = self.landmarks.first_headline;
        let from_first = first.map_or(FAR, |first| number - first as f32);
        put("from_first_headline", "blocks", from_first);
        put(
            "from_first_long",
            "blocks",
            number - self.landmarks.first_long as f32,
        );
        put(
            "from_last_long",
            "blocks",
            number - self.landmarks.last_long as f32,
        );
        put("comments_so_far", "blocks", self.before.in_comments);
        put("since_headline", "blocks", self.before.since_headline);
        put(
            "headline_speaks_of",
            "number",
            self.before.headline_speaks_of,
        );
    }

    fn put_page(&self, sink: &mut impl Sink) {
        let outline = self.outline;
        let words = outline.words.max(1.0);
        let largest = outline.units[outline.largest].text.words;
        let mut put = |name: &str, unit, value| sink.put(format_args!("page_{name}"), unit, value);
        put("blocks", "blocks", outline.units.len() as f32);
        put("words", "words", outline.words);
        put(
            "link_density",
            "share of tokens",
            outline.linked / words.max(outline.linked),
        );
        put("long_blocks", "blocks", outline.long_blocks);
        put("long_words", "share of words", outline.long_words / words);
        put("largest", "share of words", largest / words);
        for (name, number) in KINDS.iter().zip(outline.kinds) {
            put(name, "number", number);
        }
    }

    fn put_containers(&self, sink: &mut impl Sink) {
        let outline = self.outline;
        let containers = [
            ("half", &outline.half),
            ("readable", &outline.readable),
            ("first_headline", &outline.headline),
        ];
        for (name, container) in containers {
            let (up, down) = self.steps(container);
            let holding = &outline.holdings[container.element as usize];
            let side = match self.number {
                number if number < holding.first => -1.0,
                number if number > holding.last => 1.0,
                _ => 0.0,
            };
            sink.put(format_args!("{name}_up"), "structural elements", up);
            sink.put(format_args!("{name}_down"), "structural elements", down);
            sink.put(format_args!("{name}_side"), "-1/0/1", side);
        }
        for (name, far) in [("best", usize::MAX), ("near", 3)] {
            let scores = self.path.iter().take(far);
            let scores = scores.map(|element| score(&outline.holdings[*element as usize]));
            let best = scores.fold(0.0, f32::max) / outline.best_score.max(0.1);
            sink.put(format_args!("score_{name}"), "share of the best", best);
        }
        // The host, and the next elements around it that hold more words.
        let mut level = 0;
        let mut words = 0.0;
        for element in self.page.ancestors(self.unit.host).take(MOST_AROUND) {
            let holding = &outline.holdings[element as usize];
            if level == 0 || holding.words > words {
                self.put_level(sink, level, Some(holding));
                words = holding.words;
                level += 1;
            }
            if level == LEVELS {
                break;
            }
        }
        for level in level..LEVELS {
            self.put_level(sink, level, None);
        }
    }

    /// Structural elements from a container up to the first one that encloses the block too, and from there down to the block.
    fn steps(&self, container: &Container) -> (f32, f32) {
        let mut down = 0.0;
        for &element in self.path {
            if let Some(up) = container.steps[element as usize] {
                return (f32::from(up), down);
            }
            down += yes(self.page.tag(element).is_structural());
        }
        (99.0, down)
    }

    fn put_level(&self, sink: &mut impl Sink, level: usize, holding: Option<&Holding>) {
        let of = |value: fn(&Holding) -> f32| holding.map_or(0.0, value);
        let words = of(|holding| holding.words);
        let (linked, blocks) = (of(|holding| holding.linked), of(|holding| holding.blocks));
        let whole = words.max(1.0);
        let mut put =
            |name: &str, unit, value| sink.put(format_args!("level{level}_{name}"), unit, value);
        put(
            "share",
            "share of words",
            words / self.outline.words.max(1.0),
        );
        put("words", "words", words);
        put(
            "link_density",
            "share of tokens",
            linked / whole.max(linked),
        );
        put("mean_words", "words", words / blocks.max(1.0));
        put(
            "long",
            "share of words",
            of(|holding| holding.long_words) / whole,
        );
        put("commas", "per word", of(|holding| holding.commas) / whole);
        put("blocks", "blocks", blocks);
    }

    fn put_look(&self, sink: &mut impl Sink) {
        let look = &self.outline.looks[self.unit.look];
        let words = look.words.max(1.0);
        let largest = &self.outline.units[self.outline.largest];
        let mut put = |name: &str, unit, value| sink.put(format_args!("look_{name}"), unit, value);
        put("blocks", "blocks", look.blocks);
        put(
            "share",
            "share of words",
            look.words / self.outline.words.max(1.0),
        );
        put("mean_words", "words", look.words / look.blocks.max(1.0));
        put("link_density", "share of tokens", look.linked / words);
        put("most_words", "words", look.most_words);
        put("stops", "per word", look.stops / words);
        put("of_largest", "1/0", yes(self.unit.look == largest.look));
    }

    /// Of the elements around the block those that have brothers of the same tag and class, three or more: the nearest, and the
    /// outermost. Posts of a thread, items of a list, products of a shop are such.
    fn put_repeats(&self, sink: &mut impl Sink) {
        let repeats = &self.outline.repeats;
        let brothers = |element: ElementId| {
            let number = repeats.of_element[element as usize] as usize;
            repeats.groups.get(number).filter(|of| of.elements >= 3.0)
        };
        let steps = || self.path.iter().enumerate();
        let mut found = steps().filter(|(_, element)| brothers(**element).is_some());
        let nearest = found.next();
        let outermost = found.next_back().or(nearest);
        for (name, found) in [("repeat", nearest), ("outer_repeat", outermost)] {
            let group = found.and_then(|(_, element)| brothers(*element));
            let of = |value: fn(&Repeat) -> f32| group.map_or(0.0, value);
            let holding = found.map(|(_, element)| &self.outline.holdings[*element as usize]);
            let mut put =
                |what: &str, unit, value| sink.put(format_args!("{name}_{what}"), unit, value);
            put("steps", "elements", found.map_or(99.0, |(at, _)| at as f32));
            put("elements", "elements", of(|of| of.elements));
            put("mean_words", "words", of(|of| of.words / of.elements));
            let links = of(|of| of.linked / of.words.max(of.linked).max(1.0));
            put("link_density", "share of tokens", links);
            let share = of(|of| of.words) / self.outline.words.max(1.0);
            put("share", "share of words", share);
            put("words", "words", holding.map_or(0.0, |of| of.words));
        }
    }

    fn put_neighbours(&self, sink: &mut impl Sink) {
        for distance in [-2isize, -1, 1, 2] {
            let at = self.number.checked_add_signed(distance);
            let at = at.filter(|at| *at < self.outline.units.len());
            let unit = at.map(|at| &self.outline.units[at]);
            let near = at.map(|at| &self.near[at]);
            let of = |value: &dyn Fn(&Unit) -> f32| unit.map_or(-1.0, value);
            let is = |value: fn(&Near) -> f32| near.map_or(-1.0, value);
            let side = if distance < 0 { "prev" } else { "next" };
            let far = distance.unsigned_abs();
            let mut put =
                |name: &str, unit, value| sink.put(format_args!("{side}{far}_{name}"), unit, value);
            put("words", "words", of(&|unit| unit.text.words));
            put("link_density", "share of tokens", of(&Unit::link_density));
            let density = at.map_or(-1.0, |at| self.density(at));
            put("text_density", "tokens per line", density);
            let frequent = |unit: &Unit| unit.text.frequent / unit.text.words.max(1.0);
            put("frequent", "share of words", of(&frequent));
            if far > 1 {
                continue;
            }
            put("stops", "characters", of(&|unit| unit.text.stops));
            put("commas", "characters", of(&|unit| unit.text.commas));
            let capitalised = |unit: &Unit| unit.text.capitalised / unit.text.tokens.max(1.0);
            put("capitalised", "share of tokens", of(&capitalised));
            put("headline", "1/0", is(|near| near.headline));
            put("same_host", "1/0", is(|near| near.same_host));
            put(
                "called",
                "elements",
                is(|near| near.called[1] - near.called[0]),
            );
            let largest = &self.outline.units[self.outline.largest];
            put(
                "look_of_largest",
                "1/0",
                of(&|unit| yes(unit.look == largest.look)),
            );
        }
        let sums = &self.landmarks.sums;
        let windows = [
            ("before", self.number.saturating_sub(WINDOW), self.number),
            (
                "after",
                self.number + 1,
                (self.number + 1 + WINDOW).min(sums.len() - 1),
            ),
        ];
        for (name, from, to) in windows {
            let [words, linked, long] = [0, 1, 2].map(|of| sums[to][of] - sums[from][of]);
            sink.put(format_args!("{name}_words"), "words", words);
            let links = linked / words.max(1.0);
            sink.put(
                format_args!("{name}_link_density"),
                "share of tokens",
                links,
            );
            sink.put(format_args!("{name}_long"), "blocks", long);
        }
    }
}

/// The host and the elements around it whose holdings are features.
const LEVELS: usize = 4;
