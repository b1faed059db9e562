import { EarshotError } from "@earshot/protocol";
import type { Credential, HubCredentials } from "./credentials.ts";
import { addressTokenOf, type HubReach, type OwnAddress, ownAddressOf, type RequestHead } from "./own-address.ts";
import { ABILITY_NEEDED, type Ability, hasAbility, ROUTE_NEEDS, type Role, type RouteAccess } from "./roles.ts";

/** An authenticated caller. */
export interface Caller {
  /** The credential's name, or `local`. */
  readonly name: string;
  readonly role: Role | "nobody";
  /** Whether its events count as verified under this name. */
  readonly verified: boolean;
  readonly credential?: string;
  /** Expiry of the credential in Unix milliseconds. */
  readonly until?: number;
  /** The origin of a web application that may read the answer. */
  readonly allowedOrigin?: string;
}

export interface RouteNeeds {
  readonly access: RouteAccess;
  /** Accepted content types of the body; unchecked for unknown routes. */
  readonly takes?: readonly string[];
}

const shown = ({ credential }: Caller) => credential !== undefined;
const never = () => false;

/** Routes that pages of manually allowed origins may call. */
const FROM_ALLOWED: Readonly<Record<RouteAccess, (caller: Caller) => boolean>> = {
  anyone: () => true,
  page: never,
  speaker: never,
  producer: never,
  viewer: shown,
  approver: shown,
  admin: never,
  "aop-reader": shown,
  "aop-remover": never,
};
const NOBODY: Caller = { name: "local", role: "nobody", verified: false };
/** Any caller on this machine, where the hub is open to readers. */
const READER: Caller = { name: "reader", role: "viewer", verified: false, credential: "reader" };
const METHODS_WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
export const JSON_ONLY: readonly string[] = ["application/json"];

/** The one place that authorizes callers, for every route and for WebSockets. */
export class AccessGate {
  readonly #credentials: Pick<HubCredentials, "find" | "mayCallFrom">;
  readonly #reach: HubReach;

  constructor(credentials: Pick<HubCredentials, "find" | "mayCallFrom">, reach: HubReach = {}) {
    this.#credentials = credentials;
    this.#reach = reach;
  }

  /** Returns the caller, or throws a problem. */
  check(request: RequestHead, { access, takes }: RouteNeeds): Caller {
    const address = this.#addressOf(request);
    const isForeign = isFromElsewhere(request, address);
    if (isForeign && access === "page" && isNavigation(request)) return NOBODY;
    // A web application of another origin needs a token made for it, or a manually allowed origin and a person's credential.
    if (isForeign && this.allowsPreflight(request) === undefined) throw foreign(request, address);
    const found = this.#callerOf(request, access, address);
    const caller = isForeign ? this.#fromElsewhere(request, access, found) : found;
    if (isForeign && caller.allowedOrigin !== request.headers.origin) throw foreign(request, address);
    checkContentType(request, takes);
    return caller;
  }

  /** As `check`, for channels without headers. */
  admit(shown: string | undefined, needed: Ability): Caller {
    const credential = shown === undefined ? undefined : this.#credentials.find(shown, "in a header");
    if (credential === undefined) {
      const message = shown === undefined ? ABILITY_NEEDED[needed] : "This credential is unknown, expired or revoked.";
      throw new EarshotError({ code: "NOT_AUTHORISED", message });
    }
    if (!hasAbility(credential.role, needed)) throw new EarshotError({ code: "NOT_PERMITTED", message: ABILITY_NEEDED[needed] });
    return toCaller(credential);
  }

  /** The CORS preflight answer: the allowed origin, or undefined. */
  allowsPreflight(request: RequestHead): string | undefined {
    this.#addressOf(request);
    const { origin } = request.headers;
    return origin !== undefined && (this.#allows(origin) || this.#credentials.mayCallFrom(origin)) ? origin : undefined;
  }

  #allows(origin: string): boolean {
    return this.#reach.allowedOrigins?.includes(origin) === true;
  }

  /** Pages of allowed origins act for the holder of the credential they show. They cannot send events or administer. */
  #fromElsewhere({ headers: { origin } }: RequestHead, access: RouteAccess, caller: Caller): Caller {
    if (origin === undefined || !this.#allows(origin) || caller.allowedOrigin !== undefined) return caller;
    return FROM_ALLOWED[access](caller) ? { ...caller, allowedOrigin: origin } : caller;
  }

  #addressOf(request: RequestHead): OwnAddress {
    const address = ownAddressOf(request, this.#reach);
    if (address === undefined) throw refused("The Host header does not name this hub.");
    return address;
  }

  #callerOf(request: RequestHead, access: RouteAccess, { isLocal }: OwnAddress): Caller {
    const { ability, abilityFromAfar, looksAtCredential, inAddress } = ROUTE_NEEDS[access];
    const needed = ability ?? (isLocal ? undefined : abilityFromAfar);
    const inUrl = addressTokenOf(request);
    const shown = inUrl ?? (looksAtCredential ? bearerOf(request) : undefined);
    if (shown === undefined) {
      if (needed === undefined) return NOBODY;
      if (needed === "read" && isLocal && this.#reach.isOpenToReaders === true) return READER;
      throw new EarshotError({ code: "NOT_AUTHORISED", message: ABILITY_NEEDED[needed] });
    }
    // Checked even where it is not required: an invalid credential must be reported.
    const credential = this.#credentials.find(shown, inUrl === undefined ? "in a header" : "in the address");
    if (credential === undefined)
      throw new EarshotError({ code: "NOT_AUTHORISED", message: "This credential is unknown, expired or revoked." });
    // URLs leak easily, so a credential in one only allows reading and the collector's own routes, never admission.
    const isInPlace = inUrl === undefined || (inAddress && (isReading(request) || access === "aop-remover"));
    if (!isInPlace || (needed !== undefined && !hasAbility(credential.role, needed))) {
      throw new EarshotError({
        code: "NOT_PERMITTED",
        message: needed === undefined ? "Not with this credential." : ABILITY_NEEDED[needed],
      });
    }
    return toCaller(credential);
  }
}

/** Only a producer's events count as its own; a viewer's are unverified. */
function toCaller({ id, name, role, origin, until }: Credential): Caller {
  const verified = hasAbility(role, "speak");
  const expiry = until === undefined ? {} : { until };
  return { name, role, verified, credential: id, ...expiry, ...(origin === undefined ? {} : { allowedOrigin: origin }) };
}

/** Browsers send the calling origin; programs send none. */
function isFromElsewhere({ headers }: RequestHead, { origin }: OwnAddress): boolean {
  const site = headers["sec-fetch-site"];
  return (headers.origin !== undefined && headers.origin !== origin) || (site !== undefined && site !== "same-origin" && site !== "none");
}

/** A followed link: the page opens as a top-level document, and the linking page learns nothing. */
function isNavigation({ method, headers }: RequestHead): boolean {
  return (
    method === "GET" && headers.origin === undefined && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document"
  );
}

function isReading({ method }: RequestHead): boolean {
  return method === "GET" || method === "HEAD";
}

function bearerOf({ headers }: RequestHead): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
    // Other schemes and an empty credential must be refused, not ignored.
    return token ?? "";
  }
  // Browsers cannot set WebSocket headers but can offer subprotocols: ["earshot", "ticket.…"].
  const protocols = headers.upgrade === undefined ? undefined : headers["sec-websocket-protocol"];
  return protocols === undefined ? undefined : /(?:^|,)\s*ticket\.([\w-]+)\s*(?:,|$)/.exec(protocols)?.[1];
}

/** Content types that forms and beacons can send without a preflight request are refused. */
function checkContentType({ method = "", headers }: RequestHead, takes: readonly string[] | undefined): void {
  if (takes === undefined || takes.includes(headers["content-type"] ?? "")) return; // as nearly always
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
  if (!METHODS_WITH_BODY.has(method) && !hasBody) return;
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (takes.includes(type.trim())) return;
  const message = type === "" ? "The request has no content type." : `The content type ${type.trim().slice(0, 80)} is not read here.`;
  throw new EarshotError({ code: "CONTENT_TYPE", message });
}

function foreign({ headers }: RequestHead, { origin }: OwnAddress): EarshotError {
  const isPage = headers.origin !== undefined && headers.origin !== origin;
  return refused(isPage ? "Pages of other origins may not call this hub." : "Pages of other sites may not call this hub.");
}

function refused(message: string): EarshotError {
  return new EarshotError({ code: "HOST_REFUSED", message });
}
