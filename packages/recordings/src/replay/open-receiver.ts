import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { CollectorReceiver } from "./collector-receiver.ts";
import { LineReceiver } from "./line-receiver.ts";
import type { OnRefused, ReplayHubAccess, ReplayReceiver } from "./receiver.ts";

export interface ReceiverCallbacks {
  readonly onRefused: OnRefused;
  /** Called when the receiver is full or does not respond. */
  readonly onWait: (why: string) => void;
}

/** Opens the receiver at an address; without an address, the user's own hub. */
export async function openReceiver(
  to: string | undefined,
  findHub: () => Promise<ReplayHubAccess | undefined>,
  { onRefused, onWait }: ReceiverCallbacks,
): Promise<ReplayReceiver> {
  const found = to === undefined ? await ownHub(findHub) : await findReceiver(to);
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

async function ownHub(findHub: () => Promise<ReplayHubAccess | undefined>): Promise<Found> {
  const hub = await findHub();
  if (hub !== undefined) return { kind: "hub", url: hub.url, path: "/v1/events", hub };
  throw new EarshotError({
    code: "HUB_NOT_FOUND",
    message: "No hub answers.",
    hint: "Start one with `earshot start` in another terminal; or play elsewhere: --to URL, --serve aaep, --serve aop.",
  });
}

/** The kind of receiver at an address, determined by a request. */
type Found =
  | { readonly kind: "hub"; readonly url: string; readonly path: string; readonly hub?: ReplayHubAccess }
  | { readonly kind: "collector"; readonly url: string }
  | { readonly kind: "lines"; readonly url: string; readonly path: string };

const ASK_MS = 5000;
/** Paths at which a hub accepts events. Its other paths are for answers, hooks and settings, and do not accept a recording. */
const HUB_PATHS: Readonly<Record<string, string>> = {
  "": "/v1/events",
  "/": "/v1/events",
  "/events": "/v1/events",
  "/v1/events": "/v1/events",
  "/aep/v1/events": "/aep/v1/events",
  "/aaep/v1/events": "/aaep/v1/events",
};
/** Paths at which AAEP accepts answers, on any server. */
const ANSWERS = /\/(?:replies|messages|subscriptions|stop)\/?$/;

/**
 * Determines the receiver at an address: a hub, an AOP collector, or any other server, which is assumed to accept JSON lines at exactly
 * this address.
 */
async function findReceiver(address: string): Promise<Found> {
  const url = readAddress(address);
  if (ANSWERS.test(url.pathname)) throw wrongPlace("There answers are taken, and a recording decides nothing.");
  const { origin, pathname, search } = url;
  const told = await ask(origin);
  if (isHub(told)) {
    const path = HUB_PATHS[pathname];
    if (path === undefined) throw wrongPlace(`A hub takes no events at ${pathname}.`);
    return { kind: "hub", url: origin, path };
  }
  const base = pathname.replace(/\/(?:events\/?)?$/, "");
  if (isCollector(told) || (base !== "" && isCollector(await ask(origin + base)))) return { kind: "collector", url: origin + base };
  return { kind: "lines", url: origin, path: pathname + search };
}

function readAddress(address: string): URL {
  const url = URL.parse(address);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `--to cannot be ${JSON.stringify(address)}.`,
    hint: "Give an address with http or https: of a hub, of an AOP collector, or one that takes JSON lines.",
  });
}

/** The description at the root path, which hubs and collectors serve; undefined if it is not a JSON object. */
async function ask(base: string): Promise<JsonObject | undefined> {
  try {
    const response = await fetch(`${base}/`, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(ASK_MS) });
    const said = (await response.json().catch(() => undefined)) as JsonValue | undefined;
    return said !== undefined && isObject(said) ? said : undefined;
  } catch (cause) {
    throw new EarshotError(
      { code: "HUB_NOT_FOUND", message: `Nothing answers at ${base}.`, hint: "Look whether it runs, and whether the port is right." },
      { cause },
    );
  }
}

function isHub(told: JsonObject | undefined): boolean {
  // A hub that is starting or stopping responds with this code only.
  return told?.["name"] === "Earshot" || told?.["code"] === "LEDGER_UNAVAILABLE";
}

function isCollector(told: JsonObject | undefined): boolean {
  const { spec } = told ?? {};
  return typeof spec === "string" && spec.startsWith("aop/");
}

function wrongPlace(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint: "Give the address of the hub alone: http://127.0.0.1:PORT" });
}
