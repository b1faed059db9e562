import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { command } from "../command.ts";
import { openHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { showRequest } from "../inbox/card-lines.ts";
import { readGateLines } from "../inbox/gate-lines.ts";
import { KeyedInbox } from "../inbox/keyed-inbox.ts";
import { followPlainly, InboxLines, type InboxPorts } from "../inbox/plain-inbox.ts";
import { findRequest, listOpen, postMoreTime } from "../inbox/request-client.ts";
import { describeForInbox } from "../inbox/request-lines.ts";
import { openOwnHub } from "../own-hub.ts";
import { hasKeyboard } from "../terminal/ask.ts";

export const inboxCommand = command(
  {
    name: "inbox",
    positionals: [],
    about: `Shows pending requests and their outcomes as they happen. Sentences describe each request: who wants what, whether it can be undone,
what happens without an answer, and when. Output is append-only, for screen readers.

In a terminal, keys decide: a number chooses a request, then a allows, d denies, v shows the whole card; ? lists all keys. The
inbox asks for the PIN once and keeps it in memory until you quit.`,
    options: {
      once: { type: "boolean", default: false, about: "print pending requests and exit" },
      plain: { type: "boolean", default: false, about: "without keys; the default without a terminal" },
      json: { type: "boolean", default: false, about: "print JSON: one object per line, with --once one list" },
    },
    notes: "To see one request: earshot inbox show ID. To decide from another terminal: earshot allow, deny, answer.",
  },
  async ({ values }, io: CommandIo, ports: InboxPorts = ofThisProcess(io)): Promise<number> => list(values, io, ports),
);

export const inboxShowCommand = command(
  {
    name: "inbox show",
    positionals: ["ID"],
    about: `Prints the whole card of a request: commands, files, changes, the input, and what the agent says about it. An ID may be
shortened to any beginning that only one request has.`,
    options: { json: { type: "boolean", default: false, about: "print it as JSON" } },
  },
  async ({ values, positionals: [id = ""] }, io: CommandIo): Promise<number> => {
    await showRequest(id, io, { json: values.json });
    return EXIT.ok;
  },
);

export const inboxMoreCommand = command(
  {
    name: "inbox more",
    positionals: ["ID"],
    about: "Gives a request more time, if the agent can wait longer. It asks for your PIN.",
    options: {},
  },
  async ({ positionals: [id = ""] }, io: CommandIo): Promise<number> => giveMoreTime(id, io),
);

async function list(
  { once, plain, json }: { readonly once: boolean; readonly plain: boolean; readonly json: boolean },
  io: CommandIo,
  ports: InboxPorts,
): Promise<number> {
  for (const line of await readGateLines(await ports.open())) (json ? io.err : io.out)(`${line}\n`);
  if (once) {
    const requests = await listOpen(await ports.open());
    if (json) io.out(`${JSON.stringify({ requests }, null, 2)}\n`);
    else new InboxLines(ports).handle({ kind: "list", requests });
  } else if (plain || json || !io.terminal.out || !hasKeyboard(io)) await followPlainly(ports, json);
  else await KeyedInbox.run({ ...ports, open: () => openOwnHub(process.env) });
  return EXIT.ok;
}

async function giveMoreTime(id: string, io: CommandIo): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = await findRequest(hub, id);
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const extended = await postMoreTime(await approver.access(hub), view);
  io.out(`${describeForInbox(extended, { now: Date.now() }).silence.join(" ")}\n`);
  return EXIT.ok;
}

function ofThisProcess(io: CommandIo): InboxPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return {
    io,
    open: () => openHub(process.env),
    signal: stop.signal,
    now: Date.now,
  };
}
