import type { JsonValue } from "./json.ts";
import { pointerTo } from "./problem.ts";
import { INTRODUCED_SECRETS } from "./secret-shapes/introduced-secrets.ts";
import { NAMED_SECRETS } from "./secret-shapes/named-secrets.ts";
import type { SecretShape } from "./secret-shapes/shape.ts";
import { VENDOR_TOKENS } from "./secret-shapes/vendor-tokens.ts";
import { createSignFinder, createSignLister, type SignFinder, type SignLister } from "./sign-finder.ts";

/** Shapes precise enough that ordinary prose does not match: "task-force", "password reset" and "api_key=[redacted]" are not secrets. */
export const SECRET_SHAPES: readonly SecretShape[] = [...VENDOR_TOKENS, ...NAMED_SECRETS, ...INTRODUCED_SECRETS].map(
  ({ follows, ...shape }) => ({ ...shape, pattern: shape.begins + follows }),
);
export type { SecretShape };

const SIGNS: ReadonlySet<string> = new Set(SECRET_SHAPES.flatMap(({ signs }) => signs));
/**
 * Whether a text has a sign of any shape. JSON may write any ASCII character as an escape, including those of a sign, so the escape
 * itself counts as one. Callers share one instance, because the engine optimizes a single instance better.
 */
export const hasSecretSign: SignFinder = createSignFinder([...SIGNS, "u00"]);
/** The signs that a text contains: only shapes with one of them can occur in it. */
export const listSecretSigns: SignLister = createSignLister([...SIGNS]);
const TRACE = new RegExp(SECRET_SHAPES.flatMap(({ trace }) => trace ?? []).join("|"));

const MATCHERS = SECRET_SHAPES.map((shape) => ({
  shape,
  pattern: new RegExp(shape.pattern),
  trace: shape.trace === undefined ? undefined : new RegExp(shape.trace),
}));

/** A name, a sign and eight characters: no shape is shorter. */
const SHORTEST = 12;

export interface SecretFound {
  readonly name: string;
  readonly pointer: string;
}

/** The name of the first matching shape, if any. */
export function findSecretName(text: string): string | undefined {
  if (!mayHold(text)) return undefined;
  // Only shapes whose sign occurs: one pattern of all shapes would try each of them at every character.
  const signs = listSecretSigns(text);
  const found = MATCHERS.find(
    ({ shape, pattern, trace }) => (trace?.test(text) ?? shape.signs.some((sign) => signs.has(sign))) && pattern.test(text),
  );
  return found?.shape.name;
}

const MASK = "█";
const INTRODUCTIONS = SECRET_SHAPES.filter(({ introduced }) => introduced).length;
/** A group for each introduction, which reveals nothing and stays. */
const EVERY_SECRET = new RegExp(
  SECRET_SHAPES.map(({ begins, pattern, introduced }) =>
    introduced ? `(${begins})(?:${pattern.slice(begins.length)})` : `(?:${pattern})`,
  ).join("|"),
  "g",
);
/**
 * Masks the secrets of a text, one mask character per code point, for code that must write the text down before the hub receives it.
 * Has no context beyond the text; the hub's check is more precise.
 */
export function maskSecrets(text: string): string {
  if (!mayHold(text)) return text;
  return text.replace(EVERY_SECRET, mask);
}

function mask(found: string, ...groups: readonly unknown[]): string {
  const introduction = groups.find((group, index) => index < INTRODUCTIONS && group !== undefined);
  const kept = typeof introduction === "string" ? introduction : "";
  return kept + MASK.repeat([...found.slice(kept.length)].length);
}

/** The first secret anywhere inside a value. */
export function findSecret(value: JsonValue | undefined, pointer = ""): SecretFound | undefined {
  if (typeof value === "string") {
    const name = findSecretName(value);
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

/** Most texts contain no sign of any shape: one cheap pass decides for nearly all of them. */
function mayHold(text: string): boolean {
  return text.length >= SHORTEST && (hasSecretSign(text) || TRACE.test(text));
}
