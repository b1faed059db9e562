import type { JsonValue } from "../json.ts";
import { pointerTo } from "../problem.ts";

/** A value that looks like a credential: where it stands and what it looks like. The value itself is never repeated. */
export interface Secret {
  readonly pointer: string;
  readonly kind: string;
}

const KINDS: readonly { readonly kind: string; readonly form: RegExp }[] = [
  { kind: "an API key", form: /(?:^|[^A-Za-z0-9])[sr]k[-_](?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20}/ },
  { kind: "an AWS access key", form: /(?:^|[^A-Za-z0-9])A(?:KIA|SIA)[0-9A-Z]{16}(?![0-9A-Za-z])/ },
  { kind: "a GitHub token", form: /(?:^|[^A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/ },
  { kind: "a GitLab token", form: /(?:^|[^A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}/ },
  { kind: "an npm token", form: /(?:^|[^A-Za-z0-9])npm_[A-Za-z0-9]{36}/ },
  { kind: "a Slack token", form: /(?:^|[^A-Za-z0-9])xox[abeprs]-[A-Za-z0-9-]{20}/ },
  { kind: "a Google API key", form: /(?:^|[^A-Za-z0-9])AIza[0-9A-Za-z_-]{35}/ },
  { kind: "a JSON Web Token", form: /(?:^|[^A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,200}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10}/ },
];
const SHORTEST = 20;
const MAX_DEPTH = 64;

/** The first value inside that looks like a credential. */
export function findSecret(value: JsonValue | undefined, depth = 0): Secret | undefined {
  if (typeof value === "string") {
    const kind = value.length < SHORTEST ? undefined : secretKind(value);
    return kind === undefined ? undefined : { pointer: "", kind };
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined;
  for (const key in value) {
    const member = (value as Record<string, JsonValue | undefined>)[key];
    if (typeof member === "string" ? member.length < SHORTEST : typeof member !== "object") continue;
    const found = findSecret(member, depth + 1);
    if (found !== undefined) return { pointer: pointerTo(key) + found.pointer, kind: found.kind };
  }
  return undefined;
}

/**
 * Ordinary text has no word of twenty characters, every credential has. So each stretch of twenty is looked at from its
 * far end: the first space met there rules out everything before it. The patterns are tried on long runs alone.
 */
function secretKind(text: string): string | undefined {
  let start = 0;
  while (start + SHORTEST <= text.length) {
    let index = start + SHORTEST - 1;
    while (index >= start && isTokenCharacter(text.charCodeAt(index))) index--;
    if (index >= start) {
      start = index + 1;
      continue;
    }
    let end = start + SHORTEST;
    while (end < text.length && isTokenCharacter(text.charCodeAt(end))) end++;
    const run = text.slice(start, end);
    for (const { kind, form } of KINDS) if (form.test(run)) return kind;
    start = end + 1;
  }
  return text.includes("PRIVATE KEY-----") ? "a private key" : undefined;
}

/** Letters, digits and `- _ . = : / + %`: what keys, and the addresses they hide in, are made of. */
function isTokenCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 45 && code <= 58) || code === 95 || code === 61 || code === 43
  );
}
