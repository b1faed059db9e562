import { parseArgs } from "node:util";
import type { AttachmentList, AttachmentView } from "@earshot/hub";
import { toAttachBody } from "../attach/attach-body.ts";
import { attachmentLines } from "../attach/attachment-lines.ts";
import { askHub, type HubAccess, openHub, tellHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { openOwnHub, unlockHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";

export const ATTACH_HELP = `Usage: earshot attach URL [--header "NAME: VALUE"] [--signed-by FILE]
       earshot attach -- COMMAND [ARGUMENTS]
       earshot attach [--json]

Has the hub listen to an AAEP producer: an agent that serves its events, another hub, a bridge. What it says is recorded under its
address as the source, what it asks comes to your inbox, and what you answer is told to it. The hub comes back to it after a cut
and when it is started again, and misses nothing that the producer still has.

  URL               http://HOST:PORT/aaep/v1, ws://HOST:PORT/aaep/v1/ws, or unix:/PATH; another machine with https or wss
  -- COMMAND        run this, here, and speak AAEP over its standard input and output. It is run again when the hub is started, and
                    when it fails; one that ends by itself is not
  --header TEXT     sent with every request: "Authorization: Bearer …". @FILE reads such lines from a file. May be repeated
  --signed-by FILE  listen only to a producer whose manifest this public key has signed: PEM or JWK. May be repeated
  --pin-stdin       read the PIN from standard input
  --json            print as JSON

Without either it lists what the hub is attached to. To attach asks for your PIN. To end it: earshot detach URL
`;

export async function attach(argv: readonly string[], io: Io): Promise<number> {
  const end = argv.indexOf("--");
  const command = end < 0 ? [] : argv.slice(end + 1);
  const { values, positionals } = parseArgs({
    args: end < 0 ? [...argv] : argv.slice(0, end),
    allowPositionals: true,
    options: {
      header: { type: "string", multiple: true, default: [] },
      "signed-by": { type: "string", multiple: true, default: [] },
      "pin-stdin": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(ATTACH_HELP);
    return EXIT.ok;
  }
  const [url, ...rest] = positionals;
  if (rest.length > 0 || (url !== undefined && end >= 0))
    throw usage("Name one producer: an address, or a command after --.", "earshot attach --help");
  if (end >= 0 && command.length === 0) throw usage("There is no command after --.", "earshot attach -- node agent.js");
  if (url === undefined && end < 0) return list(io, values.json);
  const body = toAttachBody({ url, command, headers: values.header, keyFiles: values["signed-by"], cwd: process.cwd() });
  return asApprover(io, { pinStdin: values["pin-stdin"] }, async (hub) => {
    const view = await tellHub<AttachmentView>(hub, "POST", "/api/attachments", body);
    if (values.json) io.out(`${JSON.stringify(view, null, 2)}\n`);
    else
      io.out(
        `Attached.\n${attachmentLines(view, Date.now()).join("\n")}\nWhat it asks: earshot inbox. To end it: earshot detach ${view.id}\n`,
      );
  });
}

/** Does something as an approver: by the PIN at the keyboard, or from standard input where that is asked for. */
export async function asApprover(
  io: Io,
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
  return ((await (await askHub(hub, "/api/attachments")).json()) as AttachmentList).attachments;
}

async function list(io: Io, json: boolean): Promise<number> {
  const attachments = await listAttachments(await openHub(process.env));
  if (json) io.out(`${JSON.stringify({ attachments }, null, 2)}\n`);
  else if (attachments.length === 0) io.out("The hub is attached to no producer. To attach it: earshot attach URL\n");
  else for (const view of attachments) io.out(`${attachmentLines(view, Date.now()).map(plainText).join("\n")}\n`);
  return EXIT.ok;
}
