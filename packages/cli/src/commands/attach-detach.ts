import { parseArgs } from "node:util";
import type { AttachmentView } from "@earshot/hub";
import { tellHub } from "../hub-client.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { EXIT, type Io } from "../io.ts";
import { openOwnHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";
import { asApprover, listAttachments } from "./attach.ts";

export const DETACH_HELP = `Usage: earshot detach URL-or-ID

Has the hub listen no more to a producer that it was attached to: earshot attach lists them. What it said stays recorded, what it
asks and nobody has answered is withdrawn, and a command that the hub runs is ended.

  --pin-stdin     read the PIN from standard input
  --json          print what it was as JSON

It asks for your PIN.
`;

export async function detach(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      "pin-stdin": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(DETACH_HELP);
    return EXIT.ok;
  }
  const [which, ...rest] = positionals;
  if (which === undefined || rest.length > 0) throw usage("Name one producer.", "earshot attach lists them.");
  const { id } = choose(which, await listAttachments(await openOwnHub(process.env)));
  return asApprover(io, { pinStdin: values["pin-stdin"] }, async (hub) => {
    const view = await tellHub<AttachmentView>(hub, "DELETE", `/api/attachments/${encodeURIComponent(id)}`);
    io.out(values.json ? `${JSON.stringify(view, null, 2)}\n` : `Detached from ${visibleBeginning(view.source, 300)}.\n`);
  });
}

/** By its id, by its name, or by a part of the name that only it has. */
function choose(which: string, all: readonly AttachmentView[]): AttachmentView {
  const exact = all.find(({ id, source }) => id === which || source === which);
  const [part, other] = all.filter(({ source }) => source.includes(which));
  const found = exact ?? (other === undefined ? part : undefined);
  if (found !== undefined) return found;
  if (other !== undefined) throw usage("Several are meant.", "Name it by its id: earshot attach lists them.");
  throw usage(`The hub is attached to nothing called ${JSON.stringify(which)}.`, "earshot attach lists what it is attached to.");
}
