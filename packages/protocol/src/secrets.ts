import type { JsonValue } from "./json.ts";
import { pointerTo } from "./problem.ts";

/** A shape that credentials have. Patterns are data: the hub masks what the checker only reports. */
export interface SecretShape {
  readonly name: string;
  readonly pattern: string;
}

/**
 * Shapes precise enough that ordinary prose does not have them: "task-force", "password reset" and "api_key=[redacted]"
 * are no secrets. None of them backtracks.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { name: "AWS access key", pattern: "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b" },
  { name: "GitHub token", pattern: "\\bgh[pousr]_[A-Za-z0-9]{30,255}\\b|\\bgithub_pat_[A-Za-z0-9_]{22,255}\\b" },
  { name: "API key", pattern: "\\bsk-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,200}" },
  { name: "payment key", pattern: "\\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}" },
  { name: "Slack token", pattern: "\\bxox[abeprs]-[A-Za-z0-9-]{10,200}" },
  { name: "Google API key", pattern: "\\bAIza[0-9A-Za-z_-]{35}" },
  { name: "GitLab token", pattern: "\\bglpat-[A-Za-z0-9_-]{20,200}" },
  { name: "npm token", pattern: "\\bnpm_[A-Za-z0-9]{36}\\b" },
  { name: "private key", pattern: "-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----" },
  { name: "signed token", pattern: "\\beyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,2000}\\.[A-Za-z0-9_-]{10,2000}" },
  { name: "bearer token", pattern: "\\b[Bb]earer\\s{1,4}[A-Za-z0-9._~+/-]{20,2000}" },
  { name: "password in a URL", pattern: "\\b[a-z][a-z0-9+.-]{1,20}://[^\\s/:@]{1,100}:[^\\s/@*<[]{3,100}@" },
  {
    name: "assigned secret",
    pattern:
      "\\b(?:[Pp]assword|PASSWORD|[Pp]asswd|pwd|[Aa]pi[_-]?[Kk]ey|API_KEY|(?:access|auth|refresh)[_-]?[Tt]oken|(?:client|app)[_-]?[Ss]ecret|[A-Z_]{2,30}_(?:TOKEN|SECRET|KEY))" +
      "[\"']?\\s{0,3}[=:]\\s{0,3}[\"']?(?=[^\\s\"',;]{0,60}[0-9!@#$%^&])[A-Za-z0-9!@#$%^&+/._-]{8,200}",
  },
];

const ANY_SECRET = new RegExp(SECRET_SHAPES.map((shape) => `(?:${shape.pattern})`).join("|"));
/** Every shape contains one of these, and most texts none: one cheap pass decides for nearly all of them. */
const TRACE =
  /A(?:KIA|SIA|Iza)|gh[pousr]_|github_pat_|glpat-|sk-|[rs]k_|xox|npm_|-----B|eyJ|earer|:\/\/|[Pp]ass|PASS|pwd|[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET/;

/** A name, a sign and eight characters: no shape is shorter. */
const SHORTEST = 12;

export interface SecretFound {
  readonly name: string;
  readonly pointer: string;
}

/** The name of the shape that a text contains, if any. */
export function secretIn(text: string): string | undefined {
  if (text.length < SHORTEST || !TRACE.test(text) || !ANY_SECRET.test(text)) return undefined;
  return SECRET_SHAPES.find((shape) => new RegExp(shape.pattern).test(text))?.name;
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
