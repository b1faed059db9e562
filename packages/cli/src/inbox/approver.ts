import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AccountView, ChallengeView, PairingClaim, PairingClaimState, TicketView } from "@earshot/hub";
import { ticketText } from "@earshot/hub/device-key";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { changeAtHub, type HubAccess, requestFromHub } from "../hub-client.ts";
import { provePinToHub, readChallenge } from "../own-hub.ts";
import { askLine, hasKeyboard } from "../terminal/ask.ts";

/** This process as an approver while it runs. Its credentials are only in memory. */
export interface Approver extends AsyncDisposable {
  /** The hub with a credential that lasts a few minutes, so it is requested anew each time. */
  access(hub: HubAccess): Promise<HubAccess>;
  /** The hub was away: its earlier credentials are invalid. */
  renew(): void;
}

export interface UnlockOptions {
  /** For a process that keeps deciding: it gets its own key, revoked at its end. */
  readonly lasting?: boolean;
  /** Enter means `later`: viewing needs no PIN. */
  readonly mayWait?: boolean;
  /** Cancels the question. */
  readonly signal?: AbortSignal;
}

const TRIES = 3;
const NOW = "PIN (not shown; Enter alone to be confirmed in a browser instead): ";
const LATER = "PIN, to decide here (not shown; Enter alone to look only, c and Enter to be confirmed in a browser): ";
const LATER_WITHOUT_PIN = "No PIN is set. Enter alone to look only, c and Enter to be confirmed in a browser: ";

/**
 * Makes this terminal an approver, by the PIN or by another approver who enters the number shown here. Without a keyboard it fails:
 * agents can read files and environment variables too. Undefined if the person postpones it.
 */
export async function unlockTerminal(io: CommandIo, hub: HubAccess, options: UnlockOptions = {}): Promise<Approver | undefined> {
  requireKeyboard(io);
  const { hasApprover } = (await (await requestFromHub(hub, "/api/me")).json()) as AccountView;
  if (!hasApprover) throw new EarshotError({ code: "NO_APPROVER", message: "No approver is set up, so nothing can be decided." });
  const { signal } = options;
  const hasPin = (await readChallenge(hub)).pin !== null;
  const question = options.mayWait !== true ? NOW : hasPin ? LATER : LATER_WITHOUT_PIN;
  for (let tries = 1; ; tries++) {
    const isConfirmedElsewhere = !hasPin && options.mayWait !== true;
    const pin = isConfirmedElsewhere ? "" : await askLine(io, question, { hidden: true, ...(signal === undefined ? {} : { signal }) });
    if (pin === undefined)
      throw new EarshotError({ code: "WRONG_USAGE", message: "No PIN was given; nothing was decided.", hint: "Run it again." });
    if (pin === "" && options.mayWait === true) return undefined;
    try {
      if (pin === "" || (pin === "c" && options.mayWait === true))
        return await TerminalDevice.admit(hub, (claim) => confirmElsewhere(io, hub, claim, signal));
      if (options.lasting === true)
        return await TerminalDevice.admit(hub, async ({ claim }) =>
          changeAtHub(hub, "POST", "/api/pair/admit", { claim, ...(await provePinToHub(hub, pin, `admit ${claim}`)) }),
        );
      return new PinTicket(await changeAtHub<TicketView>(hub, "POST", "/api/unlock", await provePinToHub(hub, pin, "unlock")));
    } catch (error) {
      if (!EarshotError.is(error) || error.problem.code !== "PIN_WRONG" || tries >= TRIES) throw error;
      io.err(`${plainText(error.problem.message)}\n`);
    }
  }
}

export function requireKeyboard(io: CommandIo): void {
  if (hasKeyboard(io)) return;
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: "Deciding needs a person at a terminal, and there is none here. Nothing was decided.",
    hint: "Run it in a terminal of your own, where it asks for your PIN, or decide in a browser that is approver.",
  });
}

/** Uses the PIN for one decision. */
class PinTicket implements Approver {
  readonly #headers: HubAccess["headers"];

  constructor({ ticket }: TicketView) {
    this.#headers = { authorization: `Bearer ${ticket}` };
  }

  async access({ url }: HubAccess): Promise<HubAccess> {
    return { url, headers: this.#headers };
  }

  renew(): void {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** A ticket is renewed when less time than this is left. */
const MARGIN_MS = 60_000;

/** A device like a browser, whose key ends with the process. */
class TerminalDevice implements Approver {
  /** The hub it was last used with. */
  #hub: HubAccess;
  readonly #key: KeyObject;
  readonly #id: string;
  #ticket: { readonly access: HubAccess; readonly until: number } | undefined;

  private constructor(hub: HubAccess, key: KeyObject, id: string) {
    this.#hub = hub;
    this.#key = key;
    this.#id = id;
  }

  static async admit(hub: HubAccess, confirm: (claim: PairingClaim) => Promise<unknown>): Promise<TerminalDevice> {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { kty, crv, x, y } = publicKey.export({ format: "jwk" });
    const { code } = await changeAtHub<{ readonly code: string }>(hub, "POST", "/api/pairings", { role: "approver" });
    const claim = await changeAtHub<PairingClaim>(hub, "POST", "/api/pair/claim", { code, key: { kty, crv, x, y }, name: terminalName() });
    await confirm(claim);
    const { device } = await changeAtHub<PairingClaimState>(hub, "POST", "/api/pair/state", { claim: claim.claim });
    if (device === null) throw new EarshotError({ code: "CODE_REFUSED", message: "This terminal was not admitted." });
    return new TerminalDevice(hub, privateKey, device);
  }

  async access(hub: HubAccess): Promise<HubAccess> {
    const { url } = hub;
    const known = this.#ticket;
    if (known !== undefined && known.access.url === url && performance.now() < known.until) return known.access;
    this.#hub = hub;
    const { challenge } = (await (await requestFromHub(hub, "/api/ticket")).json()) as ChallengeView;
    const text = Buffer.from(ticketText(new URL(url).origin, this.#id, challenge));
    const signature = sign("sha256", text, { key: this.#key, dsaEncoding: "ieee-p1363" }).toString("base64url");
    const { ticket, expiresInMs } = await changeAtHub<TicketView>(hub, "POST", "/api/ticket", { device: this.#id, challenge, signature });
    const access = { url, headers: { authorization: `Bearer ${ticket}` } };
    this.#ticket = { access, until: performance.now() + expiresInMs - MARGIN_MS };
    return access;
  }

  renew(): void {
    this.#ticket = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await changeAtHub(await this.access(this.#hub), "DELETE", `/api/devices/${encodeURIComponent(this.#id)}`);
    } catch {
      // The hub is gone or has revoked it already. The key is lost either way.
    }
  }
}

const POLL_MS = 500;

async function confirmElsewhere(io: CommandIo, hub: HubAccess, { claim, match }: PairingClaim, signal?: AbortSignal): Promise<void> {
  io.err(`The number of this terminal is ${plainText(match)}. Type it in a browser that is approver, within five minutes.\n`);
  for (;;) {
    const { state } = await changeAtHub<PairingClaimState>(hub, "POST", "/api/pair/state", { claim });
    if (state === "admitted") return;
    if (state !== "claimed") throw new EarshotError({ code: "CODE_REFUSED", message: `This terminal was not admitted: ${state}.` });
    if (signal?.aborted === true)
      throw new EarshotError({ code: "WRONG_USAGE", message: "It was not confirmed; nothing was decided.", hint: "Run it again." });
    await pause(POLL_MS);
  }
}

function terminalName(): string {
  const user = process.env["USER"] ?? process.env["USERNAME"];
  return user === undefined || user === "" ? "a terminal" : `terminal of ${[...user].slice(0, 40).join("")}`;
}
