import { createToken, hashOf } from "./secrets.ts";

export const TICKET_MS = 5 * 60_000;
const MOST_TICKETS = 10_000;

interface Ticket {
  readonly credential: string;
  readonly until: number;
}

/** Short-lived credentials that stand for one that cannot be sent: a browser's key, or the PIN. In memory only. */
export class Tickets {
  readonly #now: () => number;
  /** By hash, oldest first. */
  readonly #tickets = new Map<string, Ticket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(credential: string): { readonly ticket: string; readonly expiresInMs: number } {
    this.#forgetOld();
    const ticket = createToken();
    this.#tickets.set(hashOf(ticket), { credential, until: this.#now() + TICKET_MS });
    return { ticket, expiresInMs: TICKET_MS };
  }

  /** The credential that a ticket stands for. */
  find(hash: string): string | undefined {
    const ticket = this.#tickets.get(hash);
    return ticket === undefined || ticket.until <= this.#now() ? undefined : ticket.credential;
  }

  revoke(credential: string): void {
    for (const [hash, ticket] of this.#tickets) if (ticket.credential === credential) this.#tickets.delete(hash);
  }

  #forgetOld(): void {
    for (const [hash, { until }] of this.#tickets) {
      if (until > this.#now() && this.#tickets.size < MOST_TICKETS) break;
      this.#tickets.delete(hash);
    }
  }
}
