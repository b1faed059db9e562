import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { CollectorReceiver } from "./collector-receiver.ts";
import { LineReceiver } from "./line-receiver.ts";
import type { HubAccess, OnRefused, Receiver } from "./receiver.ts";

export interface Troubles {
  readonly onRefused: OnRefused;
  /** Told that the receiver has no room, or does not answer. */
  readonly onWait: (why: string) => void;
}

/** Whoever is at an address; without one, this user's hub. */
export async function openReceiver(
  to: string | undefined,
  findHub: () => Promise<HubAccess | undefined>,
  { onRefused, onWait }: Troubles,
): Promise<Receiver> {
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

async function ownHub(findHub: () => Promise<HubAccess | undefined>): Promise<Found> {
  const hub = await findHub();
  if (hub !== undefined) return { kind: "hub", url: hub.url, path: "/v1/events", hub };
  throw new EarshotError({
    code: "HUB_NOT_FOUND",
    message: "No hub answers.",
    hint: "Start one with `earshot start` in another terminal; or play elsewhere: --to URL, --serve aaep, --serve aop.",
  });
}

/** Who is at an address, told by asking it. */
type Found =
  | { readonly kind: "hub"; readonly url: string; readonly path: string; readonly hub?: HubAccess }
  | { readonly kind: "collector"; readonly url: string }
  | { readonly kind: "lines"; readonly url: string; readonly path: string };

const ASK_MS = 5000;
/** Where a hub takes events. Everything else there is for answers, hooks and settings, and no place for a recording. */
const HUB_PATHS: Readonly<Record<string, string>> = {
  "": "/v1/events",
  "/": "/v1/events",
  "/events": "/v1/events",
  "/v1/events": "/v1/events",
  "/aep/v1/events": "/aep/v1/events",
  "/aaep/v1/events": "/aaep/v1/events",
};
/** Where AAEP takes answers, whoever serves it. */
const ANSWERS = /\/(?:replies|messages|subscriptions|stop)\/?$/;

/** Looks who is there: a hub, an AOP collector, or somebody else, who is taken to take JSON lines at exactly this address. */
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

/** What stands at its root, as hubs and collectors tell it; undefined where that is no JSON object. */
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
  // One that is just starting, or stopping, says only that.
  return told?.["name"] === "Earshot" || told?.["code"] === "LEDGER_UNAVAILABLE";
}

function isCollector(told: JsonObject | undefined): boolean {
  const { spec } = told ?? {};
  return typeof spec === "string" && spec.startsWith("aop/");
}

function wrongPlace(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint: "Give the address of the hub alone: http://127.0.0.1:PORT" });
}
