import { hubHomeOf } from "@earshot/hub/home";
import { derivePinKey, type PinParameters, pinText } from "@earshot/hub/pin-key";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { changeAtHub, findHub, type HubAccess, requestFromHub } from "./hub-client.ts";
import { askLine, hasKeyboard, readFirstLine } from "./terminal/ask.ts";

/** For an account whose agents are served by a hub of another account. */
export const SEPARATE_HINT = "The hub of this account runs under an account of its own: use `earshot-hub` in place of `earshot`.";

type Environment = Readonly<Record<string, string | undefined>>;

/** The hub of this user's own folder. EARSHOT_URL is ignored, because a program that sets it could ask for the PIN in the hub's name. */
export async function openOwnHub(env: Environment): Promise<HubAccess> {
  const hub = await findOwnHub(env);
  if (hub === undefined) {
    const hint = hubHomeOf(env).isSeparate ? SEPARATE_HINT : "Start one with `earshot start`.";
    throw new EarshotError({ code: "HUB_NOT_FOUND", message: "No hub answers.", hint });
  }
  return hub;
}

/**
 * Asks for the PIN at the keyboard, and returns an admin's credential for five minutes. Never from the environment, which an agent can
 * set.
 */
export async function unlockHub(io: CommandIo, hub: HubAccess, { pinStdin = false } = {}): Promise<HubAccess> {
  if ((await readChallenge(hub)).pin === null) throw noPin(hub); // before the question, not after it
  const pin = pinStdin ? await readFirstLine(io) : await askPin(io);
  const { ticket } = await changeAtHub<{ readonly ticket: string }>(hub, "POST", "/api/unlock", await provePinToHub(hub, pin, "unlock"));
  return { url: hub.url, headers: { authorization: `Bearer ${ticket}` } };
}

/** Signs for this hub's address only: an impostor at another address gets nothing usable. */
export async function provePinToHub(
  hub: HubAccess,
  pin: string,
  purpose: string,
): Promise<{ readonly challenge: string; readonly signature: string }> {
  const { challenge, pin: parameters } = await readChallenge(hub);
  if (parameters === null) throw noPin(hub);
  const key = await derivePinKey(pin, parameters);
  return { challenge, signature: key.sign(pinText(new URL(hub.url).origin, purpose, challenge)) };
}

interface HubChallenge {
  readonly challenge: string;
  /** Null until a PIN is set. */
  readonly pin: PinParameters | null;
}

export async function readChallenge(hub: HubAccess): Promise<HubChallenge> {
  return (await (await requestFromHub(hub, "/api/ticket")).json()) as HubChallenge;
}

/** Only a browser that is approver sets the PIN: whatever a terminal can do, an agent's shell can. */
function noPin({ url }: HubAccess): EarshotError {
  return new EarshotError({
    code: "NO_APPROVER",
    message: "This needs a PIN, and none is set.",
    hint: `Set one in the browser that is approver: ${new URL("/ui/settings", url).href}. Then run this again.`,
  });
}

async function askPin(io: CommandIo): Promise<string> {
  if (!hasKeyboard(io)) {
    throw new EarshotError({
      code: "WRONG_USAGE",
      message: "This needs your PIN, and there is no terminal to ask for it.",
      hint: "Run it in a terminal. In a script of your own, pipe the PIN in and add --pin-stdin.",
    });
  }
  const pin = await askLine(io, "PIN (not shown): ", { hidden: true });
  if (pin === undefined) throw new EarshotError({ code: "WRONG_USAGE", message: "No PIN was given; nothing was done." });
  return pin;
}

/** The query string of an object. */
export function toQuery(asked: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
  return query.toString();
}

/** The running hub of this user's own folder. EARSHOT_URL is ignored, because only one's own data may be removed. */
export function findOwnHub(env: Environment): Promise<HubAccess | undefined> {
  return findHub({ ...env, EARSHOT_URL: "" });
}

/** Whether to do something irreversible. Without a person, `--yes` is required. */
export async function confirmIrreversible(io: CommandIo, question: string, isAgreed: boolean): Promise<boolean> {
  if (isAgreed) return true;
  if (!hasKeyboard(io))
    throw createUsageError("There is no terminal to ask in, and this cannot be undone.", "Add --yes to do it without being asked.");
  const answer = await askLine(io, `${question} [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
