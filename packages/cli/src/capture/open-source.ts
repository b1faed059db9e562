import type { SubscriberClock } from "@earshot/aaep";
import { homeOf, readAddress } from "@earshot/hub/home";
import { redactText } from "@earshot/hub/redact";
import { EarshotError } from "@earshot/protocol/problem";
import { toAttachBody } from "../attach/attachments.ts";
import { findHub, type HubAccess, openHub } from "../hub-client.ts";
import type { Io } from "../io.ts";
import { findSession, ViewReader } from "../story/view-reader.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";
import { AaepSource } from "./aaep-source.ts";
import { AopCollector } from "./aop-collector.ts";
import { AopSource } from "./aop-source.ts";
import { type CommandExit, CommandSource } from "./command-source.ts";
import { addressName, connectorFor, findSource } from "./find-source.ts";
import { HubSource, sessionBefore } from "./hub-source.ts";
import type { CaptureArguments } from "./read-arguments.ts";
import type { CapturePorts } from "./run-capture.ts";
import { readSideFile, type SideFile } from "./side-file.ts";
import type { Headers, Source } from "./source.ts";

export interface OpenPorts extends CapturePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
}

const HEALTH_MS = 3000;

interface OpenedSource {
  readonly source: Source;
  /** The id in full. */
  readonly session: string | undefined;
}

/** The source that is meant, and the session in full where one is. */
export async function openSource(
  given: CaptureArguments,
  io: Io,
  ports: OpenPorts,
  onExit: (said: string, failed: boolean) => void,
): Promise<OpenedSource> {
  const { command, url, session, speaks } = given;
  if (command.length > 0) {
    const name = redactText(command.map((word) => plainText(word)).join(" ")).text;
    const ended = ({ code, killed, wasStopped }: CommandExit) =>
      onExit(killed === null ? `the command ended with code ${code}` : `the command was ended by ${killed}`, code !== 0 && !wasStopped);
    return { source: new CommandSource({ command, name, speaks, onLog: io.err, onExit: ended }), session };
  }
  if (url === undefined) return openHubSource(given, io, () => openHub(ports.env));
  const { headers, keys } = credentialsFor(given, url, ports);
  const before = sideOf(given)?.source.kind;
  // A capture that goes on knows what it captures, also while nobody answers there.
  const address = await findSource(url, given.kind ?? (before === "command" ? undefined : before), headers);
  const name = addressName(address);
  const { begin, follows } = given;
  switch (address.kind) {
    case "hub":
      return openHubSource(given, io, () => openAt(address.base, headers), name);
    case "aop": {
      const startedAt = sideOf(given)?.startedAt ?? new Date(ports.now()).toISOString();
      const collector = new AopCollector(address.base, headers);
      return { source: new AopSource({ name, collector, session, begin, startedAt, follows }), session };
    }
    case "aaep": {
      if (!follows)
        throw usage(
          "An AAEP producer keeps no history: --no-follow would capture nothing.",
          "Leave it out, or say how long with --for 30s.",
        );
      return { source: new AaepSource({ name, connector: connectorFor(address.url, headers), keys, clock: clockOf(ports) }), session };
    }
  }
}

async function openHubSource(given: CaptureArguments, io: Io, open: () => Promise<HubAccess>, name?: string): Promise<OpenedSource> {
  const { session: asked, begin, follows } = given;
  const side = sideOf(given);
  const before = side === undefined ? undefined : sessionBefore(side);
  // A capture that goes on waits for a hub that is not there yet.
  if (
    side?.source.kind === "hub" &&
    side.resume !== undefined &&
    asked === side.source.session &&
    (before === undefined) === (asked === undefined)
  )
    return { source: new HubSource({ name: name ?? side.source.name, open, session: before, begin, follows }), session: before?.id };
  const hub = await open();
  const found = asked === undefined ? undefined : await findSession(new ViewReader(hub, io), asked);
  const session = found === undefined ? undefined : { id: found.id, protocol: found.protocol, source: found.source };
  return { source: new HubSource({ name: hub.url, open, session, begin, follows }), session: session?.id };
}

/** What lies beside the recording, where there is one already. */
function sideOf({ into }: CaptureArguments): SideFile | undefined {
  return into === undefined ? undefined : readSideFile(into);
}

async function openAt(url: string, headers: Headers): Promise<HubAccess> {
  const answers = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!answers) throw new EarshotError({ code: "HUB_NOT_FOUND", message: `No hub answers at ${url}.` });
  return { url, headers: await headers() };
}

/** The user's own hub is shown what the user's own commands show it, and nobody else is. */
function credentialsFor({ headers: lines, keyFiles }: CaptureArguments, url: string, { env }: OpenPorts) {
  const body = toAttachBody({ url, command: [], headers: lines, keyFiles, cwd: process.cwd() });
  const { headers: given = {}, keys = [] } = "url" in body ? body : {};
  const shown = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const host = URL.canParse(url) ? new URL(url).host : "";
  const headers: Headers = async () => {
    if (lines.length > 0 || host === "") return shown;
    const own = await findHub(env);
    if (own !== undefined) return new URL(own.url).host === host ? own.headers : shown;
    // The user's own hub is away, or just comes up: without a credential it would refuse.
    const known = readAddress(homeOf(env))?.url;
    if (known !== undefined && new URL(known).host === host && !(await isStranger(known)))
      throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `The hub at ${known} does not answer yet.` });
    return shown;
  };
  return { headers, keys };
}

/** Whether something answers there that is no hub. */
async function isStranger(url: string): Promise<boolean> {
  return fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    async (response) => ((await response.json().catch(() => undefined)) as { readonly ok?: unknown } | undefined)?.ok !== true,
    () => false,
  );
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
