/**
 * The shape of a credential. Patterns are data: the checker only reports them and the hub masks them. All are sources of regular
 * expressions without flags and without capturing groups. A part of unbounded length stands at the end of a pattern, with no condition
 * after it: a failing condition there makes the engine try every shorter length for every introduction, which takes quadratic time.
 * Shapes with the same name continue in the same way.
 */
export interface SecretShape {
  readonly name: string;
  /** `begins` followed by the secret's own pattern. */
  readonly pattern: string;
  /** The text that introduces the secret. It reveals nothing, so it may be remembered between two pieces of a text. */
  readonly begins: string;
  /** One character of the secret: in a truncated text, the secret continues as long as these characters do. */
  readonly goesOn: string;
  /** The end of the secret, if it has an explicit end marker. */
  readonly ends?: string;
  /** A more common text in the same place, distinguishable from the secret only by the text after it. */
  readonly unlike?: string;
  /** The introduction is not part of the secret: only the text after it is masked. */
  readonly introduced?: true;
  /**
   * Strings of three characters. Every text with this shape contains one of them, even inside a JSON string, and few other texts do: a
   * fast test that rules out a text.
   */
  readonly signs: readonly string[];
  /** A pattern with the same guarantee, for a shape without such signs. It begins with a rare character. */
  readonly trace?: string;
  /** A JSON member with a matching name holds a secret, whatever it looks like. */
  readonly members?: string;
}

export interface SecretParts extends Omit<SecretShape, "pattern"> {
  readonly follows: string;
}

/** A letter after these belongs to an escape, such as `\n` or a terminal color, and not to a word. */
export const ESCAPE = "(?<!\\\\|\\x1b\\[[0-9;]{0,12})";
/** The beginning of a word. */
export const WORD = `(?<!${ESCAPE}\\w)`;
/** The same for names that may have a prefix: `db_password`. */
export const NAME = `(?<!${ESCAPE}[A-Za-z])`;
/** Quotes as written, including inside nested strings. */
export const QUOTE = "\\\\{0,7}[\"'`]";

export const token = (
  name: string,
  begins: string,
  [body, least]: readonly [string, number],
  ...signs: readonly string[]
): SecretParts => ({
  name,
  begins: WORD + begins,
  follows: `${body}{${least},}`,
  goesOn: body,
  signs,
});

/**
 * Literal prefixes of one vendor's tokens. The sign of each prefix is three of its characters that are rare elsewhere; by default its
 * last three.
 */
export const vendor = (
  name: string,
  prefixes: string,
  [body, least]: readonly [string, number],
  { digit = true, signs }: { readonly digit?: boolean; readonly signs?: string } = {},
): SecretParts => {
  const all = prefixes.split(" ");
  return {
    name,
    begins: `${WORD}(?:${all.map((prefix) => prefix.replaceAll(/[.$+]/g, "\\$&")).join("|")})`,
    // Ordinary words have no digits.
    follows: `${digit ? "(?=[A-Za-z_.-]{0,40}[0-9])" : ""}${body}{${least},}`,
    goesOn: body,
    signs: signs?.split(" ") ?? all.map((prefix) => prefix.slice(-3)),
  };
};

/** Placeholders written in place of a secret. */
export const NO_SECRET =
  "(?![<*{(\\[█]|x{4}|X{4}|\\.{3}|\\$\\{?[A-Z_]|%[A-Z_]|(?:[Yy]our|YOUR|[Ee]nter|[Ee]xample|[Pp]laceholder|[Rr]edacted|REDACTED|process\\.env|os\\.|env[.:]|secrets\\.|vault:))";
/** Any character except a space, control character, quote, bracket or end of statement. */
export const VALUE = "[^\\s\\x00-\\x1f\"'`,;<>(){}\\[\\]\\\\█]";
/** Letters in random order: camel-case names change less often between capitals and lowercase letters. */
const MIXED_LETTERS = "[A-Za-z]{0,40}[a-z][A-Z]{1,3}[a-z]{1,2}[A-Z][A-Za-z]{0,20}[a-z][A-Z]{1,3}[a-z]{1,2}[A-Z]";
/** Has a digit or sign, unlike words of prose, and is not the name of a called function. */
export const ASSIGNED = `(?:(?=${VALUE}{0,60}[0-9!@#$%^&])|(?=${MIXED_LETTERS})|(?=[a-z]{4}(?:-[a-z]{4}){3}(?![\\w-])))(?!${VALUE}{6,60}[({\\[])${VALUE}{6,}`;
/** The same between quotes, where brackets belong to the value. */
export const QUOTED = "[^\\s\\x00-\\x1f\"'`\\\\<>\\[\\]{}█]";
export const QUOTED_ASSIGNED = `(?<=["'\`])(?=${QUOTED}{0,60}(?:[0-9!@#$%^&]|[a-z][A-Z]{1,3}[a-z]{1,2}[A-Z]))${QUOTED}{8,200}(?=${QUOTE})`;
/** Between quotes, where the value may contain spaces. */
export const QUOTED_PHRASE = `(?<=["'])(?=[^"'\\n\\\\█]{0,60}[0-9!@#$%^&])[^"'\\n\\\\█]{8,200}(?=["'])`;
/** A character of a randomly generated token. */
export const RANDOM = "[A-Za-z0-9_+/=.~-]";
/**
 * Looks randomly generated: capitals, lowercase letters and digits, or many digits. For a name that may denote a secret, this separates a
 * secret from a word, a number, a path or a version.
 */
const LOOKS_MIXED = `(?=${RANDOM}{0,40}[A-Z])(?=${RANDOM}{0,40}[a-z])(?:(?=(?:[A-Za-z_+/=.~-]{0,40}[0-9]){2})${RANDOM}{16}|(?=[A-Za-z_+/=.~-]{0,40}[0-9])${RANDOM}{20}|(?=${MIXED_LETTERS})${RANDOM}{16})`;
const NO_NAME = "(?![./~]|[a-z]{1,20}/[a-z]|[A-Za-z_]\\w{0,30}\\.[A-Za-z_])";
const LOOKS_RANDOM = `${NO_NAME}(?:${LOOKS_MIXED}|(?=(?:[a-z-]{0,14}[0-9]){4})(?=[0-9-]{0,20}[a-z])[a-z0-9-]{20}|(?=(?:[A-Z]{0,14}[0-9]){3})(?=[0-9]{0,20}[A-Z])[A-Z0-9]{20})`;
export const RANDOM_VALUE = `(?=${LOOKS_RANDOM})(?!${RANDOM}{16,80}[({\\[])${RANDOM}{16,}`;
/** The same, restricted to mixed case: ids and digests of programs are hexadecimal. */
export const MIXED_VALUE = `(?=${NO_NAME}${LOOKS_MIXED})(?!${RANDOM}{16,80}[({\\[])${RANDOM}{16,}`;
/** A more common text in place of a random-looking value: a word, or the name of something. */
export const PLAIN_WORD = `[0-9a-z_-]{1,15}(?!${RANDOM})`;
/** A more common text in place of a value with a digit. */
export const WORD_OF_PROSE = `(?!${VALUE}{0,40}[0-9])`;
/** Between a name and its value, as written in shells, programs, settings, JSON and XML. */
export const SEPARATOR = `(?:${[
  `(?:${QUOTE}\\]?)?(?:\\s{0,2}[:\\s]\\s{0,2}[&A-Za-z][A-Za-z' ]{0,14}(?=\\s=\\s))?\\s{0,10}(?::=|=>|[=:]|%3[Dd])\\s{0,10}(?:[|>][+-]?\\s{1,10}|\\[\\s{0,3}(?=${QUOTE}))?(?:[bru@$]{0,2}${QUOTE}){0,2}`,
  `${QUOTE},\\s{0,12}${QUOTE}(?:${QUOTE})?`,
  `\\s{1,2}${QUOTE}`,
  // | password | … |
  "\\s{1,20}\\|\\s{1,20}",
  // <password>…</password>
  `(?:${QUOTE})?(?:>|&gt;)(?:\\s{0,20}<[Vv]alue>)?(?!@)`,
  // <add key="password" value="…">, - name: PASSWORD, value: …
  `(?:${QUOTE})?,?(?:\\s|\\\\n){1,12}(?:${QUOTE})?[Vv]alue(?:${QUOTE})?\\s{0,3}[=:]\\s{0,3}(?:${QUOTE})?`,
  `${QUOTE},\\s{0,12}${QUOTE}[Vv]alue${QUOTE}\\s{0,3}:\\s{0,3}${QUOTE}`,
].join("|")})`;
/** The part of a command before an option: bounded, and within one command. */
export const COMMAND = "[^\\n|;&]{0,200}\\s";
export const BASE64URL = "[A-Za-z0-9_-]";
export const BASE62 = "[A-Za-z0-9]";
export const KEY_END = "-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----";
/** Base64 characters and the characters that programs write around the lines of a key. */
export const KEY_BLOCK = "[A-Za-z0-9+/=_\\s:,\"'\\\\-]";
/** Long words and their separators, so a command that names only the first line is not hidden to its end. */
export const KEY_LINES =
  "(?:[\\s\"'+,]|\\\\{1,7}[nrt\"']|[A-Za-z0-9+/=_-]{16,}|(?:Proc-Type|DEK-Info):[^\\n\\\\]{1,60}){0,2048}(?:[A-Za-z0-9+/=_-]{1,15}$)?";
