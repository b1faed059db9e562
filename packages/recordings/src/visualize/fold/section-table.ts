import { EarshotError, type ProtocolReading } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import { shortenLabel } from "./briefly.ts";
import { NO_SECTION } from "./place-table.ts";
import { SectionFold } from "./section-fold.ts";

/** Sections drawn. More would be unreadable; any other can be selected by name. */
const DRAWN = 40;
/** Further sections distinguished, for their count. */
const COUNTED = 20_000;
const ASKED = 20_000;
const NAMED = 8;

/** Assigns events to sections: the first sections to appear are drawn, the others counted. */
export class SectionTable {
  readonly #wanted: string | undefined;
  readonly #folds: SectionFold[] = [];
  readonly #numbers = new Map<string, number>();
  /** The sections of the most recent requests, because an answer names no session, only the request's token or event. */
  readonly #askers = new Map<string, number>();
  readonly #others = new Set<string>();
  /** The wanted session and its descendants. */
  readonly #family = new Set<string>();
  readonly #names = new Set<string>();
  #otherEvents = 0;

  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
    if (wanted !== undefined) this.#family.add(wanted);
  }

  /** The section's number, or `NO_SECTION` if it is not drawn. */
  numberFor({ protocol, sessionId, agentId }: ProtocolReading, activities: readonly Activity[]): number {
    const asker = sessionId === undefined ? this.#askerOf(activities) : undefined;
    if (asker !== undefined) return asker;
    const session = sessionId ?? "";
    if (this.#names.size < NAMED && session !== "") this.#names.add(session);
    this.#learnFamily(session, activities);
    const number =
      this.#wanted !== undefined && !this.#family.has(session)
        ? NO_SECTION
        : session === ""
          ? this.beside()
          : this.#numberOf(protocol, session, agentId ?? "");
    for (const activity of activities) {
      if (activity.kind === "request.asked") this.#remember(activity.token ?? activity.eventId, number);
      if (activity.kind === "tool.requested") this.#remember(activity.eventId, number);
    }
    return number;
  }

  /** The section for entries without a session. */
  beside(): number {
    return this.#wanted === undefined ? this.#meet("", () => new SectionFold(undefined, "", "")) : NO_SECTION;
  }

  fold(number: number): SectionFold | undefined {
    return this.#folds[number];
  }

  folds(): readonly SectionFold[] {
    return this.#folds;
  }

  leftOut(): { readonly sections: number; readonly events: number } {
    return { sections: this.#others.size, events: this.#otherEvents };
  }

  mustHaveFound(): void {
    if (this.#wanted === undefined || this.#folds.length > 0) return;
    const heard = [...this.#names].map((name) => JSON.stringify(shortenLabel(name, 60))).join(", ");
    throw new EarshotError({
      code: "NOT_FOUND",
      message: `The recording has no session ${JSON.stringify(shortenLabel(this.#wanted, 80))}.`,
      hint: heard === "" ? "It names no session at all: leave --session out." : `Among those it has: ${heard}.`,
    });
  }

  /** Events that name no agent are attributed to the first agent of their session. */
  #numberOf(protocol: ProtocolReading["protocol"], session: string, agent: string): number {
    const main = this.#numbers.get(keyOf(protocol, session, ""));
    const speaker = main === undefined ? undefined : this.#folds[main];
    if (speaker?.agent === "") speaker.agent = agent;
    if (main !== undefined && (agent === "" || speaker?.agent === agent)) return main;
    const number = this.#meet(keyOf(protocol, session, main === undefined ? "" : agent), () => new SectionFold(protocol, session, agent));
    if (number === NO_SECTION) {
      this.#otherEvents++;
      if (this.#others.size < COUNTED) this.#others.add(keyOf(protocol, shortenLabel(session), shortenLabel(agent)));
    }
    return number;
  }

  #askerOf(activities: readonly Activity[]): number | undefined {
    for (const activity of activities) {
      const asked =
        activity.kind === "request.answered" ? activity.token : activity.kind === "tool.decided" ? activity.requestEventId : undefined;
      const asker = asked === undefined ? undefined : this.#askers.get(shortenLabel(asked));
      if (asker !== undefined) return asker;
    }
    return undefined;
  }

  #remember(asked: string | undefined, number: number): void {
    if (asked === undefined) return;
    this.#askers.set(shortenLabel(asked), number);
    if (this.#askers.size <= ASKED) return;
    const [oldest] = this.#askers.keys();
    if (oldest !== undefined) this.#askers.delete(oldest);
  }

  #meet(key: string, create: () => SectionFold): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#folds.length >= DRAWN) return NO_SECTION;
    this.#numbers.set(key, this.#folds.push(create()) - 1);
    return this.#folds.length - 1;
  }

  #learnFamily(session: string, activities: readonly Activity[]): void {
    if (this.#wanted === undefined || this.#family.size > DRAWN) return;
    for (const activity of activities) {
      if (activity.parent !== undefined && this.#family.has(activity.parent.session)) this.#family.add(session);
      if (activity.kind === "subagent.started" && activity.child !== undefined && this.#family.has(session))
        this.#family.add(activity.child);
    }
  }
}

function keyOf(protocol: string, session: string, agent: string): string {
  return JSON.stringify([protocol, session, agent]);
}
