import { type Connector, nameOf, readProducerAddress } from "@earshot/aaep";
import { createConnector, MANIFEST_PATH } from "@earshot/aaep/node";
import { isObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { Headers, SourceKind } from "./source.ts";

/** What can be told of an address by looking. */
export type Address =
  | { readonly kind: "hub" | "aop"; readonly base: string }
  /** As `readProducerAddress` takes it. */
  | { readonly kind: "aaep"; readonly url: string };

export type AddressKind = Exclude<SourceKind, "command">;

const LOOK_MS = 5000;

/**
 * Whether there is a hub, an AOP collector or an AAEP producer at an address: by its path where that says it, otherwise by asking
 * what only one of them answers. A hub speaks all three, and is captured as the hub that it is unless something else is said.
 */
export async function findSource(url: string, said: AddressKind | undefined, headers: Headers): Promise<Address> {
  if (!/^https?:\/\//i.test(url)) {
    readProducerAddress(url); // throws where it is none
    if (said !== undefined && said !== "aaep") throw wrong(`--as ${said} needs an address with http or https.`);
    return { kind: "aaep", url };
  }
  const { origin, pathname } = parse(url);
  const base = `${origin}${pathname.replace(/\/(?:stream|sessions|health)?\/?$/, "")}`;
  if (said !== undefined) return said === "aaep" ? { kind: said, url } : { kind: said, base };
  if (/\/aaep\/|\/(?:events|subscriptions)\/?$/.test(`${pathname}/`)) return { kind: "aaep", url };
  if (/\/(?:stream|sessions)\/?$/.test(pathname)) return { kind: "aop", base };
  const shown = await headers();
  const [health, manifest, front] = await Promise.all(
    [`${base}/health`, `${origin}${MANIFEST_PATH}`, `${base}/`].map((address) => look(address, shown)),
  );
  if (health?.["ok"] === true && front?.["name"] === "Earshot") return { kind: "hub", base };
  // Small producers have no manifest: whether there is one is told by subscribing.
  return manifest === undefined && health?.["ok"] === true ? { kind: "aop", base } : { kind: "aaep", url };
}

/** How it is called wherever it is named. */
export function addressName(address: Address): string {
  return address.kind === "aaep" ? nameOf(readProducerAddress(address.url)) : address.base;
}

/** Credentials are looked at anew for each connection. */
export function connectorFor(url: string, headers: Headers): Connector {
  const address = readProducerAddress(url);
  const create = (given: Readonly<Record<string, string>>) =>
    createConnector(address, { headers: given, token: /^bearer +(\S+)$/i.exec(given["authorization"] ?? "")?.[1] });
  return {
    transport: create({}).transport,
    connect: async (greeting, signal) => create(await headers()).connect(greeting, signal),
  };
}

async function look(url: string, headers: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url, { headers: { ...headers, accept: "application/json" }, signal: AbortSignal.timeout(LOOK_MS) });
    const body: unknown = await response.json();
    return response.ok && isObject(body) ? body : undefined;
  } catch {
    return undefined; // nobody there, or somebody who answers otherwise
  }
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw wrong(`${JSON.stringify(url.slice(0, 200))} is no address.`);
  }
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint: "earshot capture http://127.0.0.1:4317 -o run.jsonl" });
}
