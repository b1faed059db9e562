import { type Connector, displayNameOf, readProducerAddress, type SubscriberClock } from "@earshot/aaep";
import { createConnector, MANIFEST_PATH } from "@earshot/aaep/node";
import { redactText } from "@earshot/hub/redact";
import { isObject } from "@earshot/protocol";
import type { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { openAaepSource } from "./aaep-source.ts";
import { AopCollector } from "./aop-collector.ts";
import { AopSource } from "./aop-source.ts";
import { type CommandExit, CommandSource } from "./command-source.ts";
import type { CapturePorts } from "./run-capture.ts";
import type { CaptureSource, LoadHeaders } from "./source.ts";

/** The source to capture: a URL or a command, and its parameters. */
export interface CaptureSourceOptions {
  readonly command: readonly string[];
  readonly url: string | undefined;
  readonly kind: "aaep" | "aop" | undefined;
  readonly speaks: "lines" | "aaep";
  readonly session: string | undefined;
  readonly begin: "start" | "now";
  readonly follows: boolean;
  /** The credential for the URL. */
  readonly headers: LoadHeaders;
  /** Public JWKs: only a producer whose manifest one of them signed is accepted. */
  readonly keys: readonly object[];
}

export async function openSource(
  options: CaptureSourceOptions,
  io: CommandIo,
  ports: CapturePorts,
  onExit: (exit: CommandExit) => void,
): Promise<CaptureSource> {
  const { command, url = "", session, speaks, begin, follows, headers, keys } = options;
  if (command.length > 0) {
    const name = redactText(command.map((word) => plainText(word)).join(" ")).text;
    return new CommandSource({ command, name, speaks, onLog: io.err, onExit });
  }
  const address = await findAddress(url, options.kind, headers);
  if (address.kind === "aop") {
    const collector = new AopCollector(address.base, headers);
    return new AopSource({ name: address.base, collector, session, begin, startedAtMs: ports.now(), follows });
  }
  if (!follows)
    throw createUsageError(
      "An AAEP producer keeps no history: --no-follow would capture nothing.",
      "Leave it out, or say how long with --for 30s.",
    );
  const name = displayNameOf(readProducerAddress(address.url));
  return openAaepSource({ name, connector: connectorFor(address.url, headers), keys, clock: clockOf(ports) });
}

type Address = { readonly kind: "aop"; readonly base: string } | { readonly kind: "aaep"; readonly url: string };

/**
 * Whether a URL is an AOP collector or an AAEP producer: by its path if that tells, otherwise by requests that only one of them answers.
 * A hub is both; its events are exported instead.
 */
export async function findAddress(url: string, kind: "aaep" | "aop" | undefined, headers: LoadHeaders): Promise<Address> {
  if (!/^https?:\/\//i.test(url)) {
    readProducerAddress(url); // throws where it is none
    if (kind === "aop") throw wrong("--as aop needs an address with http or https.");
    return { kind: "aaep", url };
  }
  const { origin, pathname } = parse(url);
  const base = `${origin}${pathname.replace(/\/(?:stream|sessions|health)?\/?$/, "")}`;
  if (kind !== undefined) return kind === "aaep" ? { kind, url } : { kind, base };
  if (/\/aaep\/|\/(?:events|subscriptions)\/?$/.test(`${pathname}/`)) return { kind: "aaep", url };
  if (/\/(?:stream|sessions)\/?$/.test(pathname)) return { kind: "aop", base };
  const shown = await headers();
  const [health, manifest, front] = await Promise.all(
    [`${base}/health`, `${origin}${MANIFEST_PATH}`, `${base}/`].map((address) => askJson(address, shown)),
  );
  if (health?.["ok"] === true && front?.["name"] === "Earshot")
    throw createUsageError(
      `${base} is a hub: its events are exported, not captured.`,
      `EARSHOT_URL=${base} earshot export --all --follow. Or say as what to capture it: --as aaep, --as aop.`,
    );
  // Small producers have no manifest: subscribing shows whether there is one.
  return manifest === undefined && health?.["ok"] === true ? { kind: "aop", base } : { kind: "aaep", url };
}

/** Credentials are looked up for each connection. */
function connectorFor(url: string, headers: LoadHeaders): Connector {
  const address = readProducerAddress(url);
  const create = (given: Readonly<Record<string, string>>) =>
    createConnector(address, { headers: given, token: /^bearer +(\S+)$/i.exec(given["authorization"] ?? "")?.[1] });
  return {
    transport: create({}).transport,
    connect: async (greeting, signal) => create(await headers()).connect(greeting, signal),
  };
}

const ASK_MS = 5000;

async function askJson(url: string, headers: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url, { headers: { ...headers, accept: "application/json" }, signal: AbortSignal.timeout(ASK_MS) });
    const body: unknown = await response.json();
    return response.ok && isObject(body) ? body : undefined;
  } catch {
    return undefined; // nothing listens there, or it answers something else
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
  return createUsageError(message, "earshot capture http://127.0.0.1:4317 -o run.jsonl");
}

function clockOf({ now, monotonic }: CapturePorts): SubscriberClock {
  return {
    now,
    monotonic,
    random: () => Math.random(),
    after: (ms: number, call: () => void) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
}
