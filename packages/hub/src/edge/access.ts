import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { EarshotError } from "@earshot/protocol";

/**
 * What a route asks of whoever calls it. `anyone`: says that the hub is there, no more. `speaker`: posts events, without a
 * credential from this machine. `aop-reader`: the reading routes of an AOP collector, whose clients have no place for a
 * credential. `viewer`: reads. A route that says nothing asks for a viewer.
 */
export type Access = "anyone" | "speaker" | "aop-reader" | "viewer";

export interface AccessOptions {
  readonly viewerToken: string;
}

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The one place that decides who may do what. Throws a problem, or lets pass. */
export function checkAccess(request: IncomingMessage, access: Access, { viewerToken }: AccessOptions): void {
  const { headers, socket } = request;
  checkHost(headers.host, socket.localPort);
  checkOrigin(headers.origin, headers.host, headers["sec-fetch-site"]);
  if (access !== "viewer") return;
  const [scheme, token = ""] = (headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !isEqual(token, viewerToken)) {
    throw new EarshotError({ code: "NOT_AUTHORISED", message: "Reading this needs a viewer's credential." });
  }
}

/** A web page can reach this port by a name of its own choosing; the name shows in `Host`. */
function checkHost(host: string | undefined, port: number | undefined): void {
  const match = /^(\[::1\]|[^:]+)(?::(\d+))?$/.exec(host ?? "");
  const isOurs = match !== null && LOOPBACK_NAMES.has((match[1] ?? "").toLowerCase());
  // Without a socket there is no port to compare: a call from inside the process.
  const isOurPort = port === undefined || Number(match?.[2] ?? 80) === port;
  if (!isOurs || !isOurPort) throw refused("The Host header does not name this hub.");
}

/** Browsers say from where a page calls; programs say nothing. */
function checkOrigin(origin: string | undefined, host: string | undefined, site: string | string[] | undefined): void {
  if (origin !== undefined && origin !== `http://${host}`) throw refused("Pages of other origins may not call this hub.");
  if (site !== undefined && site !== "same-origin" && site !== "none") throw refused("Pages of other sites may not call this hub.");
}

function refused(message: string): EarshotError {
  return new EarshotError({ code: "HOST_REFUSED", message });
}

function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
