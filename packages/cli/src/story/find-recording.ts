import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { SessionTree, SessionView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol";
import type { CommandIo } from "@earshot/terminal/io";
import { type HubAccess, requestFromHub } from "../hub-client.ts";
import { findSessionByName, type ViewPorts, ViewReader } from "./view-reader.ts";

/** A source of events and its name. */
export interface RecordingSource {
  readonly title: string;
  readonly events: string | Readable;
  /** Left out if unknown. */
  readonly sizeBytes?: number;
}

/** Maximum sessions of one family read from the hub. */
const FAMILY = 40;
const STDIN = "-";

/**
 * A recording or a session of the hub: an existing file is a file, `-` is standard input, anything else names a session. Obvious paths
 * are never looked up in the hub.
 */
export async function findRecording(name: string, io: CommandIo, ports: ViewPorts): Promise<RecordingSource> {
  if (name === STDIN) return { title: "standard input", events: io.stdin };
  const info = await stat(name).catch(() => undefined);
  if (info?.isDirectory())
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${name} is a folder.`, hint: "Name one recording." });
  if (info !== undefined) return { title: name, events: name, sizeBytes: info.size };
  if (/[/\\]|\.(?:jsonl?|ndjson|gz)$/i.test(name)) {
    throw new EarshotError({
      code: "FILE_UNREADABLE",
      message: `There is no file ${name}.`,
      hint: "Check the path; a session of the hub is named by its id.",
    });
  }
  return fromHub(name, io, ports);
}

/** The session and its subagents, one after the other. */
async function fromHub(name: string, io: CommandIo, ports: ViewPorts): Promise<RecordingSource> {
  const views = new ViewReader(await ports.open(), io);
  const session = await findSessionByName(views, name);
  const { nodes } = await views.read<SessionTree>(`/api/sessions/${session.key}/tree`);
  return { title: session.id, events: Readable.from(exportsOf(views.hub, familyOf(session, nodes))) };
}

/** The tree lists each before its children, so deeper following nodes are descendants. */
function familyOf(session: SessionView, nodes: SessionTree["nodes"]): readonly SessionView[] {
  const start = nodes.findIndex(({ key }) => key === session.key);
  const depth = nodes[start]?.depth ?? 0;
  const after = nodes.slice(start + 1);
  const end = after.findIndex((node) => node.depth <= depth);
  return [session, ...(start < 0 ? [] : after.slice(0, end < 0 ? undefined : end))].slice(0, FAMILY);
}

async function* exportsOf(hub: HubAccess, sessions: readonly SessionView[]): AsyncGenerator<Buffer> {
  for (const { id, protocol, source } of sessions) {
    const response = await requestFromHub(hub, `/api/export?${new URLSearchParams({ session: id, protocol, source })}`);
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) yield Buffer.from(chunk);
  }
}
