import { type Plain, PlainCopy } from "../plain/plain-copy.ts";
import { MAX_TEXT_CHARACTERS, maskSecretsInText, toCleanText } from "./clean-text.ts";

/** Words in the names of arguments that hold credentials. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...["password", "passwords", "passwd", "pass", "pwd", "passphrase", "passcode", "pin", "otp"],
  ...["secret", "secrets", "token", "tokens", "key", "keys", "auth", "authorization", "credential", "credentials"],
  ...["cookie", "cookies", "bearer", "jwt", "signature", "cert", "certificate"],
]);
/** The same words without separators. */
const SECRET_PARTS = /passw|passphrase|secret|token|credential|apikey|privatekey|accesskey|authoriz|cookie/;
/** Words that readers take for a secret anywhere in a text. */
const TELLTALE =
  /password|api_key|secret_key|private_key|bearer |authorization:|x-api-key|ssh-rsa|ssh-ed25519|begin (?:rsa )?private key|aws_secret|github_pat_|github_token|ghp_|(?<![a-z])sk-/;
const COPIED_CHARACTERS = 20_000;
const LONGEST_VALUE = 120;
const MAX_ARGUMENTS = 32;

/**
 * Arguments as readable text: `service: web, lines: 50`. A possible secret is left out together with its name, because even the name
 * reveals that there is one.
 */
export function summariseArgs(args: unknown): string | undefined {
  const plain = new PlainCopy(COPIED_CHARACTERS).of(args);
  if (plain === undefined || plain === null) return undefined;
  if (typeof plain !== "object" || Array.isArray(plain)) return toCleanText(showValue(plain), MAX_TEXT_CHARACTERS.text);
  const told = Object.entries(plain)
    .filter(([name]) => !namesSecret(name))
    .flatMap(([name, value]) => {
      const shown = showValue(value);
      return shown === undefined ? [] : [`${name}: ${shown}`];
    });
  const rest = told.length > MAX_ARGUMENTS ? [`and ${told.length - MAX_ARGUMENTS} more`] : [];
  return toCleanText([...told.slice(0, MAX_ARGUMENTS), ...rest].join(", "), MAX_TEXT_CHARACTERS.text);
}

export function namesSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.test(words.join(""));
}

/** Undefined for possible secrets and empty values. */
function showValue(value: Plain): string | undefined {
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
    const names = Object.keys(value).filter((name) => !namesSecret(name));
    return names.length === 0 ? undefined : `{${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}}`;
  }
  const said = String(value).replaceAll(/\s+/g, " ").trim();
  const text = said.length > LONGEST_VALUE ? `${said.slice(0, LONGEST_VALUE).toWellFormed()}…` : said;
  // Checked as a whole, because a cut secret no longer has its shape.
  if (text === "" || maskSecretsInText(said) !== said || said.includes("█") || TELLTALE.test(said.toLowerCase())) return undefined;
  return text;
}
