import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** The head of a request and its connection. `node:http` requests have this shape. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, "localAddress" | "localPort" | "remoteAddress">;
}

/** The names under which the hub may be called. */
export interface HubReach {
  /** The address of a TLS proxy: exactly this Host and Origin. */
  readonly publicUrl?: URL;
  /** Listening beyond loopback: the hub may be called by the address a connection arrived at. */
  readonly anyAddress?: boolean;
  /** Origins of web applications that may call with a paired device or a token. Exact origins only. */
  readonly allowedOrigins?: readonly string[];
  /** Callers on this machine may read without a credential. */
  readonly isOpenToReaders?: boolean;
}

export interface OwnAddress {
  /** The Origin header of the hub's own pages. */
  readonly origin: string;
  /** Whether the caller is on this machine, as far as that can be known. */
  readonly isLocal: boolean;
}

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** Only proxies add these headers, and a proxy's caller may be anywhere. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] as const;

/** The hub's name in the request, if it is one of its own. Otherwise a web page could reach this port under any DNS name. */
export function ownAddressOf({ headers, socket }: RequestHead, { publicUrl, anyAddress }: HubReach): OwnAddress | undefined {
  const host = headers.host ?? "";
  if (publicUrl !== undefined && host.toLowerCase() === publicUrl.host) return { origin: publicUrl.origin, isLocal: false };
  const { name, port, origin } = host === called.host ? called : readHost(host);
  // Without a socket it is a call within the process.
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

/** Cached, because nearly all requests use the same name. */
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

/** Converts IPv4-mapped IPv6 addresses to IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:/i, "");
}

/** Kept outside the request object, so that nothing that prints a request can reveal it. */
const tokens = new WeakMap<RequestHead, string>();

const ADDRESS_TOKEN = /^\/k\/([^/?]*)(.*)$/s;

/**
 * `/k/TOKEN/sessions` → `/sessions`, for clients that only know a URL. The request's own URL is stripped, so that no message, log or
 * error can contain the token.
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

/** The token from the URL; an empty one counts as present and wrong. */
export function addressTokenOf(request: RequestHead): string | undefined {
  return tokens.get(request);
}
