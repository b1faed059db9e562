import { setTimeout as pause } from "node:timers/promises";
import type { AccountView, DeviceView, PairingOffer, PairingView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { encode } from "uqr";
import { command } from "../command.ts";
import { changeAtHub, type HubAccess, requestFromHub } from "../hub-client.ts";
import { openOwnHub, readChallenge, unlockHub } from "../own-hub.ts";
import { askLine, hasKeyboard } from "../terminal/ask.ts";
import { listLines, PLAIN_OPTION, shortenId } from "../terminal/table.ts";

const PIN = { "pin-stdin": { type: "boolean", default: false, about: "read the PIN from standard input" } } as const;
const JSON_OPTION = { json: { type: "boolean", default: false, about: "print as JSON" } } as const;

export const addDeviceCommand = command(
  {
    name: "device add",
    positionals: [],
    about: `Admits a browser or phone. Prints a link and its QR code, which work once, for five minutes. The new device then shows a
number. An approver types it, either in a paired browser or here with the PIN.`,
    options: {
      role: {
        type: "string",
        choices: ["viewer", "approver"],
        about: "viewer: reads. approver: decides as well. Without it, a terminal asks, and viewer is the default",
      },
      qr: { type: "boolean", default: true, negative: true, about: "without the QR code" },
    },
    notes: "A phone can reach the hub only if the hub was started with --public-url.",
  },
  async ({ values }, io: CommandIo): Promise<number> =>
    admit(await openOwnHub(process.env), io, { role: values.role ?? (await askRole(io)), qr: values.qr }),
);

export const listDevicesCommand = command(
  {
    name: "device list",
    positionals: [],
    about: "Lists the browsers and phones that were admitted. It asks for your PIN.",
    options: { ...PIN, ...PLAIN_OPTION, ...JSON_OPTION },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const { devices } = await readDevices(io, values["pin-stdin"]);
    const lines = values.json
      ? [JSON.stringify({ devices }, null, 2)]
      : await listLines(io, values.plain, {
          items: devices,
          columns: ["Device", "Role", "Admitted by", "Admitted", "Revoked", "Id"],
          cut: 0,
          rowOf: ({ id, name, role, admittedBy, createdAt, revokedAt }) =>
            [name, role, admittedBy, createdAt.slice(0, 10), revokedAt?.slice(0, 10) ?? "", shortenId(id)].map(plainText),
          sentencesOf: (device) => [describe(device)],
        });
    io.out(`${lines.join("\n") || "No device was admitted."}\n`);
    return EXIT.ok;
  },
);

export const revokeDeviceCommand = command(
  {
    name: "device revoke",
    positionals: ["NAME-or-ID"],
    about: "Revokes a device's access and closes its connections. It asks for your PIN.",
    options: PIN,
  },
  async ({ values, positionals: [name] }, io: CommandIo): Promise<number> => {
    const { admin, devices } = await readDevices(io, values["pin-stdin"]);
    const found = devices.find((one) => one.revokedAt === null && (one.id === name || one.name === name || shortenId(one.id) === name));
    if (found === undefined)
      throw createUsageError(`There is no device ${JSON.stringify(name)}.`, "`earshot device list` shows which there are.");
    await changeAtHub(admin, "DELETE", `/api/devices/${encodeURIComponent(found.id)}`);
    io.out(`Revoked: ${plainText(found.name)}. What it had open is closed.\n`);
    return EXIT.ok;
  },
);

export const resetDevicesCommand = command(
  {
    name: "device reset",
    positionals: [],
    about: `Removes every approver. Use it when every approver's browser and the PIN are lost. Any program of this account can run it, including an
agent. It therefore takes ten minutes, during which every approver sees the reset and can cancel it, and it leaves an alarm. Afterwards,
\`earshot start\` sets up the first approver again. Recorded data is not touched.`,
    options: {
      cancel: { type: "boolean", default: false, about: "cancel a reset; asks for the PIN (an approver's browser can also cancel it)" },
      ...PIN,
    },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const hub = await openOwnHub(process.env);
    if (values.cancel) {
      await changeAtHub(await unlockHub(io, hub, { pinStdin: values["pin-stdin"] }), "DELETE", "/api/reset-approver");
      io.out("Cancelled. Every approver stays.\n");
      return EXIT.ok;
    }
    const { dueAt } = await changeAtHub<{ readonly dueAt: string }>(hub, "POST", "/api/reset-approver", {});
    io.out(
      [
        `At ${dueAt} every approver is removed, if the hub runs until then and no approver cancels it.`,
        "Approvers are shown this now. To cancel it: earshot device reset --cancel",
        "Afterwards: earshot start",
        "",
      ].join("\n"),
    );
    return EXIT.ok;
  },
);

async function readDevices(
  io: CommandIo,
  pinStdin: boolean,
): Promise<{ readonly admin: HubAccess; readonly devices: readonly DeviceView[] }> {
  const admin = await unlockHub(io, await openOwnHub(process.env), { pinStdin });
  const { devices } = (await (await requestFromHub(admin, "/api/devices")).json()) as { readonly devices: readonly DeviceView[] };
  return { admin, devices };
}

async function admit(hub: HubAccess, io: CommandIo, { role, qr }: { readonly role: string; readonly qr: boolean }): Promise<number> {
  const { hasApprover } = (await (await requestFromHub(hub, "/api/me")).json()) as AccountView;
  if (!hasApprover) throw new EarshotError({ code: "NO_APPROVER", message: "No approver is set up, so no one can confirm the device." });
  const { id, link } = await changeAtHub<PairingOffer>(hub, "POST", "/api/pairings", { role });
  const isReachable = !isLoopback(new URL(link).hostname);
  if (qr && isReachable && io.terminal.out) io.out(`${drawQrCode(link)}\n`);
  io.out(`Open this on the new device, within five minutes:
  ${link}

`);
  if (!isReachable) io.out("Only a browser on this machine can open it. For a phone, start the hub with --public-url.\n");
  let isAsked = false;
  for (;;) {
    const pairing = (await (await requestFromHub(hub, `/api/pairings/${id}`)).json()) as PairingView;
    const who = plainText(pairing.name ?? "The device");
    if (pairing.state === "admitted") {
      io.out(`${who} is admitted as ${pairing.role}.\n`);
      return EXIT.ok;
    }
    if (pairing.state === "refused" || pairing.state === "expired") {
      io.err(pairing.state === "refused" ? "It was refused.\n" : "No device was admitted in time.\n");
      return EXIT.found;
    }
    if (pairing.state === "claimed" && !isAsked) {
      isAsked = true;
      io.out(`${who} asks to be ${pairing.role}. Confirm it in a browser that is approver, with the number that it shows.\n`);
      if (hasKeyboard(io) && (await readChallenge(hub)).pin !== null) await confirmHere(hub, io, id);
    }
    await pause(500);
  }
}

async function askRole(io: CommandIo): Promise<"viewer" | "approver"> {
  if (!hasKeyboard(io)) return "viewer";
  const said = await askLine(io, "May the new device decide requests? yes, or no for reading only [no]: ");
  return /^y/i.test(said?.trim() ?? "") ? "approver" : "viewer";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** With the PIN this terminal is an approver as well. Enter leaves it to a browser. */
async function confirmHere(hub: HubAccess, io: CommandIo, id: string): Promise<void> {
  const match = await askLine(io, "Or here: the number that the new device shows (Enter to wait for the browser): ");
  if (match === undefined || match.trim() === "") return;
  try {
    await changeAtHub(await unlockHub(io, hub), "POST", `/api/pairings/${id}/confirm`, { match });
  } catch (error) {
    if (!EarshotError.is(error)) throw error;
    io.err(`${plainText(error.problem.message)}\n`);
  }
}

function describe({ id, name, role, admittedBy, createdAt, revokedAt }: DeviceView): string {
  return `${plainText(name)} (${shortenId(id)}): ${role}, admitted by ${plainText(admittedBy)} ${createdAt}${revokedAt === null ? "" : `, revoked ${revokedAt}`}`;
}

const QUIET_MODULES = 2;
/** Two rows of modules per line, by which of them is dark. */
const BLOCKS = [" ", "▄", "▀", "█"] as const;

/** A QR code with error correction M as text: black on white in any terminal with colors. */
export function drawQrCode(text: string, { colour = true } = {}): string {
  const { data } = encode(text, { ecc: "M", boostEcc: false, border: QUIET_MODULES });
  const isDark = (x: number, y: number) => data[y]?.[x] === true;
  const lines = Array.from({ length: Math.ceil(data.length / 2) }, (_line, index) => {
    const y = 2 * index;
    const line = data.map((_column, x) => BLOCKS[(isDark(x, y) ? 2 : 0) + (isDark(x, y + 1) ? 1 : 0)]).join("");
    return colour ? `\u001b[30;107m${line}\u001b[0m` : line;
  });
  return `${lines.join("\n")}\n`;
}
