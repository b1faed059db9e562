import { callQuietly, ownOptions } from "../plain/own.ts";
import { toErrorMessage } from "../plain/text.ts";
import { outcomeOfError } from "../speech/outcome.ts";
import { summariseArgs } from "./args-summary.ts";
import { MAX_TEXT_CHARACTERS, toCleanText, toCleanTextOr, toSummaryMembers } from "./clean-text.ts";
import { sessionEndedError } from "./confirm.ts";
import { toMs, toOneOf, toToolName } from "./facts.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { SessionCore } from "./session-core.ts";
import type { AaepToolOptions, ToolContext } from "./session-options.ts";

const RISKS = ["low", "medium", "high"] as const;
const UNFINISHED = "Not finished when the session ended.";

type Status = "success" | "error" | "timeout";

/** The running tools of a session and their count. */
export class ToolRuns {
  readonly #core: SessionCore;
  readonly #asking: QuestionQueue;
  readonly #open = new Set<(status: Status, detail: Detail) => void>();
  #count = 0;

  constructor(core: SessionCore, asking: QuestionQueue) {
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
    const given = ownOptions<AaepToolOptions<Result>>(options);
    const tool = toToolName(name);
    const irreversible = given.irreversible === true;
    const risk = toOneOf(given.risk, RISKS) ?? (irreversible ? "high" : "low");
    this.#refuseWhenOver();
    // Used before any wait, so that two calls cannot use one permit.
    const callId = this.#core.permits.spend(given.permit, { tool, args: given.args, risk, irreversible }) ?? this.#core.ports.newId("call");
    while (this.#asking.isOpen) await this.#asking.untilOver(); // what is asked between the end of one and now counts too
    this.#refuseWhenOver();
    const end = this.#start(tool, callId, {
      ...toSummaryMembers(given.summary, `Using ${tool}.`),
      description: toCleanText(given.description, MAX_TEXT_CHARACTERS.terse),
      args_summary: given.argsSummary === undefined ? summariseArgs(given.args) : toCleanText(given.argsSummary, MAX_TEXT_CHARACTERS.text),
      expected_duration_ms: toMs(given.expectedDurationMs),
      risk_level: risk,
      irreversible,
    });
    try {
      const result = await work({ callId, signal: this.#core.signal });
      end("success", { summary: callQuietly(() => given.resultSummary?.(result)) });
      return result;
    } catch (error) {
      end(outcomeOfError(error) === "timeout" ? "timeout" : "error", { message: toErrorMessage(error) });
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
    this.#core.emit("tool.invoked", { tool, tool_call_id: callId, ...payload });
    this.#core.permits.begun(callId);
    this.#count++;
    const end = (status: Status, { summary, message }: Detail) => {
      if (!this.#open.delete(end)) return;
      const error = status === "success" ? undefined : toCleanTextOr(message, "It did not say why.", MAX_TEXT_CHARACTERS.terse);
      const words =
        status === "success" ? `${tool} is done.` : status === "timeout" ? `${tool} took too long.` : `${tool} failed: ${error}`;
      const duration = toMs(ports.elapsedMs() - startedMs);
      const told = { tool, tool_call_id: callId, status, ...toSummaryMembers(summary, toCleanTextOr(words, tool)) };
      this.#core.emit("tool.completed", { ...told, duration_ms: duration, error_message: error }, { ownWords: summary === undefined });
      states.toolEnded();
    };
    this.#open.add(end);
    return end;
  }

  #refuseWhenOver(): void {
    this.#core.signal.throwIfAborted();
    if (this.#core.hasEnded) throw sessionEndedError();
  }
}

interface Detail {
  readonly summary?: Parameters<typeof toSummaryMembers>[0];
  readonly message?: string;
}
