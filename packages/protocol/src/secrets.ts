import type { JsonValue } from "./json.ts";
import { pointerTo } from "./problem.ts";
import { createSignFinder, type SignFinder } from "./sign-finder.ts";

/**
 * A shape that credentials have. Patterns are data: the hub masks what the checker only reports. All of them are the
 * sources of regular expressions without flags and without capturing groups. What may be of any length stands at the end of a
 * pattern and is followed by no condition: a condition that fails there makes the engine try every shorter length, for every
 * introduction anew, so that time grows with the square of the text. Shapes of one name go on in the same way.
 */
export interface SecretShape {
  readonly name: string;
  /** `begins` and what follows it. */
  readonly pattern: string;
  /** What introduces the secret. It gives nothing away, so that it may be remembered between two pieces of a text. */
  readonly begins: string;
  /** One character of the secret: where a text is cut short, the secret goes on for as long as these do. */
  readonly goesOn: string;
  /** Where it goes on to, if it says so itself. */
  readonly ends?: string;
  /** What stands in the same place more often, and is told from the secret only by what follows it. */
  readonly unlike?: string;
  /** The introduction is not part of the secret: only what follows is to be masked. */
  readonly introduced?: true;
  /**
   * Three characters each. Every text with this shape has one of them, also where the text is written inside a JSON
   * string, and few others do: a fast way to know that a text need not be looked at.
   */
  readonly signs: readonly string[];
  /** For a shape without such signs, a pattern of which the same is true. It begins with a character that is rare. */
  readonly trace?: string;
  /** The value of a member with such a name is one, whatever it looks like. */
  readonly members?: string;
}

interface Parts extends Omit<SecretShape, "pattern"> {
  readonly follows: string;
}

/** A letter after these belongs to an escape, such as `\n` or a terminal's colour, and to no word. */
const ESCAPE = "(?<!\\\\|\\x1b\\[[0-9;]{0,12})";
/** The beginning of a word. */
const WORD = `(?<!${ESCAPE}\\w)`;
/** The same for names that may have others before them: `db_password`. */
const NAME = `(?<!${ESCAPE}[A-Za-z])`;
/** Quotes as they are written, also inside a string inside a string. */
const QUOTE = "\\\\{0,7}[\"'`]";

const token = (name: string, begins: string, [body, least]: readonly [string, number], ...signs: readonly string[]): Parts => ({
  name,
  begins: WORD + begins,
  follows: `${body}{${least},}`,
  goesOn: body,
  signs,
});

/** Literal prefixes of one vendor's tokens. A sign of each is three characters of it that are rare elsewhere; by default its last. */
const vendor = (
  name: string,
  prefixes: string,
  [body, least]: readonly [string, number],
  { digit = true, signs }: { readonly digit?: boolean; readonly signs?: string } = {},
): Parts => {
  const all = prefixes.split(" ");
  return {
    name,
    begins: `${WORD}(?:${all.map((prefix) => prefix.replaceAll(/[.$+]/g, "\\$&")).join("|")})`,
    // Words have no digits.
    follows: `${digit ? "(?=[A-Za-z_.-]{0,40}[0-9])" : ""}${body}{${least},}`,
    goesOn: body,
    signs: signs?.split(" ") ?? all.map((prefix) => prefix.slice(-3)),
  };
};

/** Names whose values are secret: words that are common, and words that only programs use. */
const SECRET_NAMES = `(?:${[
  `(?:${NAME}pass|Pass)(?:word|wd|phrase)`,
  "PASS(?:WORD|WD|PHRASE)",
  `(?:${NAME}api|Api)[_-]?[Kk]ey`,
  "API[_-]?[Kk](?:ey|EY)",
  "(?:[Aa]ccess|[Aa]uth|[Rr]efresh|[Bb]earer|[Bb]ot)(?:[_-][Tt]|T)oken",
  "(?:access|auth|refresh)token",
  "(?:[Cc]lient|[Aa]pp|[Cc]onsumer|[Ww]ebhook)[_-]?[Ss]ecret",
  `(?:${NAME}s|S)ecret[_-]?(?:[Aa]ccess[_-]?)?[Kk]ey`,
  `(?:${NAME}p|P)rivate[_-]?[Kk]ey`,
  "(?<![A-Z_])[A-Z][A-Z0-9_]{1,40}_(?:TOKEN|SECRET|PASS|PWD|(?<!PRIMARY_|FOREIGN_|PUBLIC_|SORT_)KEY)",
  "PGPASSWORD",
  "(?:[Aa]pi|[Ii]d|[Ss]ession|[Pp]rivate)(?:[_-][Tt]|T)oken",
  "(?:[Aa]ccount|[Aa]ccess|[Ss]hared|[Ee]ncryption|[Ss]igning|[Mm]aster|[Ll]icense|[Ss]torage)(?:[_-][Kk]|K)ey",
  "(?:[Ss]igning|[Jj]wt|[Ss]hared|[Ss]ession|[Cc]ookie|[Oo]auth|[Tt]oken)[_-]?[Ss]ecret",
  `(?<=[a-z0-9]_)pass(?![A-Za-z0-9_])`,
  "_auth(?:Token|_token)?",
].join("|")})`;
const NAME_SIGNS: readonly string[] = [
  ...["ssw", "ssp", "SSW", "SSP", "i_k", "i_K", "i-k", "i-K", "iKe", "pik", "I_K", "I_k", "I-K", "I-k", "PIK", "PIk"],
  ...["s_t", "s_T", "s-t", "s-T", "sTo", "sst", "h_t", "h_T", "h-t", "h-T", "hTo", "tht", "sht", "rer", "ot_", "ot-", "otT"],
  ...["ecr", "ECR", "e_k", "e_K", "e-k", "e-K", "eKe", "tek", "_TO", "_SE", "_PA", "_KE", "_PW"],
  // The names of tokens and keys that are listed by what stands before.
  ...["i_t", "i_T", "i-t", "i-T", "iTo", "d_t", "d_T", "d-t", "d-T", "dTo", "n_t", "n_T", "n-t", "n-T", "nTo", "y-T"],
  ...["e_t", "e_T", "e-t", "e-T", "eTo", "t_k", "t_K", "t-k", "t-K", "tKe", "s_k", "s_K", "s-k", "s-K", "sKe", "d_k", "d_K", "d-k"],
  ...["d-K", "dKe", "n_k", "n_K", "n-k", "n-K", "nKe", "g_k", "g_K", "g-k", "g-K", "gKe", "r_k", "r_K", "r-k", "r-K", "rKe", "_pa", "_au"],
];
/** What is written where a secret would stand, by people who know better. */
const NO_SECRET =
  "(?![<*{(\\[█]|x{4}|X{4}|\\.{3}|\\$\\{?[A-Z_]|%[A-Z_]|(?:[Yy]our|YOUR|[Ee]nter|[Ee]xample|[Pp]laceholder|[Rr]edacted|REDACTED|process\\.env|os\\.|env[.:]|secrets\\.|vault:))";
/** Anything that is not a space, a control character, a quote, a bracket or the end of a statement. */
const VALUE = "[^\\s\\x00-\\x1f\"'`,;<>(){}\\[\\]\\\\█]";
/** With a digit or sign in it, which words of prose have not; and not the name of a function that is called. */
const ASSIGNED = `(?=${VALUE}{0,60}[0-9!@#$%^&])(?!${VALUE}{8,60}[({\\[])${VALUE}{8,}`;
/** What a command says before an option: bounded, and all of one command. */
const COMMAND = "[^\\n|;&]{0,200}\\s";
const BASE64URL = "[A-Za-z0-9_-]";
const BASE62 = "[A-Za-z0-9]";
const KEY_END = "-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----";
/** Besides base64, what programs write around the lines of a key. */
const KEY_BLOCK = "[A-Za-z0-9+/=_\\s:,\"'\\\\-]";
/** Long words and what is between them, so that a command that names the first line only is not hidden to its end. */
const KEY_LINES =
  "(?:[\\s\"'+,]|\\\\{1,7}[nrt\"']|[A-Za-z0-9+/=_-]{16,}|(?:Proc-Type|DEK-Info):[^\\n\\\\]{1,60}){0,2048}(?:[A-Za-z0-9+/=_-]{1,15}$)?";

/** Tokens that are known by a prefix. */
const SERVICE_TOKENS: readonly Parts[] = [
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
  vendor("cloud key", "LTAI AKID AQVN YCAJE YCMO", ["[A-Za-z0-9_-]", 16], { signs: "TAI KID QVN AJE CMO" }),
  vendor("Facebook token", "EAAA EAAC EAAG EAAB EAAD EAAE EAAF IGQV", [BASE62, 60], { signs: "AAA AAC AAG AAB AAD AAE AAF GQV" }),
  vendor("Nostr key", "nsec1", ["[0-9a-z]", 50], { signs: "ec1" }),
  vendor("Langfuse key", "sk-lf- pk-lf-", ["[0-9a-f-]", 30], { signs: "lf-" }),
  {
    ...token("OAuth refresh token", "1//0", [BASE64URL, 30], "//0"),
    // The first character is a digit, so that the word begins there.
    follows: `${BASE64URL}{30,}`,
  },
  {
    ...token("Discord token", "[MNO][A-Za-z0-9]", [`[A-Za-z0-9._-]`, 50]),
    begins: `${WORD}[MNO]${BASE64URL}{23,27}\\.${BASE64URL}{6}\\.`,
    follows: `${BASE64URL}{27,}`,
    // A point, as what stands before it says: its first character is looked for.
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
    ...token("webhook address", "", ["[A-Za-z0-9/_@.-]", 20], "ks.", "ok.", "/we", "app"),
    begins: `(?:hooks\\.slack\\.com/(?:services|workflows|triggers)/|discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{5,24}/|webhook\\.office\\.com/webhookb2/|chat\\.googleapis\\.com/v1/spaces/[A-Za-z0-9_-]{5,30}/messages\\?key=|hooks\\.zapier\\.com/hooks/catch/)`,
    signs: ["ks.", "ebh", "is."],
    introduced: true,
  },
];

/** How the names of headers begin that are no standard. */
const HEADER_SIGNS = [..."Xx"].flatMap((x) =>
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"].map((next) => `${x}-${next}`),
);

/** Secrets that are known by what a command, a header or a file of a program says before them. */
const INTRODUCED_SECRETS: readonly Parts[] = [
  {
    ...token("cookie", "", ["[^\\r\\n\"'`\\\\█]", 8], "kie", "KIE"),
    begins: `(?:[Ss]et-)?[Cc]ookie(?:${QUOTE})?\\s{0,3}[:=]\\s{0,3}(?:${QUOTE})?(?=[^\\s=;:,"'\\\\]{1,64}=[^\\s;"'█]{8})`,
    introduced: true,
  },
  {
    ...token("header with a key", "", [VALUE, 12], "ecr", "ey:", "en:", 'ey"', 'en"', "ey\\", "en\\", ...HEADER_SIGNS),
    begins: `(?:[Xx]-(?:[A-Za-z0-9]{1,20}-){0,3}(?:[Kk]ey|[Pp]assword|[Aa]uth)|(?:[Xx]-(?:[A-Za-z0-9]{1,20}-){0,3}|${WORD})(?:[Aa]pi-?[Kk]ey|[Aa]uth-[Tt]oken|[Aa]ccess-[Tt]oken|[Tt]oken|[Ss]ecret))(?:${QUOTE})?:\\s{0,3}(?:${QUOTE})?${NO_SECRET}`,
    follows: `(?=[A-Za-z._~+/=-]{0,60}[0-9])(?!${VALUE}{12,60}[({\\[])${VALUE}{12,}`,
    introduced: true,
  },
  {
    ...token("authorization header", "", [VALUE, 8], "riz", "RIZ"),
    begins: `(?:[Aa]uthorization|AUTHORIZATION)(?:${QUOTE})?\\s{0,3}[=:]\\s{0,3}(?:${QUOTE})?(?:basic|token|bearer|SSWS|Key|Bot|GenieKey|PVEAPIToken=|AWS4-HMAC-SHA256 [^\\n]{0,200}Signature=)\\s{0,4}${NO_SECRET}`,
    follows: `(?=${VALUE}{0,60}[0-9])${VALUE}{8,}`,
    introduced: true,
  },
  {
    ...token("password of a command", "", [VALUE, 4]),
    begins: `${WORD}(?:curl|wget|https?|xh|http)${COMMAND}(?:-[a-zA-Z]{0,4}u|--user|--proxy-user|-U|--auth|-a)(?:=|\\s{1,3})(?:${QUOTE})?(?![0-9]{1,6}:)[^\\s:"'/]{1,64}:(?!//)${NO_SECRET}`,
    trace: "-(?:[a-zA-Z]{0,4}u|-user|-proxy-user|U|-auth|a)(?:=|\\s{1,3})[^\\s:/]{1,72}:",
    follows: `${VALUE}{4,}`,
    introduced: true,
  },
  {
    ...token("password of a command", "", [VALUE, 4], "ysq", "iad"),
    begins: `${WORD}(?:mysql(?:dump|admin|import|show|sh)?|mariadb(?:-dump|-admin)?)${COMMAND}-p(?:${QUOTE})?${NO_SECRET}`,
    follows: `${VALUE}{4,}`,
    introduced: true,
  },
  {
    ...token("password of a command", "", [VALUE, 4]),
    begins: `${WORD}(?:sshpass\\s{1,3}-p\\s{0,3}|redis-cli${COMMAND}(?:-a|--pass)\\s{1,3}|(?:docker|podman|helm|az|npm|oc|nerdctl|buildah)\\s{1,3}(?:[a-z]{1,12}\\s{1,3}){0,2}login${COMMAND}(?:-p|--password)(?:=|\\s{1,3})|(?:zip|unzip|7z|7za)${COMMAND}-[pP]\\s{0,3}|sqlcmd${COMMAND}-P\\s{0,3}|mongo(?:sh|dump|restore|export)?${COMMAND}-p\\s{1,3}|ldap(?:search|modify|add|whoami)${COMMAND}-w\\s{1,3}|smbclient${COMMAND}-U\\s{0,3}[^\\s%]{1,64}%|htpasswd\\s{1,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\\s{1,3}[^\\s|;&]{1,100}\\s{1,3}(?:[^\\s|;&]{1,100}\\s{1,3})?)(?:${QUOTE})?${NO_SECRET}(?!-)`,
    signs: ["shp", "is-", "ogi", "zip", "7z ", "7za", "lcm", "ngo", "dap", "smb", "htp"],
    follows: `(?=${VALUE}{0,60}[0-9!@#$%^&])${VALUE}{4,}`,
    introduced: true,
  },
  {
    ...token("password of a command", "", [VALUE, 4]),
    begins: `(?:-pass(?:in|out)?\\s{1,3}pass:|--(?:http-|proxy-|ftp-)?passw(?:or)?d(?:=|\\s{1,3})|--(?:http-|proxy-)?user-password=|--requirepass\\s{1,3}|${NAME}requirepass\\s{1,3}|masterauth\\s{1,3})(?:${QUOTE})?${NO_SECRET}`,
    signs: ["ssw", "ss:", "epa", "rau"],
    follows: `(?=${VALUE}{0,60}[0-9!@#$%^&])${VALUE}{6,}`,
    introduced: true,
  },
  {
    ...token("netrc password", "", ["[^\\s\"'`█]", 3], "ssw"),
    begins: `${WORD}machine\\s{1,8}[^\\s]{1,200}\\s{1,8}login\\s{1,8}[^\\s]{1,200}\\s{1,8}(?:account\\s{1,8}[^\\s]{1,200}\\s{1,8})?password\\s{1,8}${NO_SECRET}`,
    introduced: true,
  },
  {
    ...token("pgpass password", "", ["[^\\s:\"'`<>(){}█]", 6]),
    begins: `(?<![^\\s"'\`])(?:[A-Za-z][\\w.-]{0,100}|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\*):(?:[0-9]{4,5}|\\*):(?:[A-Za-z_][\\w-]{0,62}|\\*):(?:[A-Za-z_][\\w-]{0,62}|\\*):${NO_SECRET}`,
    follows: "(?=[^\\s:]{0,60}[0-9!@#$%^&])[^\\s:\"'`<>(){}█]{6,200}",
    introduced: true,
    trace: `:(?<=[\\w*]:)(?:[0-9]{4,5}|\\*):(?:[A-Za-z_][\\w-]{0,62}|\\*):(?:[A-Za-z_][\\w-]{0,62}|\\*):[^\\s:]{6}`,
  },
  {
    ...token("kubeconfig credential", "", ["[A-Za-z0-9+/=._-]", 20], "ey-", "en:", 'en"', "en\\"),
    begins: `${WORD}(?:client-key-data|token|id-token|refresh-token|access-token)(?:${QUOTE})?:\\s{1,3}(?:${QUOTE})?${NO_SECRET}`,
    follows: "(?=[A-Za-z+/=._-]{0,60}[0-9])(?=[0-9+/=._-]{0,60}[A-Za-z])(?![A-Za-z0-9+/=._-]{20,100}[({\\[])[A-Za-z0-9+/=._-]{20,}",
    introduced: true,
  },
  {
    ...token("registry login", "", ["[A-Za-z0-9+/=]", 12], "uth"),
    begins: `${QUOTE}auth${QUOTE}\\s{0,3}:\\s{0,3}${QUOTE}`,
    follows: "(?=[A-Za-z+/=]{0,60}[0-9])[A-Za-z0-9+/=]{12,}",
    introduced: true,
  },
  {
    ...token("bootstrap token", "[a-z0-9]{6}\\.", ["[a-z0-9]", 16]),
    begins: `${WORD}token(?:${QUOTE})?[:=]\\s{0,3}(?:${QUOTE})?[a-z0-9]{6}\\.`,
    follows: "[a-z0-9]{16}",
    signs: ["en:", "en=", 'en"', "en\\", "en'", "en`"],
  },
  {
    ...token("token in a URL", "", ["[A-Za-z0-9_-]", 16]),
    begins: "://(?=[A-Za-z_-]{0,40}[0-9])",
    // Followed by the sign of a user, so it is not the name of a host.
    follows: "[A-Za-z0-9_-]{16,100}(?=@)",
    introduced: true,
    trace: "@(?<=:(?:\\\\{0,7}/){2}[A-Za-z0-9_-]{16,100}@)",
  },
  {
    ...token("secret in a URL", "", ["[A-Za-z0-9%._~+/!*-]", 8], "rd=", "wd=", "ss=", "et=", "th=", "re=", "wt=", "de=", "id="),
    begins: `[?&;](?:[a-z]{1,16}[_-])?(?:password|passwd|pwd|pass|passphrase|client_secret|secret|auth|jwt|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature|sas|session_?id|sid|sessiontoken|auth_?token|authkey|access_?key|subscription-key|key|code)=${NO_SECRET}`,
    signs: ["rd=", "wd=", "ss=", "se=", "et=", "th=", "re=", "wt=", "de=", "id=", "as=", "en=", "ey="],
    follows: "(?=[A-Za-z._~+/!*-]{0,60}[0-9%])[A-Za-z0-9%._~+/!*-]{8,}",
    introduced: true,
  },
  {
    ...token("connection string", "", [VALUE, 4]),
    begins: `(?<=[;"'\\s])(?:Password|Pwd|PWD|SharedAccessSignature|SharedSecretValue|SharedAccessKey|AccessKey|sig)=(?:${QUOTE})?${NO_SECRET}`,
    signs: ["rd=", "wd=", "WD=", "re=", "ue=", "ey=", "ig="],
    follows: "(?=[^\\s;\"'`]{0,60}[0-9!@#$%^&])[^\\s;\"'`<>█]{6,}",
    introduced: true,
  },
  {
    ...token("WireGuard key", "", ["[A-Za-z0-9+/=]", 43], "teK", "edK"),
    begins: "(?:PrivateKey|PresharedKey)\\s{0,3}=\\s{0,3}",
    follows: "[A-Za-z0-9+/]{43}=",
    introduced: true,
  },
];

const PARTS: readonly Parts[] = [
  { ...token("AWS access key", "A[KS]IA", ["[0-9A-Z]", 16], "KIA", "SIA"), follows: "[0-9A-Z]{16}(?!\\w)" },
  token("GitHub token", "gh[pousr]_", ["[A-Za-z0-9_]", 30], "hp_", "ho_", "hu_", "hs_", "hr_"),
  token("GitHub token", "github_pat_", ["[A-Za-z0-9_]", 22], "b_p"),
  {
    ...token("API key", "sk-", [BASE64URL, 20], "sk-"),
    // A digit, and a capital or a long word: names of packages have hyphens, years and short words.
    follows: `(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z]|[a-z0-9_-]{0,20}?[a-z0-9]{16})${BASE64URL}{20,}`,
  },
  token("payment key", "[rs]k_(?:live|test)_", ["[A-Za-z0-9+/=]", 16], "liv", "k_t"),
  token("payment key", "whsec_", ["[A-Za-z0-9+/=]", 24], "hse"),
  token("Slack token", "xox[abeprs]-", ["[A-Za-z0-9-]", 10], "xox"),
  token("Slack token", "xapp-[0-9]-", ["[A-Za-z0-9-]", 20], "xap"),
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
  token("Telegram token", "[0-9]{8,10}:AA", [BASE64URL, 32], ":AA"),
  token("age key", "AGE-SECRET-KEY-1", ["[0-9A-Z]", 40], "GE-"),
  ...SERVICE_TOKENS,
  {
    name: "private key",
    begins: "-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----",
    // Up to its end, whatever is between; without an end, as far as it looks like one.
    follows: `(?:(?:(?!-----BEGIN)[\\s\\S]){0,16384}?${KEY_END}|${KEY_LINES})`,
    goesOn: KEY_BLOCK,
    ends: KEY_END,
    signs: ["---"],
  },
  {
    ...token("signed token", "eyJ", ["[A-Za-z0-9_.-]", 30], "eyJ"),
    begins: `${WORD}(?<!-)eyJ`,
    follows: `${BASE64URL}{10,4000}\\.eyJ${BASE64URL}{10,}\\.${BASE64URL}{10,}`,
  },
  {
    ...token("bearer token", "[Bb]earer\\s{1,4}", ["[A-Za-z0-9._~+/=-]", 20], "rer"),
    follows: "(?=[a-z._~+/=-]{0,60}[A-Z0-9])[A-Za-z0-9._~+/=-]{20,}",
    introduced: true,
  },
  {
    ...token("authorization header", "", [VALUE, 8], "riz"),
    begins: `[Aa]uthorization(?:${QUOTE})?\\s{0,3}[=:]\\s{0,3}(?:${QUOTE})?(?:Basic|Token|Digest|ApiKey)\\s{1,4}${NO_SECRET}`,
    introduced: true,
  },
  {
    ...token("password in a URL", "", ["[^\\s/@<\\[\"'`]", 3]),
    begins: "://[^\\s/:@\"'`<>,(\\[\\\\]{0,100}:(?![*█]|\\$(?:\\{|[A-Z_])|%[A-Z_]{3})",
    // A port: its digits stay, unless something follows that no port has after it.
    unlike: "[0-9]{1,5}(?![^\\s/?#\"'`),.])",
    follows: "[^\\s/@<\\[\"'`]{3,200}(?=@)",
    introduced: true,
    // Looked for from its end: the slashes are in every address, the sign before the host only in those with a user.
    trace: '@(?<=:(?:\\\\{0,7}/){2}[^\\s/@"]{1,300}@)',
  },
  {
    ...token("secret in a URL", "", ["[A-Za-z0-9%._~+-]", 16], "en=", "ig=", "re=", "et=", "ey="),
    begins: "[?&](?:[a-z]{1,16}_)?(?:token|sig|signature|secret|api_?[kK]ey)=",
    follows: "(?=[a-z._~+-]{0,60}[0-9A-Z%])[A-Za-z0-9%._~+-]{16,}",
    introduced: true,
  },
  { ...token("storage key", "(?:AccountKey|SharedAccessKey)=", ["[A-Za-z0-9+/=]", 40], "tKe", "sKe"), introduced: true },
  {
    ...token("assigned secret", "", [VALUE, 8], "ssw", "ssp", "-to", "i-k", "ecr", "s-t", "h-t"),
    begins: `--(?:password|passwd|passphrase|token|api-key|secret|secret-key|access-token|auth-token|client-secret)(?:=|\\s{1,3})(?:${QUOTE})?${NO_SECRET}`,
    follows: ASSIGNED,
    introduced: true,
  },
  {
    name: "named secret",
    begins: `${SECRET_NAMES}${QUOTE}\\s{0,3}:\\s{0,3}${QUOTE}${NO_SECRET}`,
    follows: `(?:(?<=")(?:[^"\\\\\\n█]|\\\\{1,7}[^"\\\\\\n]){8,}|(?<=')(?:[^'\\\\\\n█]|\\\\{1,7}[^'\\\\\\n]){8,})`,
    goesOn: "[^\"'\\\\\\n█]",
    introduced: true,
    signs: [...NAME_SIGNS, "riz", "kie"],
    members: `${SECRET_NAMES}$|^(?:[Pp]roxy-?)?[Aa]uthorization$|^(?:[Ss]et-)?[Cc]ookie$|^(?:secret|SECRET)$`,
  },
  {
    name: "assigned secret",
    // A shell's `pwd` is a folder more often than a password.
    begins: `(?:${SECRET_NAMES}|${NAME}pwd(?![\\\\"'\\s]{0,6}[=:][\\\\"'\\s]{0,6}[/~.]))(?:${QUOTE})?\\s{0,3}[=:]\\s{0,3}(?:${QUOTE})?${NO_SECRET}`,
    follows: ASSIGNED,
    goesOn: VALUE,
    introduced: true,
    signs: [...NAME_SIGNS, "pwd"],
  },
  ...INTRODUCED_SECRETS,
];

/**
 * Shapes precise enough that ordinary prose does not have them: "task-force", "password reset" and "api_key=[redacted]"
 * are no secrets.
 */
export const SECRET_SHAPES: readonly SecretShape[] = PARTS.map(({ follows, ...shape }) => ({ ...shape, pattern: shape.begins + follows }));

const ANY_SECRET = new RegExp(SECRET_SHAPES.map((shape) => `(?:${shape.pattern})`).join("|"));
/**
 * Whether a text has a sign of any shape. In JSON an ASCII character may be written as an escape, and may then be any of
 * those by which a shape is known. There is one for everybody, because the engine compiles the only one of its kind better.
 */
export const hasSecretSign: SignFinder = createSignFinder([...new Set(SECRET_SHAPES.flatMap(({ signs }) => signs)), "u00"]);
const TRACE = new RegExp(SECRET_SHAPES.flatMap(({ trace }) => trace ?? []).join("|"));

/** A name, a sign and eight characters: no shape is shorter. */
const SHORTEST = 12;

export interface SecretFound {
  readonly name: string;
  readonly pointer: string;
}

/** The name of the shape that a text contains, if any. */
export function secretIn(text: string): string | undefined {
  if (!mayHold(text) || !ANY_SECRET.test(text)) return undefined;
  return SECRET_SHAPES.find((shape) => new RegExp(shape.pattern).test(text))?.name;
}

const MASK = "█";
const EVERY_SECRET = new RegExp(ANY_SECRET.source, "g");
/**
 * A text with its secrets masked, one character for each: for whoever has to write it down before the hub has seen it. Masks
 * what introduces a secret as well, and knows a text alone; the hub looks closer.
 */
export function maskSecrets(text: string): string {
  if (!mayHold(text)) return text;
  return text.replace(EVERY_SECRET, mask);
}

function mask(secret: string): string {
  return MASK.repeat([...secret].length);
}

/** The first secret anywhere inside a value. */
export function findSecret(value: JsonValue | undefined, pointer = ""): SecretFound | undefined {
  if (typeof value === "string") {
    const name = secretIn(value);
    return name === undefined ? undefined : { name, pointer };
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findSecret(value[index] as JsonValue);
      if (found !== undefined) return { name: found.name, pointer: `${pointer}/${index}${found.pointer}` };
    }
    return undefined;
  }
  const object = value as { readonly [key: string]: JsonValue | undefined };
  for (const key in object) {
    const member = object[key];
    if (typeof member !== "string" && typeof member !== "object") continue;
    const found = findSecret(member);
    if (found !== undefined) return { name: found.name, pointer: pointer + pointerTo(key) + found.pointer };
  }
  return undefined;
}

/** Most texts have no sign of any shape: one cheap pass decides for nearly all of them. */
function mayHold(text: string): boolean {
  return text.length >= SHORTEST && (hasSecretSign(text) || TRACE.test(text));
}
