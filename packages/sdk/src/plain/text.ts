import { PlainCopy } from "./plain-copy.ts";

const TEXT_LENGTH = 60_000;
const ID_LENGTH = 128;

/** Any value as text. */
export function toDisplayText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return toErrorMessage(value);
    const plain = new PlainCopy(TEXT_LENGTH).of(value);
    return typeof plain === "string" ? plain : plain === undefined ? "" : JSON.stringify(plain);
  } catch {
    return "[unreadable]"; // a proxy that throws on every question
  }
}

export function toOptionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : toDisplayText(value);
}

/** The message of an error. Anything may be thrown. */
export function toErrorMessage(error: unknown): string {
  try {
    if (!(error instanceof Error)) return toDisplayText(error);
    const message = toDisplayText(error.message);
    return message === "" ? toDisplayText(error.name) : message;
  } catch {
    return "[unreadable]"; // the error's own members throw
  }
}

/** Ids have 1 to 128 characters without control characters. */
export function toId(value: unknown, otherwise: string): string {
  const id = toDisplayText(value)
    .slice(0, ID_LENGTH)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "");
  return id === "" ? otherwise : id;
}

/** A valid amount: costs, tokens and durations are at least zero. */
export function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A URL without user and password. */
export function toAddress(value: unknown): string {
  return toDisplayText(value).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, "$1");
}
