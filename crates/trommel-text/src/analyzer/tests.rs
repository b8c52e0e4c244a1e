use super::*;

#[track_caller]
fn check(analyzer: Analyzer, text: &str, expected: &[&str]) {
    assert_eq!(analyzer.terms(text), expected);
}

#[track_caller]
fn check_language(name: &str, text: &str, expected: &[&str]) {
    let analyzer = Analyzer::by_name(name).unwrap();
    assert_eq!(analyzer.terms(text), expected, "{name}");
}

/// Stems from Porter's paper ("An algorithm for suffix stripping", 1980) where it gives examples.
#[test]
fn english() {
    check(
        Analyzer::English,
        "The caresses of ponies' CATS, relational vietnamization",
        &["caress", "poni", "cat", "relat", "vietnam"],
    );
    check(
        Analyzer::English,
        "Bush's and Bush\u{2019}s U.S. 3,000.50",
        &["bush", "bush", "u.", "3,000.50"],
    );
}

#[test]
fn plain_and_none() {
    check(
        Analyzer::Plain,
        "The Cat's (meow) — Straße",
        &["the", "cat's", "meow", "straße"],
    );
    check(
        Analyzer::None,
        " The Cat's\u{a0}(meow) ",
        &["The", "Cat's", "(meow)"],
    );
}

#[test]
fn positions_and_offsets() {
    let mut found = Vec::new();
    Analyzer::English.for_each_term("the quick, lazy foxes", |t| {
        found.push((t.term.to_owned(), t.start, t.end, t.position));
    });
    let expected = [("quick", 4, 9, 1), ("lazi", 11, 15, 2), ("fox", 16, 21, 3)];
    assert_eq!(found, expected.map(|(t, s, e, p)| (t.to_owned(), s, e, p)));
}

#[test]
fn long_words_are_cut() {
    let word = "é".repeat(600);
    let lengths: Vec<usize> = Analyzer::Plain
        .terms(&word)
        .iter()
        .map(|t| t.chars().count())
        .collect();
    assert_eq!(lengths, [255, 255, 90]);
}

/// Two forms of a word that Snowball's sample vocabularies (`voc.txt` and `output.txt` of the language in the repository
/// snowballstem/snowball-data) give one stem, with a stop word in between where the language has a list.
///
/// Of Arabic, Tamil and Ukrainian no sample was at hand: the words lose an article, a plural, a case that the algorithms name.
const SAMPLES: &[(&str, &str, &[&str])] = &[
    ("arabic", "الكتاب في كتاب", &["كتاب", "كتاب"]),
    ("armenian", "Ծրագիրը և ծրագիրի", &["ծրագիր", "ծրագիր"]),
    ("basque", "Epaileak eta epaileen", &["epaile", "epaile"]),
    (
        "catalan",
        "Autèntica i autèntics",
        &["autentic", "autentic"],
    ),
    (
        "czech",
        "Olejomalby a olejomaleb",
        &["olejomalb", "olejomalb"],
    ),
    ("danish", "Mestrene og mestre", &["mestr", "mestr"]),
    ("dutch", "Tuinen en de tuin", &["tuin", "tuin"]),
    ("esperanto", "Bukloj al buklon", &["bukl", "bukl"]),
    ("estonian", "Abinõude ja abinõusid", &["abinõu", "abinõu"]),
    (
        "finnish",
        "Ehdotuksen ja ehdotuksia",
        &["ehdotuks", "ehdotuks"],
    ),
    ("french", "Les chevaux et le cheval", &["cheval", "cheval"]),
    ("german", "Die Häuser oder des Hauses", &["haus", "haus"]),
    ("greek", "Άνθρωπος και ανθρώπου", &["ανθρωπ", "ανθρωπ"]),
    ("hindi", "भ्रांतियाँ और भ्रांतियों", &["भ्रांत", "भ्रांत"]),
    (
        "hungarian",
        "Kiállítása és kiállítást",
        &["kiállítás", "kiállítás"],
    ),
    ("indonesian", "Bersedih dan kesedihan", &["sedih", "sedih"]),
    ("irish", "Chnámhaibh agus gcnámh", &["cnámh", "cnámh"]),
    (
        "italian",
        "I giardini e il giardino",
        &["giardin", "giardin"],
    ),
    ("lithuanian", "Lašiša ir lašišos", &["lašiš", "lašiš"]),
    ("nepali", "भ्रमणको र भ्रमणहरुको", &["भ्रमण", "भ्रमण"]),
    ("norwegian", "Uklare og uklarhet", &["uklar", "uklar"]),
    (
        "persian",
        "گزاره\u{200c}ها و گزاره\u{200c}هایی",
        &["گزاره", "گزاره"],
    ),
    ("polish", "Dzieciach i dzieciom", &["dziec", "dziec"]),
    (
        "portuguese",
        "Hebraicos e hebraica",
        &["hebraic", "hebraic"],
    ),
    ("romanian", "Globale şi globală", &["global", "global"]),
    (
        "russian",
        "Важная книга и важнейшие книги",
        &["важн", "книг", "важн", "книг"],
    ),
    ("serbian", "Vezivanja vezivanju", &["vezivanj", "vezivanj"]),
    ("sesotho", "Motho le batho", &["tho", "tho"]),
    ("spanish", "Los jardines y el jardín", &["jardin", "jardin"]),
    ("swedish", "Flickorna och flickor", &["flick", "flick"]),
    ("tamil", "வீடுகள் ஒரு வீடு", &["வீடு", "வீடு"]),
    ("turkish", "Kitapları ve kitaplar", &["kitap", "kitap"]),
    ("ukrainian", "Книгами та книги", &["книг", "книг"]),
    ("yiddish", "שפּיאָנירט שפּיאָנירן", &["שפיאניר", "שפיאניר"]),
];

#[test]
fn samples_of_languages() {
    let sampled = SAMPLES.iter().map(|(name, ..)| *name);
    assert!(sampled.eq(Language::all().map(Language::name)));
    for (name, text, expected) in SAMPLES {
        check_language(name, text, expected);
    }
}

/// Stems from Snowball's sample vocabularies; the other words are in the lists.
#[test]
fn sentences() {
    check_language(
        "german",
        "Die KATHOLISCHEN Kaufleute suchten in den Gärten, Wäldern und Straßen aufeinanderfolgende Bücher.",
        &[
            "kathol",
            "kaufleut",
            "sucht",
            "gart",
            "wald",
            "strass",
            "aufeinanderfolg",
            "buch",
        ],
    );
    // The apostrophe of print, too; the stemmer takes the article off.
    check_language(
        "french",
        "L\u{2019}homme et l'eau continuellement dans les jardins",
        &["homm", "eau", "continuel", "jardin"],
    );
    check_language(
        "italian",
        "L\u{2019}acqua e l'arte dell'acqua",
        &["acqua", "arte", "acqua"],
    );
    // As people write in capitals: with the dot, and without it.
    check_language(
        "turkish",
        "TÜRKİYE\u{2019}DE IŞIK ILIK",
        &["türki", "ışık", "ılık"],
    );
    // One script for both that Serbian is written in.
    check_language("serbian", "инвентаром inventaru", &["inventar", "inventar"]);
}

/// Places of words that are left out are counted, as they are with English.
#[test]
fn positions_with_stop_words() {
    let mut found = Vec::new();
    let german = Analyzer::by_name("german").unwrap();
    german.for_each_term("die Gärten und die Häuser", |t| {
        found.push((t.term.to_owned(), t.start, t.end, t.position));
    });
    let expected = [("gart", 4, 11, 1), ("haus", 20, 27, 4)];
    assert_eq!(found, expected.map(|(t, s, e, p)| (t.to_owned(), s, e, p)));
}

/// The words of `cjk` with their places in characters and their positions.
#[track_caller]
fn check_cjk(text: &str, expected: &[(&str, usize, usize, usize)]) {
    let mut found = Vec::new();
    Analyzer::Cjk.for_each_term(text, |t| {
        let place = |at: usize| text[..at].chars().count();
        found.push((t.term.to_owned(), place(t.start), place(t.end), t.position));
    });
    let expected: Vec<_> = expected
        .iter()
        .map(|(term, start, end, position)| ((*term).to_owned(), *start, *end, *position))
        .collect();
    assert_eq!(found, expected, "{text}");
}

/// Inputs and what is expected of them are those of Lucene's `TestCJKAnalyzer` and `TestCJKBigramFilter`, with increments of
/// positions added up.
#[test]
fn as_lucenes_cjk_analyzer() {
    let numerals = "一二三四五六七八九十";
    let pairs: Vec<String> = (0..9)
        .map(|at| numerals.chars().skip(at).take(2).collect())
        .collect();
    let expected: Vec<_> = (0..9)
        .map(|at| (pairs[at].as_str(), at, at + 2, at))
        .collect();
    check_cjk(numerals, &expected);
    check_cjk(
        "一 二三四 五六七八九 十",
        &[
            ("一", 0, 1, 0),
            ("二三", 2, 4, 1),
            ("三四", 3, 5, 2),
            ("五六", 6, 8, 4),
            ("六七", 7, 9, 5),
            ("七八", 8, 10, 6),
            ("八九", 9, 11, 7),
            ("十", 12, 13, 9),
        ],
    );
    check_cjk(
        "abc defgh ijklmn opqrstu vwxy z",
        &[
            ("abc", 0, 3, 0),
            ("defgh", 4, 9, 1),
            ("ijklmn", 10, 16, 2),
            ("opqrstu", 17, 24, 3),
            ("vwxy", 25, 29, 4),
            ("z", 30, 31, 5),
        ],
    );
    check_cjk("あい   ", &[("あい", 0, 2, 0)]);
    check_cjk("test   ", &[("test", 0, 4, 0)]);
    check_cjk("あいtest", &[("あい", 0, 2, 0), ("test", 2, 6, 2)]);
    check_cjk("testあい    ", &[("test", 0, 4, 0), ("あい", 4, 6, 1)]);
    check_cjk(
        "あいうえおabcかきくけこ",
        &[
            ("あい", 0, 2, 0),
            ("いう", 1, 3, 1),
            ("うえ", 2, 4, 2),
            ("えお", 3, 5, 3),
            ("abc", 5, 8, 5),
            ("かき", 8, 10, 6),
            ("きく", 9, 11, 7),
            ("くけ", 10, 12, 8),
            ("けこ", 11, 13, 9),
        ],
    );
    check_cjk(
        "あいうえおabんcかきくけ こ",
        &[
            ("あい", 0, 2, 0),
            ("いう", 1, 3, 1),
            ("うえ", 2, 4, 2),
            ("えお", 3, 5, 3),
            ("ab", 5, 7, 5),
            ("ん", 7, 8, 6),
            ("c", 8, 9, 7),
            ("かき", 9, 11, 8),
            ("きく", 10, 12, 9),
            ("くけ", 11, 13, 10),
            ("こ", 14, 15, 12),
        ],
    );
    check_cjk(
        "一 رُوبرت موير",
        &[("一", 0, 1, 0), ("رُوبرت", 2, 8, 1), ("موير", 9, 13, 2)],
    );
    check(
        Analyzer::Cjk,
        "𩬅艱鍟䇹愯瀛",
        &["𩬅艱", "艱鍟", "鍟䇹", "䇹愯", "愯瀛"],
    );
    check(Analyzer::Cjk, "一丁丂", &["一丁", "丁丂"]);
    check(
        Analyzer::Cjk,
        "多くの学生が試験に落ちた。",
        &[
            "多く", "くの", "の学", "学生", "生が", "が試", "試験", "験に", "に落", "落ち", "ちた",
        ],
    );
}

/// Inputs of Lucene's `TestCJKWidthFilter`, whose words are paired here.
#[test]
fn widths() {
    check(Analyzer::Cjk, "Ｔｅｓｔ １２３４", &["test", "1234"]);
    check(Analyzer::Cjk, "ｶﾀｶﾅ", &["カタ", "タカ", "カナ"]);
    check(Analyzer::Cjk, "ｳﾞｨｯﾂ", &["ヴィ", "ィッ", "ッツ"]);
    let panasonic = ["パナ", "ナソ", "ソニ", "ニッ", "ック"];
    check(Analyzer::Cjk, "ﾊﾟﾅｿﾆｯｸ", &panasonic);
    check(Analyzer::Cjk, "パナソニック", &panasonic);
    // A mark that combines is no character of its own; places are those of the text.
    check_cjk("か\u{3099}ｶﾞす", &[("がガ", 0, 4, 0), ("ガす", 2, 5, 1)]);
}

/// What Lucene's filter leaves as it finds it: Hangul beside Latin letters and digits, Thai and its neighbours. Characters without
/// width are not there.
#[test]
fn bigrams_beyond_lucene() {
    check(
        Analyzer::Cjk,
        "2024년에 한국abc",
        &["2024", "년에", "한국", "abc"],
    );
    check(
        Analyzer::Cjk,
        "ภาษาไทย ๒๕๖๗",
        &["ภา", "าษ", "ษา", "าไ", "ไท", "ทย", "๒๕๖๗"],
    );
    check(Analyzer::Cjk, "ខ្មែរ", &["ខ្", "្ម", "មែ", "ែរ"]);
    check(Analyzer::Cjk, "ខ\u{200b}្ម", &["ខ្", "្ម"]);
    check(Analyzer::Cjk, "葛\u{e0100}城", &["葛城"]);
    // Neither a middle dot nor a full stop is part of a run.
    check(Analyzer::Cjk, "東・京。都", &["東", "京", "都"]);
}

/// Where no script without spaces is written, `cjk` is `plain`.
#[test]
fn cjk_is_plain_elsewhere() {
    for text in [
        "The Cat's (meow) — Straße, l’eau",
        "Привет, мир! 3,000.50 a_b",
        "שלום \"צה\"ל\" رُوبرت",
        "e\u{301}te\u{301} भ्रांतियाँ",
    ] {
        assert_eq!(Analyzer::Cjk.terms(text), Analyzer::Plain.terms(text));
    }
}

#[test]
fn names_and_descriptions() {
    for analyzer in Analyzer::all() {
        assert_eq!(Analyzer::by_name(analyzer.name()), Some(analyzer));
        let description = analyzer.describe();
        let json = serde_json::to_string(&description).unwrap();
        assert!(json.starts_with(&format!("{{\"name\":\"{}\"", analyzer.name())));
        assert_eq!(
            serde_json::from_str::<AnalyzerDescription>(&json).unwrap(),
            description
        );
        assert_eq!(
            description.stop_list.is_none(),
            description.stop_words.is_empty(),
            "{}",
            analyzer.name()
        );
    }
    let error = serde_json::from_str::<Analyzer>("\"germna\"").unwrap_err();
    assert!(error.to_string().contains("did you mean 'german'?"));
}

/// Manifests of `english` that were written before lists had names.
#[test]
fn descriptions_without_the_name_of_a_list() {
    let mut description = serde_json::to_value(Analyzer::English.describe()).unwrap();
    description.as_object_mut().unwrap().remove("stop_list");
    let read: AnalyzerDescription = serde_json::from_value(description).unwrap();
    assert_eq!(read, Analyzer::English.describe());
}

/// What manifests say of the algorithms' day is the version of the crate that is built in.
#[test]
fn the_day_of_the_algorithms() {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut locks = own.ancestors().map(|folder| folder.join("Cargo.lock"));
    let lock = std::fs::read_to_string(locks.find(|lock| lock.exists()).unwrap()).unwrap();
    let (_, entry) = lock.split_once("name = \"frostem\"\nversion = \"").unwrap();
    let day = entry.split('.').nth(1).unwrap();
    let stemmer = Analyzer::by_name("german").unwrap().describe().stemmer;
    let expected = format!("of {}-{}-{}", &day[..4], &day[4..6], &day[6..]);
    assert!(stemmer.unwrap().ends_with(&expected));
}
