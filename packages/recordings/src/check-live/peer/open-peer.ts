import { EarshotError } from "@earshot/protocol/problem";
import { createStdioPeer, createWebSocketPeer } from "./channel-peer.ts";
import { createHttpPeer } from "./http-peer.ts";
import type { DrivenPeer } from "./peer.ts";

/** The peer to drive: a URL, or a command. */
export type PeerTarget = { readonly url: string } | { readonly command: readonly string[] };

export function openPeer(target: PeerTarget, headers: Readonly<Record<string, string>>): DrivenPeer {
  if ("command" in target) return createStdioPeer(target.command);
  const url = URL.canParse(target.url) ? new URL(target.url) : undefined;
  const scheme = url?.protocol;
  if (scheme === "http:" || scheme === "https:") return createHttpPeer(target.url, headers);
  if (url !== undefined && (scheme === "ws:" || scheme === "wss:")) {
    const base = new URL(".", url);
    base.protocol = scheme === "ws:" ? "http:" : "https:";
    return createWebSocketPeer(target.url, headers, createHttpPeer(base.href, headers));
  }
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `${JSON.stringify(target.url)} is no address of a producer.`,
    hint: "Give http://, https://, ws:// or wss://, or -- and a command to run.",
  });
}
