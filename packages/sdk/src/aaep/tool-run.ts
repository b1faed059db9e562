import { own, quietly } from "../plain/own.ts";
import { toErrorMessage } from "../plain/text.ts";
import { outcomeOf } from "../speech/outcome.ts";
import { summariseArgs } from "./args-summary.ts";
import type { Asking } from "./asking.ts";
import { ended } from "./confirm.ts";
import { toMs, toOneOf, toToolName } from "./facts.ts";
import type { SessionCore } from "./session-core.ts";
import type { AaepToolOptions, ToolContext } from "./session-options.ts";
import { MAX_CHARACTERS, toSummaries, toWords, toWordsOr } from "./words.ts";

const RISKS = ["low", "medium", "high"] as const;
const UNFINISHED = "Not finished when the session ended.";

type Status = "success" | "error" | "timeout";

/** The running tools of a session and their count. */
export class ToolRuns {
  readonly #core: SessionCore;
  readonly #asking: Asking;
  readonly #open = new Set<(status: Status, detail: Detail) => void>();
  #count = 0;

  constructor(core: SessionCore, asking: Asking) {
    this.#core = core;
    this.#asking = asking;
  }

  get count(): number {
    return this.#count;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Reports the start, runs the tool, and reports its result. Throws beforehand if the tool must not run. */
  async run<Result>(
    name: string,
    options: AaepToolOptions<Result>,
    work: (call: ToolContext) => Result | Promise<Result>,
  ): Promise<Result> {
    const given = own<AaepToolOptions<Result>>(options);
    const tool = toToolName(name);
    const irreversible = given.irreversible === true;
    const risk = toOneOf(given.risk, RISKS) ?? (irreversible ? "high" : "low");
    this.#refuseWhenOver();
    // Used before any wait, so that two calls cannot use one permit.
    const callId = this.#core.permits.spend(given.permit, { tool, args: given.args, risk, irreversible }) ?? this.#core.ports.newId("call");
    while (this.#asking.isOpen) await this.#asking.untilOver(); // what is asked between the end of one and now counts too
    this.#refuseWhenOver();
    const end = this.#start(tool, callId, {
      ...toSummaries(given.summary, `Using ${tool}.`),
      description: toWords(given.description, MAX_CHARACTERS.terse),
      args_summary: given.argsSummary === undefined ? summariseArgs(given.args) : toWords(given.argsSummary, MAX_CHARACTERS.text),
      expected_duration_ms: toMs(given.expectedDurationMs),
      risk_level: risk,
      irreversible,
    });
    try {
      const result = await work({ callId, signal: this.#core.signal });
      end("success", { summary: quietly(() => given.resultSummary?.(result)) });
      return result;
    } catch (error) {
      end(outcomeOf(error) === "timeout" ? "timeout" : "error", { message: toErrorMessage(error) });
      throw error;
    }
  }

  /** Abandons running tools when the session ends. */
  close(): void {
    for (const end of [...this.#open]) end("timeout", { message: UNFINISHED });
  }

  #start(tool: string, callId: string, payload: Readonly<Record<string, unknown>>): (status: Status, detail: Detail) => void {
    const { states, ports } = this.#core;
    const startedMs = ports.elapsedMs();
    states.toolStarts();
    this.#core.tell("tool.invoked", { tool, tool_call_id: callId, ...payload });
    this.#core.permits.begun(callId);
    this.#count++;
    const end = (status: Status, { summary, message }: Detail) => {
      if (!this.#open.delete(end)) return;
      const error = status === "success" ? undefined : toWordsOr(message, "It did not say why.", MAX_CHARACTERS.terse);
      const words =
        status === "success" ? `${tool} is done.` : status === "timeout" ? `${tool} took too long.` : `${tool} failed: ${error}`;
      const duration = toMs(ports.elapsedMs() - startedMs);
      const told = { tool, tool_call_id: callId, status, ...toSummaries(summary, toWordsOr(words, tool)) };
      this.#core.tell("tool.completed", { ...told, duration_ms: duration, error_message: error }, { ownWords: summary === undefined });
      states.toolEnded();
    };
    this.#open.add(end);
    return end;
  }

  #refuseWhenOver(): void {
    this.#core.signal.throwIfAborted();
    if (this.#core.hasEnded) throw ended();
  }
}

interface Detail {
  readonly summary?: Parameters<typeof toSummaries>[0];
  readonly message?: string;
}
