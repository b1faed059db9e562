import { createHmac } from "node:crypto";
import { isObject, type JsonValue } from "@earshot/protocol";

/**
 * The digest that binds a decision to what was shown: HMAC-SHA-256, with a secret of this hub, of the canonical JSON of what
 * is asked. It covers the input as the agent sent it, of which secrets are masked when it is shown; hence the key: without
 * one, whoever reads the ledger could try out what was masked.
 */
export function digestOf(asked: JsonValue, secret: string): string {
  return createHmac("sha256", secret).update(canonicalJson(asked)).digest("base64url");
}

/** Names a request: the same question, asked again by the same asker, is the same request. */
export function requestIdOf(parts: readonly string[], secret: string): string {
  const mac = createHmac("sha256", secret).update(`request ${JSON.stringify(parts)}`);
  return `req_${mac.digest("hex").slice(0, 24)}`;
}

/** One text for one value: members in order of their names, as code units; no space; numbers and strings as JSON writes them. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // `sort` without a function compares code units.
  let members = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
