import { EarshotError } from "@earshot/protocol/problem";
import { plainText } from "@earshot/terminal/plain-text";
import { changeAtHub, type HubAccess } from "../hub-client.ts";
import { type Approver, unlockTerminal } from "./approver.ts";
import type { InboxPorts } from "./plain-inbox.ts";

/** An approver counts as present for this long after a key; each key does not repeat the announcement. */
const PRESENT_MS = 5 * 60_000;
const TELL_MS = 10_000;

export interface InboxApproverPorts extends Pick<InboxPorts, "io" | "open" | "signal"> {
  /** Called when nobody counts as present any more. */
  readonly onAbsent: () => void;
}

/** The person at the inbox: may begin as a viewer, decides after the PIN, and is present while pressing keys. */
export class InboxApprover implements AsyncDisposable {
  readonly #ports: InboxApproverPorts;
  #approver: Approver | undefined;
  #presentAt = Number.NEGATIVE_INFINITY;
  #absence: NodeJS.Timeout | undefined;

  constructor(ports: InboxApproverPorts) {
    this.#ports = ports;
  }

  /** Asks for the PIN, which may be postponed. */
  async begin(): Promise<void> {
    const { io, open, signal } = this.#ports;
    try {
      this.#approver = await unlockTerminal(io, await open(), { lasting: true, mayWait: true, signal });
    } catch (error) {
      if (!EarshotError.is(error) || error.problem.code !== "NO_APPROVER") throw error;
      io.err(`${plainText(error.problem.message)} To set up an approver: earshot start\n`);
      return;
    }
    if (this.#approver === undefined)
      io.err("Read-only. The PIN is asked for when you decide; until then no approver counts as present.\n");
    await this.present();
  }

  get isUnlocked(): boolean {
    return this.#approver !== undefined;
  }

  /** The hub with an approver's credential; asks for the PIN if that was postponed. */
  async access(): Promise<HubAccess> {
    const { io, open, signal } = this.#ports;
    const hub = await open();
    this.#approver ??= await unlockTerminal(io, hub, { lasting: true, signal });
    if (this.#approver === undefined)
      throw new EarshotError({ code: "NOT_AUTHORISED", message: "Nothing was decided: this terminal has no approver." });
    return this.#approver.access(hub);
  }

  /** A key press shows presence. A viewer does not count, because they could not answer. */
  async present(): Promise<void> {
    const now = performance.now();
    if (this.#approver === undefined || now - this.#presentAt < TELL_MS) return;
    this.#presentAt = now;
    clearTimeout(this.#absence);
    this.#absence = setTimeout(this.#ports.onAbsent, PRESENT_MS).unref();
    await changeAtHub(await this.#approver.access(await this.#ports.open()), "POST", "/api/presence", {});
  }

  /** The hub was away. */
  renew(): void {
    this.#approver?.renew();
    this.#presentAt = Number.NEGATIVE_INFINITY;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#absence);
    await this.#approver?.[Symbol.asyncDispose]();
  }
}
