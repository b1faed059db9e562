import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { findRequest } from "../inbox/find-request.ts";
import { KeyedInbox } from "../inbox/keyed-inbox.ts";
import { followPlainly, InboxLines, type InboxPorts } from "../inbox/plain-inbox.ts";
import { listOpen, postMoreTime } from "../inbox/request-client.ts";
import { showRequest } from "../inbox/show-request.ts";
import { silenceLine } from "../inbox/silence-line.ts";
import { EXIT, type Io } from "../io.ts";
import { hasKeyboard } from "../terminal/ask.ts";
import { openOwnHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";

export const INBOX_HELP = `Usage: earshot inbox [--once] [--json] [--plain]
       earshot inbox show ID [--json]
       earshot inbox more ID

What waits for an answer, and what becomes of it, as it happens. Each request is told in sentences: who wants what, whether it
can be undone, what happens without an answer, and when. Lines are only ever added, so that a screen reader can follow.

In a terminal, keys decide: a number chooses a request, then a allows, d denies, v shows the whole card; ? lists all keys. The
PIN is asked for once, and kept in memory until you quit.

  show ID       prints the whole card: commands, files, changes, the input, and what the agent says about it
  more ID       gives it more time, where the agent waits
  --once        prints what waits now, and ends
  --plain       without keys; the same where there is no terminal
  --json        prints JSON: one object per line, with --once one list

An ID may be shortened to any beginning that only one request has. From other terminals: earshot allow, deny, answer.
`;

export async function inbox(argv: readonly string[], io: Io, ports: InboxPorts = ofThisProcess(io)): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      once: { type: "boolean", default: false },
      plain: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(INBOX_HELP);
    return EXIT.ok;
  }
  const [action, id, ...rest] = positionals;
  if (action === undefined) return list(values, io, ports);
  if (id === undefined || rest.length > 0 || (action !== "show" && action !== "more"))
    throw usage("inbox takes nothing, show ID, or more ID.", "earshot inbox --help");
  if (action === "more") return giveMoreTime(id, io);
  await showRequest(id, io, { json: values.json });
  return EXIT.ok;
}

async function list(
  { once, plain, json }: { readonly once: boolean; readonly plain: boolean; readonly json: boolean },
  io: Io,
  ports: InboxPorts,
): Promise<number> {
  if (once) {
    const requests = await listOpen(await ports.open());
    if (json) io.out(`${JSON.stringify({ requests }, null, 2)}\n`);
    else new InboxLines(ports).hear({ kind: "list", requests });
  } else if (plain || json || !io.terminal.out || !hasKeyboard(io)) await followPlainly(ports, json);
  else await KeyedInbox.run({ ...ports, open: () => openOwnHub(process.env) });
  return EXIT.ok;
}

async function giveMoreTime(id: string, io: Io): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = await findRequest(hub, id);
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const extended = await postMoreTime(await approver.access(hub), view);
  io.out(`${silenceLine(extended, Date.now())}\n`);
  return EXIT.ok;
}

function ofThisProcess(io: Io): InboxPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return {
    io,
    open: () => openHub(process.env),
    signal: stop.signal,
    wait: (ms) => pause(ms, undefined, { signal: stop.signal }).catch(() => {}), // woken by the signal, which is looked at next
    now: Date.now,
  };
}
