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

export interface SecretParts extends Omit<SecretShape, "pattern"> {
  readonly follows: string;
}

/** A letter after these belongs to an escape, such as `\n` or a terminal's colour, and to no word. */
export const ESCAPE = "(?<!\\\\|\\x1b\\[[0-9;]{0,12})";
/** The beginning of a word. */
export const WORD = `(?<!${ESCAPE}\\w)`;
/** The same for names that may have others before them: `db_password`. */
export const NAME = `(?<!${ESCAPE}[A-Za-z])`;
/** Quotes as they are written, also inside a string inside a string. */
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

/** Literal prefixes of one vendor's tokens. A sign of each is three characters of it that are rare elsewhere; by default its last. */
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
    // Words have no digits.
    follows: `${digit ? "(?=[A-Za-z_.-]{0,40}[0-9])" : ""}${body}{${least},}`,
    goesOn: body,
    signs: signs?.split(" ") ?? all.map((prefix) => prefix.slice(-3)),
  };
};

/** What is written where a secret would stand, by people who know better. */
export const NO_SECRET =
  "(?![<*{(\\[█]|x{4}|X{4}|\\.{3}|\\$\\{?[A-Z_]|%[A-Z_]|(?:[Yy]our|YOUR|[Ee]nter|[Ee]xample|[Pp]laceholder|[Rr]edacted|REDACTED|process\\.env|os\\.|env[.:]|secrets\\.|vault:))";
/** Anything that is not a space, a control character, a quote, a bracket or the end of a statement. */
export const VALUE = "[^\\s\\x00-\\x1f\"'`,;<>(){}\\[\\]\\\\█]";
/** Letters in no order: names in camel case have fewer changes between capitals and small letters. */
const MIXED_LETTERS = "[A-Za-z]{0,40}[a-z][A-Z]{1,3}[a-z]{1,2}[A-Z][A-Za-z]{0,20}[a-z][A-Z]{1,3}[a-z]{1,2}[A-Z]";
/** With a digit or sign in it, which words of prose have not; and not the name of a function that is called. */
export const ASSIGNED = `(?:(?=${VALUE}{0,60}[0-9!@#$%^&])|(?=${MIXED_LETTERS})|(?=[a-z]{4}(?:-[a-z]{4}){3}(?![\\w-])))(?!${VALUE}{6,60}[({\\[])${VALUE}{6,}`;
/** The same between quotes, where brackets belong to it. */
export const QUOTED = "[^\\s\\x00-\\x1f\"'`\\\\<>\\[\\]{}█]";
export const QUOTED_ASSIGNED = `(?<=["'\`])(?=${QUOTED}{0,60}(?:[0-9!@#$%^&]|[a-z][A-Z]{1,3}[a-z]{1,2}[A-Z]))${QUOTED}{8,200}(?=${QUOTE})`;
/** Between quotes, where words are kept together by spaces. */
export const QUOTED_PHRASE = `(?<=["'])(?=[^"'\\n\\\\█]{0,60}[0-9!@#$%^&])[^"'\\n\\\\█]{8,200}(?=["'])`;
/** A character of a token that was drawn at random. */
export const RANDOM = "[A-Za-z0-9_+/=.~-]";
/**
 * Looks drawn at random: capitals, small letters and digits, or digits again and again. Under a name that only may be that of a
 * secret, this tells a secret from a word, a number, a path or a version.
 */
const LOOKS_MIXED = `(?=${RANDOM}{0,40}[A-Z])(?=${RANDOM}{0,40}[a-z])(?:(?=(?:[A-Za-z_+/=.~-]{0,40}[0-9]){2})${RANDOM}{16}|(?=[A-Za-z_+/=.~-]{0,40}[0-9])${RANDOM}{20}|(?=${MIXED_LETTERS})${RANDOM}{16})`;
const NO_NAME = "(?![./~]|[a-z]{1,20}/[a-z]|[A-Za-z_]\\w{0,30}\\.[A-Za-z_])";
const LOOKS_RANDOM = `${NO_NAME}(?:${LOOKS_MIXED}|(?=(?:[a-z-]{0,14}[0-9]){4})(?=[0-9-]{0,20}[a-z])[a-z0-9-]{20}|(?=(?:[A-Z]{0,14}[0-9]){3})(?=[0-9]{0,20}[A-Z])[A-Z0-9]{20})`;
export const RANDOM_VALUE = `(?=${LOOKS_RANDOM})(?!${RANDOM}{16,80}[({\\[])${RANDOM}{16,}`;
/** The same where it stands with capitals and small letters only: ids and digests of programs are hexadecimal. */
export const MIXED_VALUE = `(?=${NO_NAME}${LOOKS_MIXED})(?!${RANDOM}{16,80}[({\\[])${RANDOM}{16,}`;
/** What stands in the place of a value that looks random more often: a word, or the name of something. */
export const PLAIN_WORD = `[0-9a-z_-]{1,15}(?!${RANDOM})`;
/** What stands in the place of a value that has a digit more often. */
export const WORD_OF_PROSE = `(?!${VALUE}{0,40}[0-9])`;
/** Between a name and its value, as shells, programs, settings, JSON and XML write it. */
export const SEPARATOR = `(?:${[
  `(?:${QUOTE}\\]?)?(?:\\s{0,2}:\\s{0,2}[&A-Za-z][A-Za-z' ]{0,14}(?=\\s=\\s))?\\s{0,10}(?::=|=>|[=:]|%3[Dd])\\s{0,10}(?:[bru@$]{0,2}${QUOTE}){0,2}`,
  `${QUOTE},\\s{0,12}${QUOTE}(?:${QUOTE})?`,
  `\\s{1,2}${QUOTE}`,
  // | password | … |
  "\\s{1,20}\\|\\s{1,20}",
  // <password>…</password>
  `(?:${QUOTE})?>(?:\\s{0,20}<[Vv]alue>)?(?!@)`,
  // <add key="password" value="…">, - name: PASSWORD, value: …
  `(?:${QUOTE})?,?(?:\\s|\\\\n){1,12}(?:${QUOTE})?[Vv]alue(?:${QUOTE})?\\s{0,3}[=:]\\s{0,3}(?:${QUOTE})?`,
  `${QUOTE},\\s{0,12}${QUOTE}[Vv]alue${QUOTE}\\s{0,3}:\\s{0,3}${QUOTE}`,
].join("|")})`;
/** What a command says before an option: bounded, and all of one command. */
export const COMMAND = "[^\\n|;&]{0,200}\\s";
export const BASE64URL = "[A-Za-z0-9_-]";
export const BASE62 = "[A-Za-z0-9]";
export const KEY_END = "-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----";
/** Besides base64, what programs write around the lines of a key. */
export const KEY_BLOCK = "[A-Za-z0-9+/=_\\s:,\"'\\\\-]";
/** Long words and what is between them, so that a command that names the first line only is not hidden to its end. */
export const KEY_LINES =
  "(?:[\\s\"'+,]|\\\\{1,7}[nrt\"']|[A-Za-z0-9+/=_-]{16,}|(?:Proc-Type|DEK-Info):[^\\n\\\\]{1,60}){0,2048}(?:[A-Za-z0-9+/=_-]{1,15}$)?";
