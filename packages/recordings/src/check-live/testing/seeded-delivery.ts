import { isObject, type JsonObject } from "@earshot/protocol";
import type { Defect } from "./defects.ts";

export type Wire = (text: string, id: string) => void;

interface Queued {
  readonly event: JsonObject;
  readonly id: string;
}

const MERGES: ReadonlySet<unknown> = new Set(["aaep:agent.output.streaming", "aaep:agent.progress.updated", "aaep:agent.state.changed"]);

/** One subscriber's events: filter, rate and boundaries, in the simplest correct way. */
export class SeededDelivery {
  terms: JsonObject;
  closed = false;
  readonly #defect: Defect | undefined;
  readonly #queue: Queued[] = [];
  #wire: Wire | undefined;
  #tokens: number;
  #filledAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  readonly #others: () => Iterable<SeededDelivery>;

  constructor(terms: JsonObject, defect: Defect | undefined, others: () => Iterable<SeededDelivery> = () => []) {
    this.terms = terms;
    this.#defect = defect;
    this.#others = others;
    this.#tokens = this.#rate;
  }

  attach(wire: Wire): void {
    this.#wire = wire;
    this.#pump();
  }

  detach(): void {
    this.#wire = undefined;
    clearTimeout(this.#timer);
  }

  /** Whether its answers are awaited. */
  get answers(): boolean {
    return !this.closed && this.terms["supports_confirmation_reply"] === true;
  }

  send(event: JsonObject): void {
    const isCritical = event["urgency"] === "critical";
    const isSilent = this.#defect !== "events-after-close" && !(isCritical && this.#defect === "critical-after-close");
    if (this.closed && isSilent) return;
    const passes = this.#passes(String(event["type"])) || this.#defect === "filter-ignored";
    if (!passes && !(isCritical && this.#defect !== "critical-filtered")) return;
    if (
      this.#defect === "verbosity-omits" &&
      this.terms["preferred_verbosity"] === "terse" &&
      event["type"] === "aaep:agent.tool.completed"
    )
      return;
    if (this.#defect === "language-drops" && JSON.stringify(this.terms["languages"] ?? []) === '["tlh"]') return;
    const queued = { event: this.#cut(event), id: String(event["event_id"]) };
    if (isCritical && this.#defect !== "critical-queued") {
      // Its own session's earlier events go first; others wait.
      const own = this.#queue.filter((one) => one.event["session_id"] === event["session_id"]);
      for (const one of own) this.#queue.splice(this.#queue.indexOf(one), 1);
      for (const one of [...own, queued]) this.#write(one);
      return;
    }
    this.#queue.push(queued);
    this.#pump();
  }

  get #rate(): number {
    const rates = [...(this.#defect === "slow-for-all" ? this.#others() : [])].filter(({ closed }) => !closed);
    const limits = [this, ...rates].flatMap(({ terms }) =>
      typeof terms["max_events_per_second"] === "number" ? [terms["max_events_per_second"]] : [],
    );
    const rate = limits.length === 0 ? undefined : Math.min(...limits);
    return typeof rate === "number" && this.#defect !== "rate-ignored" ? rate : Number.POSITIVE_INFINITY;
  }

  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#wire === undefined) return;
    const now = performance.now();
    const rate = this.#rate;
    this.#tokens = rate === Number.POSITIVE_INFINITY ? rate : Math.min(rate, this.#tokens + ((now - this.#filledAt) / 1000) * rate);
    this.#filledAt = now;
    if (this.#tokens < this.#queue.length) this.#merge();
    if (this.#defect === "rate-drops-tools" && this.#tokens < this.#queue.length) this.#drop();
    while (this.#queue.length > 0 && this.#tokens >= 1) {
      const next = this.#queue.shift();
      if (next !== undefined) this.#write(next);
      this.#tokens--;
    }
    if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#pump(), ((1 - this.#tokens) / rate) * 1000 + 1);
  }

  /** Merges neighbors of one session and type: the first position, the last text. */
  #merge(): void {
    for (let at = 0; at + 1 < this.#queue.length; ) {
      const [first, second] = [this.#queue[at]?.event, this.#queue[at + 1]?.event];
      const same = first !== undefined && second !== undefined && MERGES.has(first["type"]) && first["type"] === second["type"];
      if (!same || first["session_id"] !== second["session_id"]) {
        at++;
        continue;
      }
      const chunk =
        typeof first["chunk"] === "string" ? { chunk: `${first["chunk"]}${String(second["chunk"])}`, position: first["position"] } : {};
      const from = first["from_state"] === undefined ? {} : { from_state: first["from_state"] };
      const id = String(second["event_id"]);
      this.#queue.splice(at, 2, { event: { ...second, ...chunk, ...from, event_id: `${id}m` }, id });
    }
  }

  #drop(): void {
    const kept = this.#queue.filter(({ event }) => !String(event["type"]).includes(".tool."));
    this.#queue.splice(0, this.#queue.length, ...kept);
  }

  /** An unnegotiated boundary is not named; few words are marked as such. */
  #cut(whole: JsonObject): JsonObject {
    const event = this.terms["preferred_verbosity"] === "terse" || this.#defect === "terse-never-sent" ? this.#shorten(whole) : whole;
    const agreed = this.terms["coalesce_boundaries"];
    if (!Array.isArray(agreed) || agreed.includes(event["coalesce_hint"] ?? "") || this.#defect === "boundaries-ignored") return event;
    const { coalesce_hint: _, ...rest } = event;
    return rest;
  }

  #shorten(event: JsonObject): JsonObject {
    if (this.#defect === "terse-shortens-action" && typeof event["action"] === "string")
      return { ...event, action: event["action"].slice(0, 8) };
    const { summary_terse: terse, ...rest } = event;
    if (terse === undefined) return event;
    if (this.#defect === "terse-never-sent") return rest;
    return this.#defect === "verbosity-ignored" ? { ...rest, verbosity: "normal" } : { ...event, verbosity: "terse" };
  }

  #passes(type: string): boolean {
    const filters = this.terms["event_filters"];
    if (!isObject(filters)) return true;
    const matches = (side: "include" | "exclude", standard: readonly string[]) => {
      const patterns = filters[side];
      const listed = Array.isArray(patterns) ? patterns.map(String) : standard;
      return listed.some((pattern) => (pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
    };
    return matches("include", ["aaep:agent.*"]) && !matches("exclude", []);
  }

  #write({ event, id }: Queued): void {
    this.#wire?.(JSON.stringify(event), id);
  }
}
