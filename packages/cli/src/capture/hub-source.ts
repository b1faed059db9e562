import { setTimeout as pause } from "node:timers/promises";
import { type JsonObject, membersOf, PROBLEMS } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { HubAccess } from "../hub-client.ts";
import { follow, headOf, type Told } from "../tail/follow.ts";
import type { SideFile } from "./side-file.ts";
import { type Batch, type Earlier, LONGEST_PAUSE_MS, type Source, type SourceNews } from "./source.ts";

/** One session: its id, and whose it is where several have the same. */
export interface HubSession {
  readonly id: string;
  readonly protocol: string;
  readonly source: string;
}

export interface HubSourceOptions {
  readonly name: string;
  readonly open: () => Promise<HubAccess>;
  readonly session: HubSession | undefined;
  /** Where a first capture begins. */
  readonly begin: "start" | "now";
  /** Whether to go on with what follows. */
  readonly follows: boolean;
}

/** A hub: by position, so that nothing is missed and nothing comes twice, whoever is killed. */
export class HubSource implements Source {
  readonly kind = "hub";
  readonly name: string;
  readonly #options: HubSourceOptions;

  constructor(options: HubSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async *hear(from: Earlier | undefined, news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch> {
    const { open, session, begin, follows } = this.#options;
    const after = readPosition(from?.resume);
    const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => {}); // woken by the signal, which is looked at next
    if (after !== undefined) await this.#comeBack(news, wait, signal);
    if (signal.aborted) return;
    const told = follow({
      open,
      filter: session === undefined ? {} : { session: session.id, protocol: session.protocol },
      after: after ?? (begin === "start" ? "0" : "now"),
      signal,
      wait,
      onGone: () => news.cut("The hub is gone."),
      onBack: news.back,
    });
    const whose = session === undefined ? {} : { protocol: session.protocol, source: session.source };
    let head: number | undefined;
    for await (const one of told) {
      // The first thing a hub says is how far there is to go.
      head ??= headOf(one) ?? one.position;
      const isCaughtUp = one.position >= head;
      if (!follows && one.position > head) return;
      yield { texts: this.#textsOf(one), settle: () => ({ position: one.position, ...whose }), isCaughtUp };
      if (!follows && isCaughtUp) return;
    }
  }

  /** A capture that goes on waits for a hub that is not there yet. */
  async #comeBack(news: SourceNews, wait: (ms: number) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await this.#options.open();
        if (!isFirst) news.back();
        return;
      } catch (error) {
        if (!EarshotError.is(error) || !PROBLEMS[error.problem.code].retryable) throw error;
        if (isFirst) news.cut(error.message);
        await wait(LONGEST_PAUSE_MS / 5);
      }
    }
  }

  /** The event as it was said. Decisions and messages are entries of a ledger, but no events. */
  #textsOf({ kind, json }: Told): readonly string[] {
    if (kind !== "entry") return [];
    const { session } = this.#options;
    let event: string | undefined;
    for (const [key, value] of membersOf(json)) {
      if (key === '"kind"' && value !== '"event"') return [];
      if (key === '"source"' && session !== undefined && JSON.parse(value) !== session.source) return [];
      if (key === '"event"') event = value;
    }
    return event === undefined ? [] : [event];
  }
}

/** The session that an earlier capture was of, as it is told in the side file; undefined where it does not say so. */
export function sessionBefore({ source, resume }: SideFile): HubSession | undefined {
  const [id, protocol, from] = [source.session, resume?.["protocol"], resume?.["source"]];
  return id === undefined || typeof protocol !== "string" || typeof from !== "string" ? undefined : { id, protocol, source: from };
}

function readPosition(resume: JsonObject | undefined): string | undefined {
  const position = resume?.["position"];
  return typeof position === "number" && Number.isSafeInteger(position) && position >= 0 ? String(position) : undefined;
}
