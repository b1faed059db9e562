import { EarshotError } from "@earshot/protocol/problem";

/** The address of a producer. */
export type ProducerAddress =
  | { readonly kind: "http"; readonly base: string; readonly query: string; readonly isHost?: true }
  | { readonly kind: "websocket"; readonly url: string }
  /** A Unix socket, or a named pipe of Windows. */
  | { readonly kind: "socket"; readonly path: string };

const PREFIX = "/aaep/v1";
const HTTP_PARTS = /\/(?:events|subscriptions|replies|messages)?\/?$/;

/** Parses a typed address; for a plain host, the path is discovered. */
export function readProducerAddress(text: string): ProducerAddress {
  if (text.startsWith("unix:")) return { kind: "socket", path: text.slice("unix:".length).replace(/^\/\/(?=\/)/, "") };
  if (text.startsWith("\\\\.\\pipe\\")) return { kind: "socket", path: text };
  const url = parse(text);
  if (url.username !== "" || url.password !== "") throw wrong("A credential does not belong in an address: send it as a header.");
  const { origin, pathname, protocol, host, search } = url;
  switch (protocol) {
    case "http:":
    case "https:": {
      const path = pathname === "/" ? PREFIX : pathname.replace(HTTP_PARTS, "");
      return { kind: "http", base: `${origin}${path}`, query: search.slice(1), ...(pathname === "/" ? { isHost: true } : {}) };
    }
    case "ws:":
    case "wss:":
      return { kind: "websocket", url: `${protocol}//${host}${pathname === "/" ? `${PREFIX}/ws` : pathname}${search}` };
    default:
      throw wrong("A producer is reached by http, https, ws, wss or unix.");
  }
}

/** The displayed name, without possible secrets. */
export function displayNameOf(address: ProducerAddress): string {
  switch (address.kind) {
    case "http":
      return address.base;
    case "websocket":
      return address.url.split("?", 1)[0] ?? address.url;
    case "socket":
      return `unix:${address.path}`;
  }
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw wrong("This is no address of a producer.");
  }
}

function wrong(message: string): EarshotError {
  const hint = "http://127.0.0.1:8090/aaep/v1, ws://127.0.0.1:8090/aaep/v1/ws, or unix:/run/user/1000/aaep/agent.sock";
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}
