import type { SearchHit } from "@earshot/hub";
import { agentSlug, formatCount } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { layOutItem } from "@earshot/terminal/saying";
import { createStyle } from "@earshot/terminal/style";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { HIT_COLUMNS, highlight, hitRow, hitSaying } from "../story/list-lines.ts";
import { commandLine, readLimit, readTimeOption } from "../story/options.ts";
import { findSessionByName, PROCESS_PORTS, type ViewPorts, ViewReader } from "../story/view-reader.ts";
import { listLines, PLAIN_OPTION } from "../terminal/table.ts";

const FILTERS = ["session", "agent", "type", "since", "until", "limit"] as const;

export const searchCommand = command(
  {
    name: "search",
    positionals: ["WORDS…"],
    about: `Searches all events: prompts, thoughts, names of tools, commands, outputs, errors. Newest first. All words must occur; "a phrase"
in quotes (quote it for the shell as well), a * at the end of a word for any ending, a - before what must not occur.`,
    options: {
      session: { type: "string", value: "S", about: "only in this session: an id, its beginning, or a key" },
      agent: { type: "string", value: "A", about: "only of this agent" },
      type: { type: "string", value: "T", about: "only events of this type" },
      since: { type: "string", value: "TIME", about: "only events since: 2h, 3d, 2026-11-15" },
      until: { type: "string", value: "TIME", about: "only events until this time" },
      relevance: { type: "boolean", default: false, about: "the best match first, among the newest few thousand" },
      limit: { type: "string", value: "N", about: "how many (default: 20)" },
      after: { type: "string", value: "CURSOR", about: "continue a list" },
      ...PLAIN_OPTION,
      json: { type: "boolean", default: false, about: "print them as JSON" },
    },
    notes: `A word that begins with - would be taken for an option: put -- before the words.

Exit code 0: something was found. 1: nothing. 2: could not be done.`,
    examples: ["search rollback", "search '\"permission denied\"' --since 1d", "search --session sess_7c1e -- deploy -staging"],
  },
  async ({ values, positionals }, io: CommandIo, ports: ViewPorts = PROCESS_PORTS): Promise<number> => {
    const text = positionals.join(" ").trim();
    if (text === "") throw createUsageError("Give words to search for.", "earshot search WORDS");
    const now = ports.now();
    const limit = readLimit(values.limit, 20);
    const since = readTimeOption(values.since, "--since", now);
    const until = readTimeOption(values.until, "--until", now);
    const views = new ViewReader(await ports.open(), io);
    const session = values.session === undefined ? undefined : await findSessionByName(views, values.session);
    const list = await views.collect<SearchHit>("/api/search", {
      text,
      session: session?.key,
      agent: values.agent === undefined ? undefined : agentSlug(values.agent),
      type: values.type,
      since,
      until,
      order: values.relevance ? "relevance" : undefined,
      after: values.after,
      limit,
    });
    const found = list.items.length > 0 ? EXIT.ok : EXIT.found;
    if (values.json) {
      io.out(`${JSON.stringify(list, null, 2)}\n`);
      return found;
    }
    const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false };
    const filters = FILTERS.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
    const again = [...filters, ...(values.relevance ? ["--relevance"] : [])];
    const order = values.relevance ? "best match first" : "newest first";
    const lines = [
      list.items.length === 0 ? "No matches." : `${formatCount(list.items.length, "match", "matches")}, ${order}.`,
      ...(await listLines(io, values.plain, {
        items: list.items,
        columns: HIT_COLUMNS,
        cut: HIT_COLUMNS.length - 1,
        rowOf: (hit) => hitRow(hit, now),
        sentencesOf: (hit) => highlight(layOutItem(hitSaying(hit, now), hit.position, layout), hit, layout.style),
      })),
      ...(list.next === undefined ? [] : [`There are more: ${commandLine("search", ...again, "--after", list.next, "--", text)}`]),
      ...(list.items.length > 0 && io.terminal.out ? ["The number after # shows the whole entry: earshot show --position N"] : []),
    ];
    io.out(`${lines.join("\n")}\n`);
    return found;
  },
);
