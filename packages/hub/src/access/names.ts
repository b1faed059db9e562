import { EarshotError } from "@earshot/protocol";

const MAX_NAME_CHARACTERS = 60;
/** Characters that forge lines or are invisible. */
const UNUSABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

/** A person's name for a device, a token or its owner. */
export function readName(value: unknown, what: string): string {
  const name = typeof value === "string" ? value.trim() : "";
  if (name === "" || [...name].length > MAX_NAME_CHARACTERS || UNUSABLE.test(name)) {
    throw new EarshotError({ code: "WRONG_QUERY", message: `${what} has 1 to ${MAX_NAME_CHARACTERS} visible characters.` });
  }
  return name;
}

/** A producer's name becomes the source of its events, and appears in filters and URLs. */
export function readSourceName(value: unknown): string {
  if (typeof value === "string" && /^[a-z0-9][a-z0-9._-]{0,59}$/.test(value)) return value;
  throw new EarshotError({
    code: "WRONG_QUERY",
    message: "The name of a producer has 1 to 60 of a–z, 0–9, full stop, hyphen and underscore, and begins with a letter or digit.",
  });
}

/** An origin exactly as browsers send it. */
export function readOrigin(value: unknown): string {
  if (isOrigin(value)) return value;
  throw new EarshotError({
    code: "WRONG_QUERY",
    message: "An origin looks like https://app.example or http://localhost:3000, without a path.",
  });
}

export function isOrigin(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\/[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}
