import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Principal } from "@earshot/aaep";
import { EarshotError, type JsonObject } from "@earshot/protocol";

const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

export interface GateOptions {
  readonly host: string;
  readonly token: string | undefined;
  readonly allowOrigins: readonly string[];
}

export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

/**
 * Access control of an agent that serves itself. Pages of other origins are rejected under any host name; with a token set, every caller
 * needs it.
 */
export class AaepGate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  allowsOrigin(origin: string): boolean {
    return this.#options.allowOrigins.includes(origin);
  }

  authorise({ headers }: IncomingMessage): Principal {
    const { host, token } = this.#options;
    const name = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    if (isLoopbackHost(host) && !LOCAL_NAMES.has(name)) throw refused("HOST_REFUSED", "This is no name of this agent.");
    if (headers.origin !== undefined && !this.allowsOrigin(headers.origin)) throw refused("HOST_REFUSED", "Pages of this origin may not.");
    const [, given] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    if (token !== undefined && !isSame(given, token)) throw refused("NOT_AUTHORISED", "A token is needed here.");
    return PRINCIPAL;
  }

  /** A peer on a local socket identifies itself in its first message. */
  authoriseFirst(message: JsonObject): Principal {
    const { token } = this.#options;
    if (token !== undefined && !isSame(tokenIn(message), token)) throw refused("NOT_AUTHORISED", "A token is needed here.");
    return PRINCIPAL;
  }
}

/** All accepted callers have the same rights. */
export const PRINCIPAL: Principal = { id: "local", name: "local", mayRead: true, mayReply: true };

function refused(code: "HOST_REFUSED" | "NOT_AUTHORISED", message: string): EarshotError {
  return new EarshotError({ code, message });
}

function tokenIn({ extensions }: JsonObject): string | undefined {
  const own = isRecord(extensions) ? extensions["earshot"] : undefined;
  const token = isRecord(own) ? own["token"] : undefined;
  return typeof token === "string" ? token : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Compares in constant time. */
function isSame(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
