//! A row of the table of attributes is all that it takes: whatever row there is can be used from the command line, from the API and
//! in a sweep.

use trommel::attribute::{self, Kind, Side};

use crate::cli::objects;
use crate::serve::{array, demo};

/// A threshold that parts the blocks of the demo.
fn threshold(name: &str) -> &'static str {
    match name {
        "words" | "tokens" | "position" => "6",
        "linked-words" | "commas" => "1",
        "lines" => "2",
        "chars" => "30",
        "density" => "4.5",
        "link-density" | "position-share" | "confidence" => "0.4",
        "page-words" => "290",
        _ => "1",
    }
}

#[test]
fn every_number_has_a_flag_a_parameter_and_a_series() {
    let (place, server) = demo();
    let unfiltered = place.run("search --index ix --json -k 1000 garden").out;
    for bound in attribute::bounds() {
        // The demo has no labels with confidences; tests/it/confidences.rs has some.
        if matches!(bound.attribute.kind, Kind::Confidence) {
            continue;
        }
        let (name, value) = (bound.name(), threshold(bound.attribute.name));
        let operator = match bound.side {
            Side::Least => ">=",
            Side::Greatest => "<=",
        };
        let expression = format!("{} {operator} {value}", bound.attribute.name);
        let search = ["search", "--index", "ix", "--json", "-k", "1000"];
        let flag = format!("--{name}={value}");
        let by_flag = place.run_with(&[&search[..], &[&flag, "garden"]].concat(), b"");
        assert_eq!(by_flag.code, 0, "{flag}: {}", by_flag.err);
        let flag = format!("--filter={expression}");
        let by_expression = place.run_with(&[&search[..], &[&flag, "garden"]].concat(), b"");
        assert_eq!(by_flag.out, by_expression.out, "{name}");
        assert_ne!(by_flag.out, unfiltered, "{name} {value} filters nothing");

        let parameter = name.replace('-', "_");
        let found = server.json(&format!("/api/search?q=garden&k=100&{parameter}={value}"));
        assert_eq!(found["filter"], expression);
        let expected = objects(&by_flag.out);
        let docids = |of: &[serde_json::Value]| -> Vec<String> {
            let docids = of.iter().take(100).map(|one| one["docid"].to_string());
            docids.collect()
        };
        assert_eq!(
            docids(array(&found["results"])),
            docids(&expected),
            "{name}"
        );

        let line = format!(
            "sweep --index ix --topics topics.xml --qrels qrels.txt --vary {name}={value} -m P@10 --json"
        );
        let swept = place.run(&line);
        assert_eq!(swept.code, 0, "{line}: {}", swept.err);
        let swept: serde_json::Value = serde_json::from_str(&swept.out).unwrap();
        let point = &swept["lines"][0]["points"][0];
        assert_eq!(point["result"]["filter"], expression, "{line}");
    }
}

/// What a facet counts is what its filter keeps.
#[test]
fn facets_count_what_their_filters_keep() {
    let (_place, server) = demo();
    let mut looked_at = 0;
    for filter in ["", "&min_words=11", "&filter=tag+in+(p,+li)&max_words=40"] {
        let answer = server.json(&format!("/api/filter?facets=true{filter}"));
        for facet in array(&answer["facets"]) {
            let values = array(&facet["values"]);
            let counts = values.iter().map(|value| value["count"].as_u64());
            assert!(counts.is_sorted_by(|a, b| a >= b), "{facet}");
            // A facet of an attribute that the filter compares is counted without that comparison.
            let others = match facet["attribute"].as_str() {
                Some("tag") => filter.replace("filter=tag+in+(p,+li)", "filter=words+%3E=+0"),
                _ => filter.to_owned(),
            };
            let expression = |value: &serde_json::Value| {
                let text = value["filter"].as_str().unwrap();
                let text = text.replace(' ', "+").replace('=', "%3D");
                match others.split_once("filter=") {
                    Some((before, rest)) => {
                        let (own, rest) = rest.split_once('&').unwrap_or((rest, ""));
                        format!("{before}filter={own}+and+{text}&{rest}")
                    }
                    None => format!("{others}&filter={text}"),
                }
            };
            for value in values {
                let kept =
                    &server.json(&format!("/api/filter?{}", &expression(value)[1..]))["kept"];
                let of = facet["of"].as_str().unwrap();
                assert_eq!(kept[of], value["count"], "{filter}: {value}");
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 40, "{looked_at}");
}
