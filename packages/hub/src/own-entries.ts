import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { HUB_SOURCE } from "./home.ts";
import type { Ledger, LedgerEntry, Submission } from "./ledger/ledger.ts";

const CONTROL_SESSION = "control";
/** Older records are written again, so that retention does not remove them. */
export const RERECORD_AFTER_MS = 86_400_000;
/** Of a change, while other hubs change the same value. */
const MAX_ATTEMPTS = 20;

/** An entry the hub writes about itself. */
export function hubSubmission(type: string, by: string, value: JsonObject, receivedAt: number, identity: string | null = null): Submission {
  return {
    source: { protocol: "aep", name: HUB_SOURCE, verified: true },
    kind: "message",
    session: CONTROL_SESSION,
    agent: by,
    type,
    sequence: null,
    identity,
    text: JSON.stringify(value),
    receivedAt,
    reading: { protocol: "aep", kind: "message", type, value, eventId: undefined, sessionId: undefined, agentId: undefined, findings: [] },
    redactions: [],
  };
}

interface OwnEntry {
  readonly position: number;
  readonly receivedAt: number;
  readonly value: JsonValue;
}

interface OwnChange {
  readonly type: string;
  readonly by: string;
  /** Unix milliseconds. */
  readonly now: number;
}

interface NextValue {
  readonly value: JsonValue;
  /** Further members of the entry about the change. */
  readonly about: JsonObject;
}

/**
 * A value that the hub keeps in its own entries, such as what people have set: the newest entry that has it counts. The identity of each
 * entry is the position of the one before, so the ledger takes only one of several changes of the same value. The slower one reads
 * that one and tries again.
 */
export class LedgerValue {
  readonly #ledger: Ledger;
  readonly #member: string;
  #last: OwnEntry | undefined;
  #seen = 0;
  /** Position of the value that the owner knows of. */
  #told = 0;
  /** The last change that was begun, until it has ended. */
  #turn: Promise<void> | undefined;
  #unfollow: () => void = () => {};

  private constructor(ledger: Ledger, member: string) {
    this.#ledger = ledger;
    this.#member = member;
  }

  static async open(ledger: Ledger, member: string): Promise<LedgerValue> {
    const own = new LedgerValue(ledger, member);
    own.#seen = await ledger.head();
    const session = (await ledger.findSessions(CONTROL_SESSION, "aep")).find(({ source }) => source === HUB_SOURCE);
    if (session === undefined) return own;
    let page = await ledger.readSession({ session, limit: 500 });
    for (;;) {
      for (const entry of page.entries) own.#keep(entry);
      if (page.next === undefined) break;
      page = await ledger.readSession({ session, limit: 500, after: page.next });
    }
    own.#told = own.#position;
    return own;
  }

  get value(): JsonValue | undefined {
    return this.#last?.value;
  }

  /** When it was recorded last; infinite when it never was. */
  get recordedAt(): number {
    return this.#last?.receivedAt ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Records a changed value, after the changes that were begun before; fulfills when it is on disk. `change` gets the newest value, and
   * whether another hub has recorded it unheard.
   */
  change(change: OwnChange, next: (before: JsonValue | undefined, isUnheard: boolean) => NextValue): Promise<void> {
    const changed = this.#turn?.then(() => this.#change(change, next)) ?? this.#change(change, next);
    const turn = changed
      .catch(() => {}) // the caller gets the failure
      .finally(() => {
        if (this.#turn === turn) this.#turn = undefined;
      });
    this.#turn = turn;
    return changed;
  }

  async #change({ type, by, now }: OwnChange, next: (before: JsonValue | undefined, isUnheard: boolean) => NextValue): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { about, value } = next(this.value, this.#position !== this.#told);
      // The nonce: two hubs may record the same change in the same millisecond, and only one of them has made it.
      const text = { type, by, at: new Date(now).toISOString(), nonce: randomUUID(), ...about, [this.#member]: value };
      const identity = `${this.#member} ${this.#position}`;
      const [verdict] = await this.#ledger.append([hubSubmission(type, by, text, now, identity)]);
      if (verdict?.ok === true) {
        this.#last = { position: verdict.position, receivedAt: now, value };
        this.#told = verdict.position;
        return;
      }
      if (verdict?.problem.code !== "EVENT_ID_CONFLICT") break;
      await this.#refresh();
    }
    throw new Error("The hub's own entry was refused.");
  }

  get #position(): number {
    return this.#last?.position ?? 0;
  }

  /** Reads what other hubs have recorded since. */
  async #refresh(): Promise<void> {
    for (;;) {
      const from = this.#seen;
      const filter = { session: CONTROL_SESSION, protocol: ["aep"] } as const;
      const { entries, upTo } = await this.#ledger.read({ after: from, limit: 500, filter });
      for (const entry of entries) if (entry.source === HUB_SOURCE) this.#keep(entry);
      this.#seen = Math.max(this.#seen, upTo);
      if (upTo === from) return;
    }
  }

  /** Calls back when another hub has recorded a value. */
  follow(changed: () => void, onFailure: (error: unknown) => void): void {
    let isReading = false;
    let isBehind = false;
    const read = async () => {
      isReading = true;
      while (isBehind) {
        isBehind = false;
        await this.#refresh();
        if (this.#position === this.#told) continue;
        this.#told = this.#position;
        changed();
      }
    };
    this.#unfollow = this.#ledger.follow(() => {
      isBehind = true;
      if (isReading) return;
      void read()
        .catch(onFailure)
        .finally(() => {
          isReading = false;
        });
    });
  }

  /** Fulfills when every change that was begun has ended. */
  async close(): Promise<void> {
    this.#unfollow();
    await this.#turn;
  }

  #keep({ position, receivedAt, text }: Pick<LedgerEntry, "position" | "receivedAt" | "text">): void {
    if (position <= this.#position || text === "") return;
    const read = JSON.parse(text) as JsonValue;
    const value = isObject(read) ? read[this.#member] : undefined;
    if (value !== undefined) this.#last = { position, receivedAt, value };
  }
}
