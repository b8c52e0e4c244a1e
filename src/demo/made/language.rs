//! The languages that a made collection can be in: frequent words, syllables for all the others, and how its pages used to be encoded.

/// A language of made pages.
#[derive(Debug)]
pub struct Language {
    /// Its code (ISO 639-1).
    pub code: &'static str,
    /// Its most frequent words, the most frequent first: what tells one language from another.
    pub frequent: &'static str,
    /// What its other words are made of. No two sequences of them need to read differently.
    pub syllables: &'static str,
    /// What stands between words.
    pub space: &'static str,
    /// What ends a sentence.
    pub stop: &'static str,
    /// What stands between two parts of a sentence.
    pub comma: &'static str,
    /// Encodings that pages in it had before UTF-8, by the names of the Encoding Standard.
    pub charsets: &'static [&'static str],
}

impl Language {
    /// The language of a code.
    pub fn of(code: &str) -> Option<&'static Language> {
        all().iter().find(|language| language.code == code)
    }
}

/// The languages that there are.
pub fn all() -> &'static [Language] {
    ALL
}

/// Syllables of languages that are written in Latin letters.
const LATIN: &str = "ba be bi bo bu ca ce co da de di do du fa fe fi fo ga ge go gu ha he ho ja ka ke ki ko la le li lo lu ma me mi \
    mo mu na ne ni no nu pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za ze bar bel cor dan der din fen gal \
    har kan lan lin mar men mor nel pan per por ran ren sal sen ser tal tan ten tor val ver vin";

const ALL: &[Language] = &[
    Language {
        code: "en",
        frequent: "the of and to a in is it that was for on with he as at by this be are from or have an they which one you had not \
            but were all when there can more if out so what up about into them then some her would time has two no make like him see \
            could who been its now did down only way over after most very",
        syllables: LATIN,
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["windows-1252"],
    },
    Language {
        code: "de",
        frequent: "die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als an nach wie im \
            für man aber aus durch wenn nur war noch werden bei hat wir was wird sein einen welche sind oder zur um haben einer mir \
            über ihm diese einem ihr uns da zum kann doch vor mehr mich",
        syllables: "ba ber bu da der die dor fe fen ge gen gre ha hau he hof ing ka ke kel kra lan le lich lin lu mer mei mün na ne nis \
            ö or ra rei ren rö sa schei schla se sen sta stei stü ta te ten trä tung ü un va ver wa wei wen wol zie zim zu zü bäu",
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["windows-1252", "iso-8859-15"],
    },
    Language {
        code: "fr",
        frequent: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se il sont avec ce mais cette ou son \
            on aux comme être même tout nous ses ils leur elle fait ont ces deux été peut sans après où très entre depuis encore",
        syllables: "a bai beau bou ca cé chau che ci cou da dé dou é fa fê fran ga gè gran gne i ja jou la lai lé lou ma mai mé mon na \
            né nou o pa pê plu poi qua ra ré ron sa sé sou ta té tion tou u va vé voi vrai ç ille",
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["windows-1252", "iso-8859-15"],
    },
    Language {
        code: "es",
        frequent: "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este \
            ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay",
        syllables: "a ba bra ca cha ción co da do e fue ga gue ha i ja jo la lla lo ma mi mo na ña ño o pa pe pla que ra ro rra sa so ta \
            tra tri u va vo ya za zo ál én ín ón",
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["windows-1252"],
    },
    Language {
        code: "pl",
        frequent: "i w nie na się z do to że jest o jak za od po przez co ale tak czy był dla tym już może jego przy są tylko jej ich \
            także gdy było oraz tego przed który która które lub jako być bardzo kiedy więc ten jeszcze",
        syllables: "ba bie bra cha cie czy da dzie dź e ę ga gdy gło hu ja ką ki kra la lę lo ła ło ma mię mo na nia no ny o pa pie pro \
            ra ro rze są sie sło sta szy ta to trz ów wa wie wy za zo żą źle",
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["iso-8859-2", "windows-1250"],
    },
    Language {
        code: "ru",
        frequent: "и в не на я что он с как это по но они мы она за то из у все так его бы от же к до вы для о было быть мне если или \
            их когда уже ещё был только при чтобы этого может тоже где после потом себя этот время под",
        syllables: "ба бе во да де до е жи за зна и ка ке ко кра ла ле ли ло ма ме ми мо на не ни но о па пе по про ра ре ро са се си со \
            ста та те ти то тра у фа ха хо це ча че ши ще э ю я ный ская ость",
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["windows-1251", "koi8-r"],
    },
    Language {
        code: "el",
        frequent: "και το να η ο του της την τα που με για από είναι θα τον στο δεν σε οι τους στην των μας ένα αυτό μια όταν αλλά ή \
            όπως έχει ήταν μου σας πολύ μετά πριν μέσα κάθε χωρίς μόνο",
        syllables: "α βα γε δι ε ζω η θα ι κα κο λα λο μα με μο να νε ο πα πε πο ρα ρο σα σε σι τα τη το υ φα χα χο ψη ω ός ία ές ής",
        space: " ",
        stop: ".",
        comma: ",",
        charsets: &["iso-8859-7", "windows-1253"],
    },
    Language {
        code: "ja",
        frequent: "の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため その あっ よう また もの",
        syllables: "山 川 田 木 水 火 土 日 月 人 本 中 大 小 東 西 南 北 国 家 学 校 車 電 話 時 間 年 店 道 町 市 花 鳥 風 空 海 石 金 糸 雨 雪 春 夏 秋 冬 \
            朝 夜 食 茶 パ ト ラ ン ス カ メ リ き く さ ち つ な ぬ ね",
        space: "",
        stop: "。",
        comma: "、",
        charsets: &["shift_jis", "euc-jp"],
    },
    Language {
        code: "zh",
        frequent: "的 是 不 了 在 有 我 他 这 就 和 也 要 到 说 你 会 着 没有 我们 一个 他们 可以 因为 所以 但是 如果 还 都 很 对 为 与 从",
        syllables: "山 水 天 地 人 国 大 小 中 学 生 工 作 时 间 年 月 日 家 车 路 市 场 花 鸟 风 云 海 石 金 木 火 土 东 西 南 北 春 夏 秋 冬 早 晚 书 画 茶 \
            米 面 鱼 牛 马 羊 门 窗 灯 纸 笔 布",
        space: "",
        stop: "。",
        comma: "，",
        charsets: &["gbk", "gb18030"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_of_different_codes_and_known_charsets() {
        for (number, language) in all().iter().enumerate() {
            assert!(all()[..number].iter().all(|it| it.code != language.code));
            assert!(language.syllables.split_whitespace().count() >= 32);
            for charset in language.charsets {
                let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
                // Every word can be written in it.
                let (_, _, lost) = encoding.encode(language.frequent);
                let (_, _, lost_too) = encoding.encode(language.syllables);
                assert!(!lost && !lost_too, "{} in {charset}", language.code);
            }
        }
    }
}
