import type { JsonValue } from "./json.ts";
import { pointerTo } from "./problem.ts";
import { createSignFinder, type SignFinder } from "./sign-finder.ts";

/**
 * A shape that credentials have. Patterns are data: the hub masks what the checker only reports. All of them are the
 * sources of regular expressions without flags and without capturing groups, and none of them backtracks. Shapes of one
 * name go on in the same way.
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
  "(?<![A-Z_])[A-Z][A-Z0-9_]{1,40}_(?:TOKEN|SECRET|PASS|(?<!PRIMARY_|FOREIGN_|PUBLIC_|SORT_)KEY)",
].join("|")})`;
const NAME_SIGNS: readonly string[] = [
  ...["ssw", "ssp", "SSW", "SSP", "i_k", "i_K", "i-k", "i-K", "iKe", "pik", "I_K", "I_k", "I-K", "I-k", "PIK", "PIk"],
  ...["s_t", "s_T", "s-t", "s-T", "sTo", "sst", "h_t", "h_T", "h-t", "h-T", "hTo", "tht", "sht", "rer", "ot_", "ot-", "otT"],
  ...["ecr", "ECR", "e_k", "e_K", "e-k", "e-K", "eKe", "tek", "_TO", "_SE", "_PA", "_KE"],
];
/** What is written where a secret would stand, by people who know better. */
const NO_SECRET =
  "(?![<*{(\\[█]|x{4}|X{4}|\\.{3}|\\$\\{?[A-Z_]|%[A-Z_]|(?:[Yy]our|YOUR|[Ee]nter|[Ee]xample|[Pp]laceholder|[Rr]edacted|REDACTED|process\\.env|os\\.|env[.:]|secrets\\.|vault:))";
/** Anything that is not a space, a control character, a quote, a bracket or the end of a statement. */
const VALUE = "[^\\s\\x00-\\x1f\"'`,;<>(){}\\[\\]\\\\█]";
/** With a digit or sign in it, which words of prose have not; and no call of a function. */
const ASSIGNED = `(?=${VALUE}{0,60}[0-9!@#$%^&])${VALUE}{8,}(?!${VALUE}|[({\\[])`;
const BASE64URL = "[A-Za-z0-9_-]";
const BASE62 = "[A-Za-z0-9]";
const KEY_END = "-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----";
/** Besides base64, what programs write around the lines of a key. */
const KEY_BLOCK = "[A-Za-z0-9+/=_\\s:,\"'\\\\-]";
/** Long words and what is between them, so that a command that names the first line only is not hidden to its end. */
const KEY_LINES =
  "(?:[\\s\"'+,]|\\\\{1,7}[nrt\"']|[A-Za-z0-9+/=_-]{16,}|(?:Proc-Type|DEK-Info):[^\\n\\\\]{1,60}){0,2048}(?:[A-Za-z0-9+/=_-]{1,15}$)?";

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
  token("npm token", "npm_", [BASE62, 36], "pm_"),
  token("PyPI token", "pypi-AgE", [BASE64URL, 40], "-Ag"),
  token("Hugging Face token", "hf_", [BASE62, 30], "hf_"),
  { ...token("SendGrid key", "SG\\.", ["[A-Za-z0-9_.-]", 40], "SG."), follows: `${BASE64URL}{16,32}\\.${BASE64URL}{16,}` },
  token("DigitalOcean token", "do[opr]_v1_", ["[a-f0-9]", 40], "_v1"),
  token("Telegram token", "[0-9]{8,10}:AA", [BASE64URL, 32], ":AA"),
  token("age key", "AGE-SECRET-KEY-1", ["[0-9A-Z]", 40], "GE-"),
  {
    ...token("service token", "(?:shp(?:at|ca|pa|ss)_|lin_api_|dckr_pat_|gsk_|xai-|pplx-|sbp_|glsa_|hvs\\.|tskey-|ntn_|r8_)", [
      BASE64URL,
      20,
    ]),
    follows: `(?=[A-Za-z_-]{0,40}[0-9])${BASE64URL}{20,}`,
    signs: ["shp", "_ap", "ckr", "gsk", "xai", "plx", "bp_", "lsa", "hvs", "tsk", "ntn", "r8_"],
  },
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
    begins: "[?&](?:access_)?(?:token|sig|signature|secret|api_?key)=",
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
