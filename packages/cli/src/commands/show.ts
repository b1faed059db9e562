import type { CallView, SessionGrade, SessionTree, SessionView } from "@earshot/hub";
import { type DescriptionWords, describeCall } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { terminalWording, toOutputItem } from "@earshot/terminal/narration-lines";
import { type Layout, layOutItem } from "@earshot/terminal/saying";
import { createStyle } from "@earshot/terminal/style";
import { createUsageError, requireOneOf } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { showRequest } from "../inbox/card-lines.ts";
import { nodeSaying } from "../story/list-lines.ts";
import { commandLine, LANGUAGE_OPTION, readLanguage, readLimit, readPosition } from "../story/options.ts";
import { printEntry } from "../story/print-entry.ts";
import { printStory, type StoryPart } from "../story/print-story.ts";
import { headSaying } from "../story/session-lines.ts";
import { findSessionByName, PROCESS_PORTS, type ViewPorts, ViewReader } from "../story/view-reader.ts";

const USUAL = 200;
const MAX_ITEMS = 100_000;

const OPTIONS = {
  protocol: { type: "string", value: "P", about: "the session in this protocol: aaep, aep or aop" },
  source: { type: "string", value: "NAME", about: "the session from this source" },
  limit: { type: "string", value: "N", about: "how many items (default: the last 200)" },
  before: { type: "string", value: "POSITION", about: "those before this position" },
  from: { type: "string", value: "POSITION", about: "from this position on" },
  "from-start": { type: "boolean", default: false, about: "from the beginning" },
  after: { type: "string", value: "CURSOR", about: "go on where the last page ended" },
  all: { type: "boolean", default: false, about: "everything" },
  calls: { type: "boolean", default: false, about: "only the calls of tools, skills and subagents" },
  tree: { type: "boolean", default: false, about: "the sessions it belongs to: parents, children, and theirs" },
  position: { type: "string", value: "N", about: "one entry by its number, the one after # at the end of a line, with its JSON" },
  full: { type: "boolean", default: false, about: "everything: uncut texts, every heartbeat, and notes on rules" },
  lang: LANGUAGE_OPTION,
  json: { type: "boolean", default: false, about: "print as JSON: for the story one object per line, the session first" },
} as const;

export const showCommand = command(
  {
    name: "show",
    positionals: ["[SESSION]"],
    about: `Shows what happened in a session, as a story: its goal and status, then prompts, thoughts, calls from request to
outcome, outputs put together, questions and answers, subagents, alerts and broken rules where they happened, and the end.
SESSION is an id, the beginning of one that no other session shares, or a key. The id of a request (req_…) shows its card.
Use --protocol or --source when several sessions have the same id.`,
    options: OPTIONS,
    examples: ["show sess_7c1e", "show sess_7c1e --calls", "show --position 4711"],
  },
  async (input, io: CommandIo, ports: ViewPorts = PROCESS_PORTS): Promise<number> => {
    const options = readArguments(input);
    const now = ports.now();
    const wording = terminalWording(options.language);
    const { texts } = wording.sessions;
    const layout = options.json
      ? undefined
      : { width: io.terminal.width, style: createStyle(io.terminal.colour), full: options.full, texts };
    const views = new ViewReader(await ports.open(), io);
    if (options.position !== undefined) {
      await printEntry(views, options.position, { io, layout, now, wording });
      return EXIT.ok;
    }
    if (options.name.startsWith(REQUEST)) {
      await showRequest(options.name, io, { json: options.json });
      return EXIT.ok;
    }
    const session = await findSessionByName(views, options.name, options);
    const telling: Telling = { views, session, io, layout, now, wording };
    if (options.what === "tree") await printTree(telling);
    else if (options.what === "calls") await printCalls(telling, options);
    else {
      const grade = await views.read<SessionGrade>(`/api/sessions/${session.key}/grade`);
      io.out(
        layout === undefined
          ? `${JSON.stringify({ session, grade })}\n`
          : `${layOutItem(headSaying(session, grade, telling), undefined, layout).join("\n")}\n`,
      );
      await printStory({ ...telling, part: options.part, limit: options.limit });
    }
    return EXIT.ok;
  },
);

/** The prefix of request ids. */
const REQUEST = "req_";

interface Telling {
  readonly views: ViewReader;
  readonly session: SessionView;
  readonly io: CommandIo;
  readonly layout: Layout | undefined;
  readonly now: number;
  readonly wording: DescriptionWords;
}

async function printTree({ views, session, io, layout, now, wording }: Telling): Promise<void> {
  const tree = await views.read<SessionTree>(`/api/sessions/${session.key}/tree`);
  if (layout === undefined) {
    io.out(`${JSON.stringify(tree, null, 2)}\n`);
    return;
  }
  const { sessions } = wording;
  const lines = [
    sessions.tree(sessions.counts.sessions(tree.nodes.length)),
    ...tree.nodes.flatMap((node) => {
      const indent = "  ".repeat(Math.min(node.depth, 10));
      const width = layout.width === 0 ? 0 : layout.width - indent.length;
      return layOutItem(nodeSaying(node, session, { now, wording }), undefined, { ...layout, width }).map((line) => indent + line);
    }),
    ...(tree.cut ? [sessions.treeIsCut] : []),
  ];
  io.out(`${lines.join("\n")}\n`);
}

async function printCalls(
  { views, session, io, layout, wording }: Telling,
  options: { readonly limit: number; readonly after?: string },
): Promise<void> {
  const { limit, after } = options;
  const list = await views.collect<CallView>(`/api/sessions/${session.key}/calls`, { limit, after });
  if (layout === undefined) {
    io.out(`${JSON.stringify(list, null, 2)}\n`);
    return;
  }
  const { sessions } = wording;
  const lines = [
    list.items.length === 0 ? sessions.noCalls : sessions.calls(sessions.counts.calls(list.items.length)),
    ...list.items.flatMap((call) =>
      layOutItem(toOutputItem(describeCall(call, undefined, wording), [], sessions.texts), call.position, layout),
    ),
    ...(list.next === undefined ? [] : [sessions.listMore(commandLine("show", session.id, "--calls", "--after", list.next))]),
  ];
  io.out(`${lines.join("\n")}\n`);
}

function readArguments({ values, positionals }: CommandInput<typeof OPTIONS>) {
  const [word = "", ...more] = positionals;
  // An unquoted # starts a comment in a shell; quoted it may be used.
  const name = word.startsWith("#") && values.position === undefined ? "" : word;
  const position = readPosition(values.position ?? (name === word ? undefined : word), "--position");
  if (more.length > 0 || (name === "") === (position === undefined))
    throw createUsageError("Name one session, or one position.", "earshot show SESSION, or earshot show --position N");
  const { before, from, after, all } = values;
  const places = [before, from, after, values["from-start"] || undefined, all || undefined].filter((one) => one !== undefined);
  if (places.length > 1)
    throw createUsageError("--before, --from, --from-start, --after and --all contradict each other.", "Give one of them.");
  if (values.calls && values.tree) throw createUsageError("--calls and --tree contradict each other.", "Give one of the two.");
  const what = values.calls ? ("calls" as const) : values.tree ? ("tree" as const) : ("story" as const);
  return {
    name,
    position,
    protocol: values.protocol === undefined ? undefined : requireOneOf("--protocol", values.protocol, ["aaep", "aep", "aop"] as const),
    source: values.source,
    what,
    part: partOf({
      before: readPosition(before, "--before"),
      from: readPosition(from, "--from"),
      after,
      isAll: all || values["from-start"],
    }),
    limit: all ? MAX_ITEMS : readLimit(values.limit, USUAL, MAX_ITEMS),
    ...(after === undefined ? {} : { after }),
    full: values.full,
    language: readLanguage(values.lang),
    json: values.json,
  };
}

interface Asked {
  readonly before: number | undefined;
  readonly from: number | undefined;
  readonly after: string | undefined;
  readonly isAll: boolean;
}

function partOf({ before, from, after, isAll }: Asked): StoryPart {
  if (isAll || from !== undefined || after !== undefined)
    return { kind: "from", ...(from === undefined ? {} : { from }), ...(after === undefined ? {} : { after }) };
  return { kind: "last", ...(before === undefined ? {} : { before }) };
}
