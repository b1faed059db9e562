import type { SessionView, StoryItem, StoryPage } from "@earshot/hub";
import type { DescriptionWords } from "@earshot/narrate";
import type { CommandIo } from "@earshot/terminal/io";
import type { Layout } from "@earshot/terminal/saying";
import { commandLine } from "./options.ts";
import { StoryPrinter } from "./story-printer.ts";
import type { ViewQuery, ViewReader } from "./view-reader.ts";

/** The part of a story: its end, the items before a position, or from a position. */
export type StoryPart =
  | { readonly kind: "last"; readonly before?: number }
  | { readonly kind: "from"; readonly from?: number; readonly after?: string };

export interface StoryPrinting {
  readonly views: ViewReader;
  readonly session: SessionView;
  readonly part: StoryPart;
  readonly limit: number;
  readonly io: CommandIo;
  readonly now: number;
  readonly wording: DescriptionWords;
  /** Undefined for JSON: one object per line. */
  readonly layout: Layout | undefined;
}

/** Prints a story while reading it, so that a long one is neither held nor awaited. */
export async function printStory(printing: StoryPrinting): Promise<void> {
  const { views, session, part, limit, io, now, layout, wording } = printing;
  const { sessions } = wording;
  const path = `/api/sessions/${session.key}/story`;
  const again = (...words: readonly string[]) => commandLine("show", session.id, ...words);
  const write = (lines: readonly string[]) => (lines.length === 0 ? undefined : io.out(`${lines.join("\n")}\n`));
  const { agent, model, workspace } = session;
  const teller = layout === undefined ? undefined : new StoryPrinter(layout, { now, agent, model, workspace, wording });
  const print = (item: StoryItem) => write(teller === undefined ? [JSON.stringify({ item })] : teller.print(item));

  if (part.kind === "last") {
    const { items, earlier } = await readLastItems(limit, part.before, (query) => views.read(path, query));
    if (teller !== undefined) {
      write([
        "",
        earlier === undefined
          ? items.length === 0
            ? sessions.nothing
            : sessions.happened(sessions.counts.items(items.length))
          : sessions.happenedLast(sessions.counts.items(items.length), again("--before", String(earlier)), again("--from-start")),
      ]);
    }
    for (const item of items) print(item);
    write(teller?.finish() ?? []);
    if (teller === undefined && earlier !== undefined) write([JSON.stringify({ before: earlier })]);
    return;
  }
  if (teller !== undefined) write(["", sessions.happenedFrom]);
  const pages = views.list<StoryItem>(path, { limit, from: part.from, after: part.after });
  let page = await pages.next();
  for (; page.done !== true; page = await pages.next()) for (const item of page.value) print(item);
  write(teller?.finish() ?? []);
  if (page.value === undefined) return;
  write([teller === undefined ? JSON.stringify({ next: page.value }) : sessions.more(again("--after", page.value))]);
}

/** The last items, or those before a position, oldest first; `earlier` is the position to continue before. */
async function readLastItems(
  limit: number,
  before: number | undefined,
  read: (query: ViewQuery) => Promise<StoryPage>,
): Promise<{ readonly items: readonly StoryItem[]; readonly earlier: number | undefined }> {
  let items: readonly StoryItem[] = [];
  let earlier = before;
  do {
    const page = await read({ last: limit - items.length, before: earlier });
    items = [...page.items, ...items];
    earlier = page.earlier;
  } while (earlier !== undefined && items.length < limit);
  return { items, earlier };
}
