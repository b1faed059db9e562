import { BASE62, BASE64URL, ESCAPE, KEY_BLOCK, KEY_END, KEY_LINES, type SecretParts, token, vendor, WORD } from "./shape.ts";

/**
 * A token whose prefix says what it is, of any vendor: `acme_live_…`, `sm_pat_…`, `e2b-key-…`. The text after it looks random, unlike the
 * names of tests and keys.
 */
function tellingPrefix(separator: string): SecretParts {
  const words = "live|test|prod|production|sandbox|pat|sat|aat|oat|sk|sec|secret|api|apikey|key|token|tkn|auth|rw|pw|admin";
  const part = `[A-Za-z0-9]{1,12}${separator}`;
  const random = `(?:(?=[a-z0-9]{0,14}[A-Z])(?=[A-Z0-9]{0,14}[a-z])(?=(?:[A-Za-z]{0,14}[0-9]){2})${BASE62}{12}|(?=(?:[a-z]{0,8}[0-9]){4})(?=[0-9]{0,9}[a-z])[a-z0-9]{24})`;
  return {
    ...token("token with a prefix", "", [BASE64URL, 14]),
    begins: `${WORD}${ESCAPE}(?:${part}){0,3}(?:${words})${separator}(?:[A-Za-z0-9]{1,16}${separator}){0,2}`,
    follows: `(?=${random})${BASE64URL}{14,}`,
    unlike: `${BASE62}{1,23}(?!${BASE64URL})`,
    trace: `${separator}(?<=(?:${words})${separator})(?=(?:[A-Za-z0-9]{1,16}${separator}){0,2}${random})`,
  };
}

/** Tokens recognized by a prefix. */
const SERVICE_TOKENS: readonly SecretParts[] = [
  vendor(
    "service token",
    "shpat_ shpca_ shppa_ shpss_ lin_api_ lin_oauth_ gsk_ xai- pplx- hvs. hvb. hvr. tskey- ntn_ r8_",
    [BASE64URL, 20],
    {
      signs: "shp _ap _oa gsk xai plx vs. vb. vr. tsk ntn r8_",
    },
  ),
  vendor("AI service token", "fw_ pcsk_ tvly- lsv2_pt_ lsv2_sk_ nvapi- jina_ cpk_ csk- tgp_v1_ rpa_ fc- pdlt_", [BASE64URL, 20], {
    signs: "fw_ csk tvl lsv vap jin cpk v1_ rpa fc- pdl",
  }),
  vendor("GitLab token", "gloas- glsoat- glft- glimt- glagent- glffct- GR1348941", [BASE64URL, 20], {
    digit: false,
    signs: "glo gls lft lim gla lff 941",
  }),
  vendor("Docker token", "dckr_pat_ dckr_oat_", [BASE64URL, 20]),
  vendor("Atlassian token", "ATATT3 ATCTT3 ATBB ATOA", ["[A-Za-z0-9_=-]", 20], { signs: "TT3 TBB TOA" }),
  vendor("Grafana token", "glsa_ glc_", ["[A-Za-z0-9_+/=]", 20]),
  vendor(
    "service token",
    "p8e- fio-u- tk-us- tk-eu- slk_ dnkey- s-s4t2ud- e2b_ composio_ ctx7sk- ak- as- eyJrIjoi sha256~",
    ["[A-Za-z0-9_-]", 20],
    {
      signs: "p8e o-u -us -eu slk nke 2ud 2b_ sio 7sk ak- as- eyJ 56~",
    },
  ),
  token("Octopus key", "API-", ["[A-Z0-9]", 26], "PI-"),
  token("ClickHouse key", "4b1d", [BASE62, 38], "b1d"),
  token("Harness token", "[ps]at\\.[A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.", [BASE62, 20], "at."),
  token("Yandex token", "t1\\.[A-Z0-9a-z_-]{8,200}\\.", [BASE64URL, 86], "t1."),
  vendor("Databricks token", "dapi", ["[a-f0-9-]", 32], { signs: "dap" }),
  vendor("Twilio key", "SK AC", ["[0-9a-f]", 32], { signs: [..."0123456789abcdef"].flatMap((one) => [`SK${one}`, `AC${one}`]).join(" ") }),
  vendor("Square token", "sq0atp- sq0csp- sq0idp-", [BASE64URL, 20], { signs: "tp- sp- dp-" }),
  vendor("Braintree token", "access_token$production$ access_token$sandbox$", ["[A-Za-z0-9$]", 16], { signs: "on$ ox$" }),
  vendor("Mailgun key", "key-", ["[0-9a-f]", 32]),
  vendor("Brevo key", "xkeysib- xsmtpsib-", ["[A-Za-z0-9-]", 30]),
  {
    ...token("Airtable token", `pat${BASE62}{14}\\.`, ["[a-f0-9]", 40]),
    trace: `.(?<=pat${BASE62}{14}\\.)[a-f0-9]{40}`,
  },
  token("HubSpot token", "pat-[a-z]{2}[0-9]-", ["[a-f0-9-]", 30], "at-"),
  vendor("Figma token", "figd_ figu_ figo_", [BASE64URL, 20]),
  vendor("Dropbox token", "sl.", [BASE64URL, 60]),
  vendor("Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", ["[A-Za-z0-9._-]", 30], {
    digit: false,
    signs: "dp.",
  }),
  vendor("Pulumi token", "pul-", ["[a-f0-9]", 40]),
  vendor(
    "hosting token",
    "FlyV1 fo1_ fm1r_ fm2_ nfp_ rnd_ vcp_ vci_ vca_ rw_Fe26 sntrys_ sntryu_ CCIPAT_ CCIPRJ_",
    ["[A-Za-z0-9_=+/,. -]", 24],
    {
      signs: "yV1 o1_ 1r_ m2_ fp_ nd_ cp_ ci_ ca_ e26 ys_ yu_ AT_ RJ_",
    },
  ),
  vendor("database token", "sbp_ sb_secret_ sbs_ pscale_tkn_ pscale_pw_ pscale_oauth_ napi_ tcp_", [BASE64URL, 24], {
    signs: "bp_ b_s bs_ psc nap tcp",
  }),
  vendor(
    "monitoring token",
    "NRAK- NRII- NRJS- NRAL- dt0c01. dt0s01. hcaik_ hcxik_ hcamk_ sqp_ squ_ sqa_ ddp_ logfire_ pmak- PMAK-",
    ["[A-Za-z0-9._-]", 24],
    {
      signs: "RAK RII RJS RAL dt0 cai cxi cam qp_ squ qa_ ddp gfi mak MAK",
    },
  ),
  vendor("package registry token", "rubygems_ cio oy2 CLOJARS_ AKCp cmVmdGtu", ["[A-Za-z0-9]", 28], {
    digit: false,
    signs: "yge cio oy2 RS_ KCp dGt",
  }),
  vendor(
    "build token",
    "bkua_ CFPAT- pnu_ pnb_ rdme_ duffel_live_ duffel_test_ FLWSECK_TEST- FLWSECK- aio_ tfp_ ico- ops_eyJ ptla_ ptlc_ jfrt@",
    [BASE64URL, 20],
    {
      signs: "ua_ AT- nu_ nb_ dme ffe ST- CK- io_ fp_ co- eyJ la_ lc_ rt@",
    },
  ),
  vendor(
    "payment key",
    "rzp_live_ rzp_test_ EZAK EZTK access-production- access-sandbox- access-development- pk_prod_ sk_prod_",
    ["[A-Za-z0-9-]", 14],
    {
      signs: "rzp ZAK ZTK s-p s-s s-d k_p",
    },
  ),
  vendor("hosting token", "HRKU-", ["[A-Za-z0-9_=+/,. -]", 24], { signs: "KU-" }),
  vendor("API key", "sk_ secret_ phc_ phx_ sgp_ sgd_ tfr_ ATTA mlsn. v1.0- rdme_", [BASE64URL, 32], {
    signs: "sk_ et_ hc_ hx_ gp_ gd_ fr_ TTA sn. .0- me_",
  }),
  vendor("API key", "re_", [BASE64URL, 30], { signs: "re_" }),
  vendor("AWS session token", "IQoJb3JpZ2lu FwoGZXIv FQoGZXIv", ["[A-Za-z0-9+/=]", 80], { digit: false, signs: "oJb oGZ" }),
  vendor("Mapbox token", "sk.eyJ tk.eyJ", ["[A-Za-z0-9_.-]", 40], { digit: false, signs: "eyJ" }),
  vendor("LaunchDarkly key", "sdk- api- mob-", ["[0-9a-f-]", 36], { signs: "dk- pi- ob-" }),
  { ...token("1Password key", "A3-[A-Z0-9]{6}-", ["[A-Z0-9-]", 20], "A3-") },
  { ...token("RapidAPI key", "[0-9a-f]{10}msh", ["[0-9a-z]", 32], "msh") },
  { ...token("Firebase key", "AAAA[A-Za-z0-9_-]{7}:APA91b", [BASE64URL, 60], "A91") },
  {
    // 2/ID/ID:HEX
    ...token("Asana token", "[012]/[0-9]{13,20}(?:/[0-9]{13,20})?:", ["[0-9a-f]", 32]),
    trace: ":(?<=[012]/[0-9]{13,20}(?:/[0-9]{13,20})?:)[0-9a-f]{32}",
  },
  {
    ...token("password hash", "", ["[A-Za-z0-9./$=,+-]", 20], "$1$", "$5$", "$6$", "$y$", "$2a", "$2b", "$2x", "$2y", "r1$", "$ar", "$sc"),
    begins: "\\$(?:[1569y]|2[abxy]|apr1|argon2i?d?|scrypt)\\$",
    follows: "(?=[A-Za-z./$=,+-]{0,40}[0-9])[A-Za-z0-9./$=,+-]{20,}",
  },
  {
    // A vendor that is not listed: a short word, and a token.
    ...token("token of another vendor", `${ESCAPE}[a-z][a-z0-9]{1,11}(?:_[a-z0-9]{2,12}){0,2}_`, [BASE64URL, 30]),
    follows: `(?=(?:[A-Za-z]{0,20}[0-9]{1,6}(?=[A-Za-z])){3})(?=[a-z0-9]{0,20}[A-Z])(?=[A-Z0-9]{0,20}[a-z])${BASE62}{30}${BASE64URL}{0,}`,
    // Ids with a prefix are shorter.
    unlike: `${BASE62}{1,29}(?!${BASE64URL})`,
    trace: `_(?=[A-Za-z0-9]{30})(?=(?:[A-Za-z]{0,20}[0-9]{1,6}(?=[A-Za-z])){3})`,
  },
  ...["_", "-"].map((separator) => tellingPrefix(separator)),
  vendor("cloud key", "LTAI AKID AQVN YCAJE YCMO", ["[A-Za-z0-9_-]", 16], { signs: "TAI KID QVN AJE CMO" }),
  vendor("Facebook token", "EAAA EAAC EAAG EAAB EAAD EAAE EAAF IGQV", [BASE62, 60], { signs: "AAA AAC AAG AAB AAD AAE AAF GQV" }),
  vendor("Nostr key", "nsec1", ["[0-9a-z]", 50], { signs: "ec1" }),
  vendor("Langfuse key", "sk-lf- pk-lf-", ["[0-9a-f-]", 30], { signs: "lf-" }),
  {
    ...token("OAuth refresh token", "1//0", [BASE64URL, 30], "//0"),
    // The prefix ends with a digit; the token after it starts a new word.
    follows: `${BASE64URL}{30,}`,
  },
  {
    ...token("Discord token", "[MNO][A-Za-z0-9]", [`[A-Za-z0-9._-]`, 50]),
    begins: `${WORD}[MNO]${BASE64URL}{23,27}\\.${BASE64URL}{6}\\.`,
    follows: `${BASE64URL}{27,}`,
    // The lookbehind makes `.` match only a dot: the engine searches for a pattern's first character.
    trace: `.(?<=[MNO]${BASE64URL}{23,27}\\.)${BASE64URL}{6}\\.${BASE64URL}{27}`,
  },
  {
    ...token("Terraform token", `${BASE62}{14}\\.atlasv1\\.`, [BASE64URL, 40], "asv"),
  },
  {
    ...token("Mailchimp key", "[0-9a-f]{32}-us", ["[0-9]", 1], "-us"),
  },
  {
    ...token("Azure secret", "[A-Za-z0-9_~.-]{3}[78]Q~", ["[A-Za-z0-9_~.-]", 31], "8Q~", "7Q~"),
    begins: `(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[78]Q~`,
  },
  {
    ...token("key in an address", "", [BASE64URL, 20], "ra.", "my.", "cs.", "pi.", "ode", "ing", "nkr"),
    begins:
      "(?:infura\\.io/(?:ws/)?v3/|alchemy(?:api)?\\.(?:com|io)/v2/|quiknode\\.pro/|rpc\\.ankr\\.com/[a-z_]{2,20}/|hc-ping\\.com/|api\\.telegram\\.org/bot)",
    follows: `(?=[A-Za-z_-]{0,40}[0-9])${BASE64URL}{20,}`,
    signs: ["ra.", "my.", "api", "ode", "nkr", "ing", "leg"],
    introduced: true,
  },
  {
    ...token("webhook address", "", ["[A-Za-z0-9/_@.-]", 20], "ks.", "ok.", "/we", "app"),
    begins: `(?:hooks\\.slack\\.com/(?:services|workflows|triggers)/|discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{5,24}/|webhook\\.office\\.com/webhookb2/|chat\\.googleapis\\.com/v1/spaces/[A-Za-z0-9_-]{5,30}/messages\\?key=|hooks\\.zapier\\.com/hooks/catch/)`,
    signs: ["ks.", "ebh", "is."],
    introduced: true,
  },
  {
    // Any other webhook: random-looking text after a path that names a hook.
    ...token("webhook address", "", ["[A-Za-z0-9/_@.-]", 20], "ook"),
    begins: "(?<=://[^\\s\"'`<>?]{3,150})[Hh]ooks?[a-z0-9_-]{0,12}/",
    follows: `(?=[A-Za-z0-9/_@.-]{0,80}(?:[0-9a-f]{24}|[0-9][A-Za-z]{1,8}[0-9]{1,6}[A-Za-z]))[A-Za-z0-9/_@.-]{20,}`,
    introduced: true,
  },
];

/** Tokens and keys recognized by their own form. */
export const VENDOR_TOKENS: readonly SecretParts[] = [
  { ...token("AWS access key", "A[KS]IA", ["[0-9A-Z]", 16], "KIA", "SIA"), follows: "[0-9A-Z]{16}(?!\\w)" },
  {
    ...token("AWS access key", "A(?:BIA|CCA|3T[A-Z0-9])", ["[0-9A-Z]", 16], "BIA", "CCA", "A3T"),
    follows: "(?=[A-Z]{0,15}[2-7])[A-Z2-7]{16}(?!\\w)",
  },
  token("GitHub token", "gh[pousr]_", ["[A-Za-z0-9_]", 30], "hp_", "ho_", "hu_", "hs_", "hr_"),
  token("GitHub token", "github_pat_", ["[A-Za-z0-9_]", 22], "b_p"),
  {
    ...token("API key", "sk-", [BASE64URL, 20], "sk-"),
    // A digit, and a capital or a long word: package names have hyphens, years and short words.
    follows: `(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z]|[a-z0-9_-]{0,20}?[a-z0-9]{16})${BASE64URL}{20,}`,
  },
  token("payment key", "[rs]k_(?:live|test)_", ["[A-Za-z0-9+/=]", 16], "liv", "k_t"),
  token("payment key", "whsec_", ["[A-Za-z0-9+/=]", 24], "hse"),
  token("Slack token", "xox[abcdeprs]-", ["[A-Za-z0-9%_-]", 10], "xox"),
  token("Slack token", "xapp-[0-9]-", ["[A-Za-z0-9%_-]", 20], "xap"),
  token("Google API key", "AIza", [BASE64URL, 35], "Iza"),
  token("Google token", "ya29\\.", [BASE64URL, 20], "ya2"),
  token("Google token", "GOCSPX-", [BASE64URL, 24], "CSP"),
  token("GitLab token", "gl(?:pat|dt|rt|ptt|cbt)-", ["[A-Za-z0-9_.-]", 20], "lpa", "ldt", "lrt", "lpt", "lcb"),
  token("Earshot token", "ear_", [BASE64URL, 30], "ar_"),
  token("npm token", "npm_", [BASE62, 36], "pm_"),
  token("PyPI token", "pypi-AgE", [BASE64URL, 40], "-Ag"),
  token("Hugging Face token", "hf_", [BASE62, 30], "hf_"),
  { ...token("SendGrid key", "SG\\.", ["[A-Za-z0-9_.-]", 40], "SG."), follows: `${BASE64URL}{16,32}\\.${BASE64URL}{16,}` },
  token("DigitalOcean token", "do[opr]_v1_", ["[a-f0-9]", 40], "_v1"),
  { ...token("Telegram token", "", [BASE64URL, 32], ":AA"), begins: "(?<![0-9])[0-9]{8,10}:AA" },
  token("age key", "AGE-SECRET-KEY-1", ["[0-9A-Z]", 40], "GE-"),
  {
    name: "private key",
    begins: "-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----",
    // Up to the end marker, whatever is between; without an end marker, as far as the text looks like a key.
    follows: `(?:(?:(?!-----BEGIN)[\\s\\S]){0,16384}?${KEY_END}|${KEY_LINES})`,
    goesOn: KEY_BLOCK,
    ends: KEY_END,
    signs: ["---"],
  },
  {
    ...token("PuTTY key", "", ["[A-Za-z0-9+/=\\s]", 40], "ate"),
    begins: "Private-Lines: [0-9]{1,3}(?:\\r?\\n|\\\\{1,7}[rn])",
    introduced: true,
    signs: ["e-L"],
  },
  {
    ...token("signed token", "eyJ", ["[A-Za-z0-9_.-]", 30], "eyJ"),
    begins: `${WORD}(?<!-)eyJ`,
    follows: `${BASE64URL}{10,4000}\\.eyJ${BASE64URL}{10,}\\.${BASE64URL}{10,}`,
  },
  ...SERVICE_TOKENS,
];
