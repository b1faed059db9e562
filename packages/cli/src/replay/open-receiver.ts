import { EarshotError } from "@earshot/protocol";
import { findHub } from "../hub-client.ts";
import { CollectorReceiver } from "./collector-receiver.ts";
import { type Found, findReceiver } from "./find-receiver.ts";
import { LineReceiver } from "./line-receiver.ts";
import type { OnRefused, Receiver } from "./receiver.ts";

export interface Troubles {
  readonly onRefused: OnRefused;
  /** Told that the receiver has no room, or does not answer. */
  readonly onWait: (why: string) => void;
}

/** Whoever is at an address; without one, this user's hub. */
export async function openReceiver(
  to: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  { onRefused, onWait }: Troubles,
): Promise<Receiver> {
  const found = to === undefined ? await ownHub(env) : await findReceiver(to);
  if (found.kind === "collector") return new CollectorReceiver({ url: found.url, onRefused, onWait });
  const { url, path, kind } = found;
  const isHub = kind === "hub";
  return new LineReceiver({
    url,
    path,
    name: isHub ? `the hub at ${url}` : `${url}${path}`,
    recognises: isHub,
    hub: found.kind === "hub" ? found.hub : undefined,
    onRefused: (place, problem) => onRefused(Number(place), problem),
    onWait,
  });
}

async function ownHub(env: Readonly<Record<string, string | undefined>>): Promise<Found> {
  const hub = await findHub(env);
  if (hub !== undefined) return { kind: "hub", url: hub.url, path: "/v1/events", hub };
  throw new EarshotError({
    code: "HUB_NOT_FOUND",
    message: "No hub answers.",
    hint: "Start one with `earshot start` in another terminal; or play elsewhere: --to URL, --serve aaep, --serve aop.",
  });
}
