//! In what order the pages of all segments are gone through.

use std::ops::Range;

use super::window::windows;

/// Windows of the first stretch.
const FIRST: usize = 4;

/// Divides the pages of segments into stretches of one segment each. They grow, since the first ones raise the score that the others have to reach; for
/// several threads they are shorter, since some take longer.
pub(super) fn stretches(
    segments: impl Iterator<Item = u32>,
    threads: usize,
) -> Vec<(usize, Range<u32>)> {
    let all = segments.enumerate();
    let all = all.flat_map(|(segment, pages)| windows(0..pages).map(move |it| (segment, it)));
    let all: Vec<(usize, Range<u32>)> = all.collect();
    let (mut stretches, mut rest, mut count) = (Vec::new(), all.as_slice(), FIRST);
    while !rest.is_empty() {
        let (some, after) = rest.split_at(count.min(rest.len()));
        let length = match threads {
            1 => some.len(),
            threads => some.len().div_ceil(2 * threads),
        };
        let of_segment = some.chunk_by(|a, b| a.0 == b.0);
        for windows in of_segment.flat_map(|windows| windows.chunks(length)) {
            if let [(segment, first), ..] = windows
                && let [.., (_, last)] = windows
            {
                stretches.push((*segment, first.start..last.end));
            }
        }
        (rest, count) = (after, 2 * count);
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::super::window::WIDTH;
    use super::*;

    #[test]
    fn all_pages_once_in_order() {
        let width = WIDTH as u32;
        for threads in [1, 2, 7] {
            let segments = [3 * width + 1, 0, 1, 40 * width];
            let stretches = stretches(segments.into_iter(), threads);
            assert!(stretches.len() > 3);
            let mut next = [0; 4];
            let mut last = 0;
            for (segment, stretch) in stretches {
                assert!(segment >= last && stretch.start == next[segment]);
                (next[segment], last) = (stretch.end, segment);
            }
            assert_eq!(next, segments);
        }
    }
}
