//! Flags of the block filter: `--filter EXPR`, `--extractor NAME`, and a flag for each bound of the table of attributes.

use clap::{Arg, ArgMatches, Command, FromArgMatches};
use trommel::attribute::{self, Bound, Side};
use trommel::filter::{Filter, ShortForms};

/// Which blocks count.
#[derive(Debug, Clone, Default)]
pub struct FilterArgs {
    filter: Filter,
}

impl FilterArgs {
    /// The filter value.
    pub fn filter(&self) -> Filter {
        self.filter.clone()
    }
}

const HEADING: &str = "Block filter";

impl clap::Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        let filter = Arg::new("filter")
            .long("filter")
            .value_name("EXPR")
            .value_parser(|text: &str| text.parse::<Filter>().map(|_| text.to_owned()))
            .help("Keep blocks that pass an expression: 'words >= 11 and (link-density <= 0.33 or justext)'; all flags go together")
            .help_heading(HEADING);
        let extractor = Arg::new("extractor")
            .long("extractor")
            .value_name("NAME")
            .help(
                "Keep blocks that this extractor takes for content; the index must have its labels",
            )
            .help_heading(HEADING);
        command
            .arg(filter)
            .arg(extractor)
            .args(attribute::bounds().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The flag of a bound. Those of attributes without an axis are in the long help alone.
fn flag(bound: Bound) -> Arg {
    let range = bound.attribute.range();
    let whole = range.is_some_and(|range| range.digits == 0);
    let extent = match range {
        Some(range) if range.most < u32::MAX => format!(" (0 to {})", range.most),
        _ => String::new(),
    };
    let which = match bound.side {
        Side::Least => "at least",
        Side::Greatest => "at most",
    };
    let value = if whole { "N" } else { "X" };
    let mut label = bound.attribute.label.to_owned();
    label[..1].make_ascii_uppercase();
    Arg::new(bound.name())
        .long(bound.name())
        .value_name(value)
        .value_parser(move |text: &str| {
            let checked = ShortForms::default().bound(bound, text);
            checked
                .map(|()| text.to_owned())
                .map_err(|error| error.what())
        })
        .help(format!("{label}: {which} {value}{extent}"))
        .help_heading(HEADING)
        .hide_short_help(bound.attribute.axis.is_none())
}

impl FromArgMatches for FilterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = FilterArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut forms = ShortForms::default();
        let bounds = attribute::bounds().map(|bound| bound.name());
        for name in ["filter".to_owned(), "extractor".to_owned()]
            .into_iter()
            .chain(bounds)
        {
            if let Some(value) = matches.get_one::<String>(&name) {
                let added = forms.add(&name, value);
                added.map_err(|error| {
                    clap::Error::raw(clap::error::ErrorKind::ValueValidation, error)
                })?;
            }
        }
        self.filter = forms.filter();
        Ok(())
    }
}
