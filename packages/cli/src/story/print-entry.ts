import type { Listed, SessionView, StoryItem } from "@earshot/hub";
import { agentName, type DescriptionWords, protocolName } from "@earshot/narrate";
import type { JsonValue } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { toItemSaying } from "@earshot/terminal/narration-lines";
import { plainText } from "@earshot/terminal/plain-text";
import { type Layout, layOutItem } from "@earshot/terminal/saying";
import type { HubAccess } from "../hub-client.ts";
import { followEntries } from "../tail/follow.ts";
import { readLiveFrame } from "../tail/live-entry.ts";
import { shortenId } from "../terminal/table.ts";
import type { ViewReader } from "./view-reader.ts";

/** One entry of the ledger: its meaning and its exact text. */
export async function printEntry(
  views: ViewReader,
  position: number,
  {
    io,
    layout,
    now,
    wording,
  }: { readonly io: CommandIo; readonly layout: Layout | undefined; readonly now: number; readonly wording: DescriptionWords },
): Promise<void> {
  const json = await readFrame(views.hub, position);
  const heard = json === undefined ? undefined : readLiveFrame(json);
  if (json === undefined || heard === undefined)
    throw new EarshotError({ code: "NOT_FOUND", message: `Entry #${position} does not exist or was removed.` });
  if (layout === undefined) {
    io.out(`${json}\n`);
    return;
  }
  const { sessions } = wording;
  const at = Date.parse(heard.receivedAt);
  const item = await findItem(views, heard, position);
  const lines = [
    ...layOutItem(
      {
        what: sessions.entry(position),
        remarks: [`${protocolName(heard.protocol)} ${heard.type}`, agentName(heard.agent), sessions.ofSession(shortenId(heard.session))],
        words: sessions.received(wording.ago(at, now), wording.clock(at)),
      },
      undefined,
      layout,
    ),
    ...(item === undefined ? [] : layOutItem(toItemSaying(item, wording, { notes: true }), undefined, { ...layout, full: true })),
    sessions.asSaid,
    ...asJson(heard.event),
  ];
  io.out(`${lines.join("\n")}\n`);
}

/** The stream can begin after any position: its first frame is the entry, if it exists. */
async function readFrame(hub: HubAccess, position: number): Promise<string | undefined> {
  if (position < 1) return undefined;
  const stop = new AbortController();
  const told = followEntries({
    open: async () => hub,
    filter: {},
    after: String(position - 1),
    signal: stop.signal,
    wait: async () => stop.abort(),
    onGone: () => {},
    onBack: () => {},
  });
  try {
    for await (const { kind, json, position: at } of told)
      if (at >= position) return kind === "entry" && at === position ? json : undefined;
    return undefined;
  } catch (error) {
    // A position beyond the newest.
    if (EarshotError.is(error) && error.problem.code === "WRONG_QUERY") return undefined;
    throw error;
  } finally {
    stop.abort();
  }
}

/** The story item at this position; a call is shown where it began. */
async function findItem(
  views: ViewReader,
  { session, protocol }: { readonly session: string; readonly protocol: string },
  position: number,
): Promise<StoryItem | undefined> {
  const { items } = await views.read<Listed<SessionView>>("/api/sessions", { id: session, limit: 20 });
  const own = items.filter((one) => one.protocol === protocol && one.firstPosition <= position && one.lastPosition >= position);
  for (const { key } of own) {
    const story = await views.read<Listed<StoryItem>>(`/api/sessions/${key}/story`, { from: position, limit: 5 });
    const found = story.items.find((item) => item.position === position);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** JSON strings contain no line breaks, so every line is Earshot's, and `plainText` shows hidden characters. */
function asJson(value: JsonValue): readonly string[] {
  return JSON.stringify(value, null, 2).split("\n").map(plainText);
}
