import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** What the head of a request says, and over which connection. A request of `node:http` is one of these. */
export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, "localAddress" | "localPort" | "remoteAddress">;
}

/** Under which names the hub may be called. */
export interface Reach {
  /** Where a proxy with TLS stands in front: exactly this Host and this Origin. */
  readonly publicUrl?: URL;
  /** Told to listen beyond loopback: it may be called by the very address that a connection came in at. */
  readonly anyAddress?: boolean;
  /** Web applications of other origins that may call for whoever is paired or holds a token. Exact origins, never all of them. */
  readonly allowedOrigins?: readonly string[];
}

export interface OwnAddress {
  /** What pages of ours send as their origin. */
  readonly origin: string;
  /** Whether the caller is a program of this machine, as far as can be told. */
  readonly isLocal: boolean;
}

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** Only proxies write these: whoever comes through one may be anywhere. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] as const;

/** The name by which the hub was called, if it is one of its own. A web page can reach this port by a name of its own choosing. */
export function ownAddressOf({ headers, socket }: Asked, { publicUrl, anyAddress }: Reach): OwnAddress | undefined {
  const host = headers.host ?? "";
  if (publicUrl !== undefined && host.toLowerCase() === publicUrl.host) return { origin: publicUrl.origin, isLocal: false };
  const { name, port, origin } = host === called.host ? called : readHost(host);
  // Without a socket there is no port to compare: a call from inside the process.
  const isOurPort = socket.localPort === undefined || port === socket.localPort;
  if (name === "" || !isOurPort) return undefined;
  if (LOOPBACK_NAMES.has(name)) {
    return { origin, isLocal: isLoopback(socket.remoteAddress) && FORWARDED.every((header) => headers[header] === undefined) };
  }
  const isItself =
    anyAddress === true && socket.localAddress !== undefined && name.replace(/^\[|\]$/g, "") === plain(socket.localAddress).toLowerCase();
  return isItself ? { origin, isLocal: false } : undefined;
}

interface Called {
  /** As it was sent. */
  readonly host: string;
  readonly name: string;
  readonly port: number;
  readonly origin: string;
}

/** Nearly everybody calls by the same name, and says so with every request. */
let called: Called = { host: "", name: "", port: 80, origin: "" };

function readHost(host: string): Called {
  const lower = host.toLowerCase();
  const [, name = "", port] = /^(\[[\da-f:.]+\]|[^:]+)(?::(\d+))?$/.exec(lower) ?? [];
  called = { host, name, port: Number(port ?? 80), origin: `http://${lower}` };
  return called;
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === "::1" || plain(address).startsWith("127.");
}

/** IPv4 as IPv6 writes it. */
function plain(address: string): string {
  return address.replace(/^::ffff:/i, "");
}

/** Beside the request, not in it: whatever is written about a request must not show it. */
const tokens = new WeakMap<Asked, string>();

const ADDRESS_TOKEN = /^\/k\/([^/?]*)(.*)$/s;

/**
 * `/k/TOKEN/sessions` → `/sessions`. For clients that know an address and nothing else. From here on the request's own
 * address is without the token, so that no message, log or error can tell it.
 */
export function withoutAddressToken(request: IncomingMessage): string {
  const url = request.url ?? "/";
  const match = ADDRESS_TOKEN.exec(url);
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
