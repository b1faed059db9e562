import type { PruneLimits, PruneResult, PruneStep } from "@earshot/hub";
import { hubHomeOf } from "@earshot/hub/home";
import { formatCount, formatNumber, formatSize } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { linesOfResponse, requestFromHub, sendToHub } from "../hub-client.ts";
import { readDuration, readSize } from "../keeping/quantities.ts";
import { confirmIrreversible, findOwnHub, toQuery, unlockHub } from "../own-hub.ts";

export const pruneCommand = command(
  {
    name: "hub prune",
    positionals: [],
    about: `Permanently removes old entries from the ledger and frees their space. Lists what it would remove, then asks. Without options, it
applies the hub's retention limits (30 days or 2 GB, unless the settings differ).`,
    options: {
      "older-than": { type: "string", value: "TIME", about: "entries received longer ago than this: 30d, 12h" },
      "keep-bytes": { type: "string", value: "SIZE", about: "the oldest entries, until the ledger is no larger than this: 2GB, 500MB" },
      session: { type: "string", value: "ID", about: "only entries of this session; the whole session if no other limit is given" },
      "dry-run": { type: "boolean", default: false, about: "list what would be removed, and remove nothing" },
      yes: { type: "boolean", short: "y", default: false, about: "do not ask" },
      "pin-stdin": { type: "boolean", default: false, about: "with a hub running: read the PIN from standard input" },
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
    notes: `Sessions are cut from their beginning, and a signed tombstone records it, so the rest still verifies. Pending requests stay. If a
hub is running, it does the work and asks for your PIN.`,
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    if (values.session === "") throw createUsageError("--session is empty.", "earshot hub prune --session ID");
    const asked: Asked = {
      ...(values["older-than"] === undefined ? {} : { olderThanMs: readDuration(values["older-than"], "--older-than") }),
      ...(values["keep-bytes"] === undefined ? {} : { keepBytes: readSize(values["keep-bytes"], "--keep-bytes") }),
      ...(values.session === undefined ? {} : { session: values.session }),
    };
    await using pruning = await openPruning(asked, io, values["pin-stdin"]);
    const plan = await finish(pruning.plan(), io, "Looking");
    if (values["dry-run"] || plan.entries === 0) {
      io.out(values.json ? `${JSON.stringify({ dryRun: values["dry-run"], ...plan }, null, 2)}\n` : `${describe(plan, "would go")}\n`);
      return EXIT.ok;
    }
    if (!values.json) io.err(`${describe(plan, "will be removed permanently")}\n`);
    if (!(await confirmIrreversible(io, "Remove them?", values.yes))) {
      io.out("Nothing was removed.\n");
      return EXIT.found;
    }
    const result = await finish(pruning.run(), io, "Removing");
    const back = result.givenBackBytes > 0 ? ` ${formatSize(result.givenBackBytes)} were given back.` : "";
    io.out(values.json ? `${JSON.stringify({ dryRun: false, ...result }, null, 2)}\n` : `${describe(result, "are gone")}${back}\n`);
    return EXIT.ok;
  },
);

interface Asked {
  readonly olderThanMs?: number;
  readonly keepBytes?: number;
  readonly session?: string;
}

interface Pruning extends AsyncDisposable {
  plan(): AsyncIterable<PruneStep>;
  run(): AsyncIterable<PruneStep>;
}

/** Through the running hub, which continues its work, or else directly on the file. */
async function openPruning(asked: Asked, io: CommandIo, pinStdin: boolean): Promise<Pruning> {
  const hub = await findOwnHub(process.env);
  if (hub !== undefined) {
    return {
      async *plan() {
        yield* parse(linesOfResponse(await requestFromHub(hub, `/api/prune?${toQuery(asked)}`)));
      },
      async *run() {
        yield* parse(linesOfResponse(await sendToHub(await unlockHub(io, hub, { pinStdin }), "POST", "/api/prune", asked)));
      },
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const parts = await import("@earshot/hub");
  const home = hubHomeOf(process.env);
  const keeping = await parts.openKeeping(home, parts.ledgerLocation(home), (line) => io.err(`earshot: ${line}\n`));
  const { retention } = parts.readConfig(home).settings;
  const limits = toLimits(asked) ?? parts.limitsOf({ ...parts.RETENTION, ...retention }, Date.now());
  return {
    plan: () => parts.planPruning(limits, keeping),
    run: () => parts.pruneEntries(limits, keeping),
    [Symbol.asyncDispose]: () => keeping[Symbol.asyncDispose](),
  };
}

function toLimits({ olderThanMs, keepBytes, session }: Asked): PruneLimits | undefined {
  if (olderThanMs === undefined && keepBytes === undefined && session === undefined) return undefined;
  return {
    ...(olderThanMs === undefined ? {} : { receivedBefore: Date.now() - olderThanMs }),
    ...(keepBytes === undefined ? {} : { keepBytes }),
    ...(session === undefined ? {} : { session }),
  };
}

async function* parse(lines: AsyncIterable<string>): AsyncGenerator<PruneStep> {
  for await (const line of lines) yield JSON.parse(line) as PruneStep;
}

type Result = Extract<PruneStep, { readonly result: unknown }>["result"];

async function finish(steps: AsyncIterable<PruneStep>, io: CommandIo, doing: string): Promise<Result> {
  for await (const step of steps) {
    if ("result" in step) {
      if (io.terminal.err) io.err("\r\u001b[K");
      return step.result;
    }
    if (io.terminal.err) io.err(`\r\u001b[K${doing} … ${formatNumber(step.progress.entries)}`);
  }
  throw new EarshotError({
    code: "HUB_NOT_FOUND",
    message: "The hub stopped before pruning was complete. Entries removed so far stay removed; the rest is unchanged.",
  });
}

function describe({ entries, sessions, bytes, newest, held }: PruneResult, what: string): string {
  const waiting =
    held === 0 ? "" : ` ${formatCount(held, "entry", "entries")} stay, because something in their session waits for an answer.`;
  if (entries === 0) return `Nothing is to be removed.${waiting}`;
  const until = newest === null ? "" : `, received up to ${new Date(newest).toISOString()}`;
  const which = `${formatCount(entries, "entry", "entries")} of ${formatCount(sessions, "session")} (${formatSize(bytes)} of text)`;
  return `${which}${until}, ${what}.${waiting}`;
}
