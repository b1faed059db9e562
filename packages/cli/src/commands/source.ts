import type { AttachmentList, AttachmentView } from "@earshot/hub";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { ATTACHMENT_COLUMNS, attachmentLines, attachmentRow, PRODUCER_OPTIONS, toAttachBody } from "../attach/attachments.ts";
import { command } from "../command.ts";
import { changeAtHub, type HubAccess, openHub, requestFromHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { openOwnHub, unlockHub } from "../own-hub.ts";
import { listLines, PLAIN_OPTION } from "../terminal/table.ts";

const CREDENTIALS = {
  "pin-stdin": { type: "boolean", default: false, about: "read the PIN from standard input" },
  json: { type: "boolean", default: false, about: "print as JSON" },
} as const;

export const addSourceCommand = command(
  {
    name: "source add",
    positionals: ["[URL]"],
    usage: ["[options] -- COMMAND [ARGUMENTS]"],
    takesCommand: true,
    about: `Subscribes the hub to an AAEP producer: an agent that serves its events, another hub, or a bridge. Its events are stored with its
address as the source, its questions appear in your inbox, and your answers are sent back. After a lost connection or a restart the
hub resumes with everything that the producer still has.

  URL          http://HOST:PORT/aaep/v1, ws://HOST:PORT/aaep/v1/ws, or unix:/PATH; for another machine, https or wss
  -- COMMAND   run this command and speak AAEP over its standard input and output. The hub runs it again when the hub starts and
               when the command fails, but not after it ends with exit code 0`,
    options: {
      ...PRODUCER_OPTIONS,
      ...CREDENTIALS,
    },
    notes: "It asks for your PIN. To end it: earshot source remove URL",
    examples: ["source add http://127.0.0.1:8090/aaep/v1", "source add -- node agent.js"],
  },
  async ({ values, positionals: [url], command: words }, io: CommandIo): Promise<number> => {
    if ((url === undefined) === (words === undefined))
      throw createUsageError("Name one producer: an address, or a command after --.", "earshot source add --help");
    if (words?.length === 0) throw createUsageError("There is no command after --.", "earshot source add -- node agent.js");
    const body = toAttachBody({ url, command: words ?? [], headers: values.header, keyFiles: values["signed-by"], cwd: process.cwd() });
    return runAsApprover(io, { pinStdin: values["pin-stdin"] }, async (hub) => {
      const view = await changeAtHub<AttachmentView>(hub, "POST", "/api/attachments", body);
      if (values.json) io.out(`${JSON.stringify(view, null, 2)}\n`);
      else
        io.out(
          `Attached.\n${attachmentLines(view, Date.now()).join("\n")}\nWhat it asks: earshot inbox. To end it: earshot source remove ${view.id}\n`,
        );
    });
  },
);

export const listSourcesCommand = command(
  {
    name: "source list",
    positionals: [],
    about: "Lists the AAEP producers that the hub follows, with the state of each connection.",
    options: { ...PLAIN_OPTION, json: CREDENTIALS.json },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const attachments = await listAttachments(await openHub(process.env));
    const lines = values.json
      ? [JSON.stringify({ attachments }, null, 2)]
      : await listLines(io, values.plain, {
          items: attachments,
          columns: ATTACHMENT_COLUMNS,
          cut: 0,
          rowOf: (view) => attachmentRow(view, Date.now()).map(plainText),
          sentencesOf: (view) => attachmentLines(view, Date.now()).map(plainText),
        });
    io.out(`${lines.join("\n") || "The hub follows no producer. To add one: earshot source add URL"}\n`);
    return EXIT.ok;
  },
);

export const removeSourceCommand = command(
  {
    name: "source remove",
    positionals: ["URL-or-ID"],
    about: `Stops following a producer from earshot source list. Its recorded events stay, its pending requests are withdrawn, and its command, if
the hub runs one, is ended.`,
    options: CREDENTIALS,
    notes: "It asks for your PIN.",
  },
  async ({ values, positionals: [which = ""] }, io: CommandIo): Promise<number> => {
    const { id } = choose(which, await listAttachments(await openOwnHub(process.env)));
    return runAsApprover(io, { pinStdin: values["pin-stdin"] }, async (hub) => {
      const view = await changeAtHub<AttachmentView>(hub, "DELETE", `/api/attachments/${encodeURIComponent(id)}`);
      io.out(values.json ? `${JSON.stringify(view, null, 2)}\n` : `Detached from ${visibleBeginning(view.source, 300)}.\n`);
    });
  },
);

/** Acts as an approver: by the PIN at the keyboard, or from standard input on request. */
export async function runAsApprover(
  io: CommandIo,
  { pinStdin }: { readonly pinStdin: boolean },
  act: (hub: HubAccess) => Promise<void>,
): Promise<number> {
  if (!pinStdin) requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  if (pinStdin) {
    await act(await unlockHub(io, hub, { pinStdin }));
    return EXIT.ok;
  }
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  await act(await approver.access(hub));
  return EXIT.ok;
}

export async function listAttachments(hub: HubAccess): Promise<readonly AttachmentView[]> {
  return ((await (await requestFromHub(hub, "/api/attachments")).json()) as AttachmentList).attachments;
}

/** By id, by name, or by a unique part of the name. */
function choose(which: string, all: readonly AttachmentView[]): AttachmentView {
  const exact = all.find(({ id, source }) => id === which || source === which);
  const [part, other] = all.filter(({ source }) => source.includes(which));
  const found = exact ?? (other === undefined ? part : undefined);
  if (found !== undefined) return found;
  if (other !== undefined) throw createUsageError("Several are meant.", "Name it by its id: earshot source list shows them.");
  throw createUsageError(`The hub follows nothing called ${JSON.stringify(which)}.`, "earshot source list shows them.");
}
