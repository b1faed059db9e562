import { type Plain, PlainCopy, type PlainObject } from "../plain/plain-copy.ts";
import { toDisplayText } from "../plain/text.ts";
import { maskSecretsInText } from "./clean-text.ts";

const DAY_MS = 86_400_000;
const CONTEXT_CHARACTERS = 16_000;
/** Payloads have at most eight levels. */
const CONTEXT_DEPTH = 5;
const LANGUAGE = /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[A-Za-z0-9._-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9\-._~:/?@!$&'()*+,;=%]*)?$/;

/** Milliseconds as the protocol allows them: an integer up to one day. */
export function toMs(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? Math.min(DAY_MS, Math.round(value)) : undefined;
}

export function toWhole(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : undefined;
}

export function toOneOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

export function toLanguage(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 64 && LANGUAGE.test(value) ? value : undefined;
}

/** A valid URI; anything else is left out. */
export function toUri(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 2048 && URI.test(value) ? value : undefined;
}

/** Reduces a tool name to the allowed characters. */
export function toToolName(value: unknown): string {
  const name = maskSecretsInText(toDisplayText(value))
    .replaceAll(/[^A-Za-z0-9_.-]/g, "_")
    .slice(0, 250);
  return /^[A-Za-z_]/.test(name) ? name : `tool_${name}`;
}

/** The agent's additional context: a plain object, not too deep, without secrets. */
export function toContext(value: unknown): PlainObject | undefined {
  if (value === undefined || value === null) return undefined;
  const plain = flatten(new PlainCopy(CONTEXT_CHARACTERS).of(value) ?? {}, CONTEXT_DEPTH);
  return typeof plain === "object" && plain !== null && !Array.isArray(plain) ? plain : { value: plain };
}

function flatten(value: Plain, levels: number): Plain {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "[too deep]";
  if (Array.isArray(value)) return value.map((one) => flatten(one, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, flatten(one, levels - 1)]));
}
