import type { IncomingMessage } from "node:http";
import type { Asked } from "./asked.ts";

/** Beside the request, not in it: whatever is written about a request must not show it. */
const tokens = new WeakMap<Asked, string>();

const PATTERN = /^\/k\/([^/?]*)(.*)$/s;

/**
 * `/k/TOKEN/sessions` → `/sessions`. For clients that know an address and nothing else. From here on the request's own
 * address is without the token, so that no message, log or error can tell it.
 */
export function withoutAddressToken(request: IncomingMessage): string {
  const url = request.url ?? "/";
  const match = PATTERN.exec(url);
  if (match === null) return url;
  const [, token = "", rest = ""] = match;
  tokens.set(request, token);
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  return request.url;
}

/** The token that the address carried; an empty one is there and wrong. */
export function addressTokenOf(request: Asked): string | undefined {
  return tokens.get(request);
}
