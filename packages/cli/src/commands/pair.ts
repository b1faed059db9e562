import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { EarshotError } from "@earshot/protocol/problem";
import { askHub, type HubAccess, tellHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { ask, hasKeyboard } from "../terminal/ask.ts";
import { plainText } from "../terminal/plain-text.ts";
import { drawQrCode } from "../terminal/qr-code.ts";
import { openOwnHub, unlockHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";

export const PAIR_HELP = `Usage: earshot pair [--role viewer|approver]
       earshot pair list [--json]
       earshot pair revoke NAME-or-ID

Admits a browser or phone. Prints a link, as a QR code too, and a code that can be said aloud; both work once, for five
minutes. The new device then shows a number: an approver types it, in a browser that is one already or here with the PIN.

  --role ROLE     viewer (default): reads. approver: decides as well
  --no-qr         without the QR code
  --pin-stdin     read the PIN from standard input (list, revoke)
  --json          print as JSON (list)

A phone reaches the hub only if it was started with --public-url.
`;

interface Offer {
  readonly id: string;
  readonly link: string;
  readonly spoken: string;
}

interface Pairing {
  readonly state: "offered" | "claimed" | "admitted" | "refused" | "expired";
  readonly name: string | null;
  readonly role: string;
}

interface Device {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly admittedBy: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export async function pair(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    allowNegative: true,
    options: {
      role: { type: "string", default: "viewer" },
      qr: { type: "boolean", default: true },
      "pin-stdin": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    io.out(PAIR_HELP);
    return EXIT.ok;
  }
  const [action, name, ...rest] = positionals;
  const isKnown = action === undefined || (action === "list" && name === undefined) || (action === "revoke" && name !== undefined);
  if (!isKnown || rest.length > 0) throw usage("pair takes nothing, list, or revoke NAME.", "earshot pair --help");
  if (values.role !== "viewer" && values.role !== "approver") throw usage("--role is viewer or approver.", "earshot pair --help");
  const hub = await openOwnHub(process.env);
  if (action === undefined) return admit(hub, io, { role: values.role, qr: values.qr });
  const admin = await unlockHub(io, hub, { pinStdin: values["pin-stdin"] });
  const { devices } = (await (await askHub(admin, "/api/devices")).json()) as { readonly devices: readonly Device[] };
  if (action === "list") {
    io.out(
      values.json ? `${JSON.stringify({ devices }, null, 2)}\n` : `${devices.map(describe).join("\n") || "No device was admitted."}\n`,
    );
    return EXIT.ok;
  }
  const found = devices.find((one) => one.revokedAt === null && (one.id === name || one.name === name));
  if (found === undefined) throw usage(`There is no device ${JSON.stringify(name)}.`, "`earshot pair list` shows which there are.");
  await tellHub(admin, "DELETE", `/api/devices/${encodeURIComponent(found.id)}`);
  io.out(`Revoked: ${plainText(found.name)}. What it had open is closed.\n`);
  return EXIT.ok;
}

async function admit(hub: HubAccess, io: Io, { role, qr }: { readonly role: string; readonly qr: boolean }): Promise<number> {
  const { hasApprover } = (await (await askHub(hub, "/api/me")).json()) as { readonly hasApprover: boolean };
  if (!hasApprover) throw new EarshotError({ code: "NO_APPROVER", message: "Nobody is approver yet, so nobody could confirm it." });
  const { id, link, spoken } = await tellHub<Offer>(hub, "POST", "/api/pairings", { role });
  if (qr && io.terminal.out) io.out(`${drawQrCode(link)}\n`);
  io.out(
    `Open this on the new device, within five minutes:\n  ${link}\nOr open ${new URL(link).origin}/ui/ there, and type:\n  ${spoken}\n\n`,
  );
  let isAsked = false;
  for (;;) {
    const pairing = (await (await askHub(hub, `/api/pairings/${id}`)).json()) as Pairing;
    const who = plainText(pairing.name ?? "The device");
    if (pairing.state === "admitted") {
      io.out(`${who} is admitted as ${pairing.role}.\n`);
      return EXIT.ok;
    }
    if (pairing.state === "refused" || pairing.state === "expired") {
      io.err(pairing.state === "refused" ? "It was refused.\n" : "Nobody was admitted in time.\n");
      return EXIT.found;
    }
    if (pairing.state === "claimed" && !isAsked) {
      isAsked = true;
      io.out(`${who} asks to be ${pairing.role}. Confirm it in a browser that is approver, with the number that it shows.\n`);
      if (hasKeyboard(io)) await confirmHere(hub, io, id);
    }
    await pause(500);
  }
}

/** With the PIN, this terminal is an approver too. Whoever prefers a browser presses Enter. */
async function confirmHere(hub: HubAccess, io: Io, id: string): Promise<void> {
  const match = await ask(io, "Or here: the number that the new device shows (Enter to wait for the browser): ");
  if (match === undefined || match.trim() === "") return;
  try {
    await tellHub(await unlockHub(io, hub), "POST", `/api/pairings/${id}/confirm`, { match });
  } catch (error) {
    if (!EarshotError.is(error)) throw error;
    io.err(`${plainText(error.problem.message)}\n`);
  }
}

function describe({ id, name, role, admittedBy, createdAt, revokedAt }: Device): string {
  return `${plainText(name)} (${id}): ${role}, admitted by ${plainText(admittedBy)} ${createdAt}${revokedAt === null ? "" : `, revoked ${revokedAt}`}`;
}
