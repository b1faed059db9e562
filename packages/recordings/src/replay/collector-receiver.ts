import { setTimeout as pause } from "node:timers/promises";
import { EarshotError } from "@earshot/protocol";
import type { OnRefused, ReplayReceiver } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

export interface CollectorReceiverOptions {
  /** The base URL, without `/events`. */
  readonly url: string;
  readonly onRefused: OnRefused;
  readonly onWait: (why: string) => void;
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
const TOGETHER = 64;

/**
 * An AOP collector: one event per request, as its protocol requires. A collector stores every copy that it receives, so an event is sent
 * again only if it cannot have arrived.
 */
export class CollectorReceiver implements ReplayReceiver {
  readonly name: string;
  readonly counts = { stored: 0, known: 0, refused: 0, flagged: 0 };
  readonly #options: CollectorReceiverOptions;
  #waiting: Playable[] = [];

  constructor(options: CollectorReceiverOptions) {
    this.#options = options;
    this.name = `the AOP collector at ${options.url}`;
  }

  get isFull(): boolean {
    return this.#waiting.length >= TOGETHER;
  }

  takes({ protocol, kind }: Playable): boolean {
    return protocol === "aop" && kind === "event";
  }

  add(recorded: Playable): void {
    this.#waiting.push(recorded);
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const recorded of waiting) await this.#post(recorded);
  }

  settle(): Promise<void> {
    return this.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #post({ text, line }: Playable): Promise<void> {
    const { url, onRefused, onWait, patienceMs = PATIENCE_MS } = this.#options;
    for (const until = performance.now() + patienceMs; ; ) {
      const response = await fetch(`${url}/events`, { method: "POST", headers: { "content-type": "application/json" }, body: text }).catch(
        (error: unknown) => error,
      );
      if (response instanceof Response && response.status !== 503 && response.status !== 429) {
        const said = await response.text();
        if (response.ok) this.counts.stored++;
        else {
          this.counts.refused++;
          onRefused(line, { message: `status ${response.status}: ${said.slice(0, 200)}` });
        }
        return;
      }
      const isBusy = response instanceof Response;
      if (isBusy) await response.body?.cancel();
      if ((!isBusy && !isRefusal(response)) || performance.now() > until) throw gone(this.name, isBusy || isRefusal(response), line);
      onWait(isBusy ? "the collector is busy" : "the collector does not answer");
      await pause(PAUSE_MS);
    }
  }
}

function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

function gone(name: string, wasNotHeard: boolean, line: number): EarshotError {
  const fate = wasNotHeard ? `Line ${line} and what follows was not sent.` : `Whether it has line ${line} is not known.`;
  return new EarshotError({
    code: "LEDGER_UNAVAILABLE",
    message: `Connection lost to ${name}. ${fate}`,
    hint: "A collector stores every copy of an event: start again into an empty one, or into a hub, which stores nothing twice.",
  });
}
