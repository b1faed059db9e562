import { EarshotError } from "@earshot/protocol/problem";
import { findHub, type HubAccess, tellHub } from "./hub-client.ts";
import type { Io } from "./io.ts";
import { ask, hasKeyboard, readFirstLine } from "./terminal/ask.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The hub of this user's own folder. EARSHOT_URL is not looked at: whoever can set it could ask for the PIN in the hub's name. */
export async function openOwnHub(env: Environment): Promise<HubAccess> {
  const hub = await findHub({ ...env, EARSHOT_URL: "" });
  if (hub === undefined)
    throw new EarshotError({ code: "HUB_NOT_FOUND", message: "No hub answers.", hint: "Start one with `earshot start`." });
  return hub;
}

/** Asks for the PIN at the keyboard, and gives what an admin may do for five minutes. Never from the environment: an agent can set that. */
export async function unlockHub(io: Io, hub: HubAccess, { pinStdin = false } = {}): Promise<HubAccess> {
  const pin = pinStdin ? await readFirstLine(io) : await askPin(io);
  const { ticket } = await tellHub<{ readonly ticket: string }>(hub, "POST", "/api/unlock", { pin });
  return { url: hub.url, headers: { authorization: `Bearer ${ticket}` } };
}

async function askPin(io: Io): Promise<string> {
  if (!hasKeyboard(io)) {
    throw new EarshotError({
      code: "WRONG_USAGE",
      message: "This needs your PIN, and there is no terminal to ask for it.",
      hint: "Run it in a terminal. In a script of your own, pipe the PIN in and add --pin-stdin.",
    });
  }
  const pin = await ask(io, "PIN (not shown): ", { hidden: true });
  if (pin === undefined) throw new EarshotError({ code: "WRONG_USAGE", message: "No PIN was given; nothing was done." });
  return pin;
}
