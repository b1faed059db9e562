import type { AaepResponseKind } from "@earshot/aaep/speaking";
import { ownOptions } from "../plain/own.ts";
import { toDisplayText, toErrorMessage } from "../plain/text.ts";
import { outcomeOfError } from "../speech/outcome.ts";
import { askClarification } from "./clarify.ts";
import { MAX_TEXT_CHARACTERS, type Summary, toCleanText, toCleanTextOr, toSummaryMembers } from "./clean-text.ts";
import { askConfirmation } from "./confirm.ts";
import { toCancelled, toCompleted, toErrored, toNotDone } from "./endings.ts";
import { toContext, toMs, toOneOf, toToolName, toUri, toWhole } from "./facts.ts";
import { ProgressReporter } from "./progress.ts";
import { QuestionQueue } from "./question-queue.ts";
import { SessionCore } from "./session-core.ts";
import type {
  AaepSessionOptions,
  AaepToolOptions,
  CancelOptions,
  ChooseOptions,
  Clarified,
  ClarifyOptions,
  CompleteOptions,
  Confirmed,
  ConfirmOptions,
  CoverOf,
  FailOptions,
  HandoffOptions,
  HandoffOutcome,
  OpenKind,
  OutputOptions,
  ProgressOptions,
  Responses,
  StateOptions,
  ToolContext,
} from "./session-options.ts";
import type { AaepSessionPorts } from "./session-ports.ts";
import { SpokenOutput } from "./spoken-output.ts";
import { ToolRuns } from "./tool-run.ts";

const LEFT = "The session was left before it was ended: by an error, an early return, or because end() was forgotten.";
const TARGETS = ["human", "specialist_agent", "escalation_queue"] as const;
const LEVELS = ["low", "medium", "high"] as const;
const HANDOFF_SECONDS = 300;
const DAY_SECONDS = 86_400;
const MAX_TOOLS = 64;
const STATE_LENGTH = 64;

/**
 * One request of a person, reported while it is worked on. Calls in any order and at the same time produce a valid AAEP session: events
 * that do not fit are delayed, corrected or dropped. Only forbidden calls throw: a tool without the required permit, or one in an ended
 * session.
 */
export class AaepSession {
  readonly sessionId: string;
  readonly #core: SessionCore;
  readonly #asking: QuestionQueue;
  readonly #tools: ToolRuns;
  readonly #progress: ProgressReporter;
  readonly #outputs = new Set<SpokenOutput>();
  readonly #startedMs: number;
  readonly #unlisten: () => void;
  #handsOff = false;
  #isEnding = false;

  constructor(ports: AaepSessionPorts, options: AaepSessionOptions) {
    const given = ownOptions<AaepSessionOptions>(options);
    this.#core = new SessionCore(ports, { language: given.language, correlationId: given.correlationId });
    this.#asking = new QuestionQueue(this.#core);
    this.#tools = new ToolRuns(this.#core, this.#asking);
    this.#progress = new ProgressReporter(this.#core);
    this.sessionId = this.#core.sessionId;
    this.#startedMs = ports.elapsedMs();
    this.#core.emit(
      "session.started",
      {
        ...toSummaryMembers(given.summary, "Working on a request."),
        requested_by: toCleanText(given.requestedBy, MAX_TEXT_CHARACTERS.name),
        request_text: toCleanText(given.requestText, MAX_TEXT_CHARACTERS.text),
        tools_available: readTools(given.tools),
        expected_duration_ms: toMs(given.expectedDurationMs),
      },
      { ownWords: given.summary === undefined },
    );
    this.#unlisten = this.#listenTo(given.signal);
  }

  get hasEnded(): boolean {
    return this.#core.hasEnded;
  }

  /** Aborted when a person stops the session or it is cancelled. */
  get signal(): AbortSignal {
    return this.#core.signal;
  }

  /** Whether any started work has not returned. */
  get isBusy(): boolean {
    return this.#asking.isOpen || !this.#tools.isIdle;
  }

  thinking(options?: Summary | StateOptions): void {
    this.state("thinking", options);
  }

  deciding(options?: Summary | StateOptions): void {
    this.state("deciding", options);
  }

  /** Changes the state to a custom one. While a tool runs or a question is open, the change is reported afterwards. */
  state(name: string, options?: Summary | StateOptions): void {
    const given =
      typeof options === "object" ? ownOptions<Partial<Exclude<Summary, string>> & StateOptions>(options) : { summary: options };
    const summary = "normal" in given ? (options as Summary) : given.summary;
    const state = toCleanTextOr(name, "thinking", STATE_LENGTH);
    if (RESERVED.has(state)) return; // those follow from what is done
    this.#core.expectDuration(toMs(given.expectedDurationMs));
    this.#core.states.enter(state, summary);
    this.#core.expectDuration(undefined);
  }

  progress(options: ProgressOptions): void {
    this.#progress.report(options);
  }

  /**
   * Runs a tool between the events of its start and end, and returns or throws its result. Throws beforehand if the tool needs a permit
   * and has no matching one, or if the session has ended. Waits while a question is open.
   */
  tool<Result>(name: string, options: AaepToolOptions<Result>, work: (call: ToolContext) => Result | Promise<Result>): Promise<Result> {
    return this.#tools.run(name, options, work);
  }

  /** Passes on a streamed text and reports it in speakable parts. Parts that are not consumed are neither read nor reported. */
  async *output(pieces: AsyncIterable<string> | Iterable<string>, options?: OutputOptions): AsyncGenerator<string, void, void> {
    const output = this.#open(options);
    try {
      for await (const piece of pieces) {
        output.write(piece);
        yield piece;
      }
    } finally {
      output.finish();
    }
  }

  /** Reports a text or a whole stream, and returns the full text. */
  async say(words: string | AsyncIterable<string> | Iterable<string>, options?: OutputOptions): Promise<string> {
    let said = "";
    for await (const piece of this.output(typeof words === "string" ? [words] : words, options)) said += toDisplayText(piece);
    return said;
  }

  /**
   * Asks a person for permission and waits for the answer. An acceptance includes a permit, which `tool` takes for the requested action.
   * Rejects when the session is cancelled meanwhile.
   */
  confirm<const Options extends ConfirmOptions>(options: Options): Promise<Confirmed<CoverOf<Options>>> {
    return askConfirmation(this.#core, this.#asking, options) as Promise<Confirmed<CoverOf<Options>>>;
  }

  /** Asks a person for information and waits for the answer. */
  clarify<const Choice extends string, const Kind extends AaepResponseKind = "multiple_choice">(
    options: ChooseOptions<Choice, Kind>,
  ): Promise<Clarified<Responses<Choice>[Kind | "multiple_choice"]>>;
  clarify<const Kind extends OpenKind = "freetext">(options: ClarifyOptions<Kind>): Promise<Clarified<Responses[Kind]>>;
  clarify(options: ChooseOptions | ClarifyOptions): Promise<Clarified<string | boolean | number>> {
    return askClarification(this.#core, this.#asking, options);
  }

  /** Hands the work over and ends the session: as completed when the handoff is taken or unanswered, as cancelled when it is declined. */
  async handoff(options: HandoffOptions): Promise<HandoffOutcome> {
    const { reason, target, targetUri, context, urgency, summary, timeoutSeconds } = ownOptions(options);
    const acknowledged = await this.#asking.inTurn(async () => {
      if (this.#core.hasEnded) return undefined;
      const words = toCleanTextOr(reason, "The agent cannot go on alone.");
      this.#core.states.handsOff(summary);
      this.#handsOff = true;
      const payload = {
        reason: words,
        target_kind: toOneOf(target, TARGETS) ?? "human",
        target_uri: toUri(targetUri),
        packaged_context: toContext(context),
        urgency_for_handoff: toOneOf(urgency, LEVELS),
        ...toSummaryMembers(summary, words),
      };
      const written = this.#core.emit("handoff.requested", payload, { urgency: "critical" });
      const waitMs = (toWhole(timeoutSeconds, 0, DAY_SECONDS) ?? HANDOFF_SECONDS) * 1000;
      return written === undefined ? undefined : this.#core.ports.acknowledge(written, waitMs, this.#core.signal);
    });
    this.#core.signal.throwIfAborted();
    if (acknowledged === "declined") this.cancel({ by: "user", reason: "handoff_declined", summary: "Nobody takes over." });
    else this.end({ summary: acknowledged === "taken" ? "Handed over." : "Handed over; nobody has said that they take it." });
    return acknowledged ?? "unknown";
  }

  /** Ends the session as completed, once. Open parts are closed first. */
  end(options?: CompleteOptions): void {
    const { open } = this.#core.permits;
    if (open.length > 0) {
      this.cancel(toNotDone(open));
      return;
    }
    const facts = { duration_ms: toMs(this.#core.ports.elapsedMs() - this.#startedMs), tool_invocations_count: this.#tools.count };
    this.#finish("session.completed", toCompleted(options, facts));
  }

  /** Ends the session with an error: as cancelled if the error says so, for example an abort or a timeout. */
  fail(error: unknown, options?: FailOptions): void {
    const outcome = outcomeOfError(error, this.#core.signal);
    const message = toCleanTextOr(toErrorMessage(error), "It failed, and did not say why.");
    if (outcome !== "failed" || this.#handsOff) {
      // The session continues with its new owner, who would not learn of the failure.
      const reason = outcome === "failed" ? "failed_after_handoff" : undefined;
      this.cancel({ by: outcome === "timeout" ? "timeout" : "producer", reason, summary: ownOptions(options).summary ?? message });
      return;
    }
    this.#finish("session.errored", toErrored(message, options), { urgency: "critical" });
  }

  /** Cancels the session: aborts `signal` and withdraws open questions. */
  cancel(options?: CancelOptions): void {
    const { payload, message, isTimeout } = toCancelled(options);
    const callOff = () => this.#core.callOff(message, isTimeout ? "TimeoutError" : "AbortError");
    this.#finish("session.cancelled", payload, { callOff });
  }

  /** A session that goes out of scope without an end counts as cancelled: success is never assumed. */
  [Symbol.dispose](): void {
    if (!this.#isEnding) this.fail(new Error(LEFT), { summary: LEFT });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
  }

  #open(options: OutputOptions | undefined): SpokenOutput {
    const output = new SpokenOutput(this.#core, ownOptions(options), (over) => this.#outputs.delete(over));
    this.#outputs.add(output);
    return output;
  }

  /** Closes texts, tools and questions in this order; then no more events follow. */
  #finish(type: string, payload: Readonly<Record<string, unknown>>, { urgency, callOff }: Ending = {}): void {
    if (this.#isEnding) {
      this.#core.ports.ignored();
      return;
    }
    this.#isEnding = true;
    this.#unlisten();
    callOff?.();
    for (const output of [...this.#outputs]) output.finish();
    this.#tools.close();
    this.#asking.close();
    this.#core.tellLast(type, payload, { urgency: urgency ?? "normal" });
    this.#core.ports.hasEnded(this);
  }

  #listenTo(signal: AbortSignal | undefined): () => void {
    if (!(signal instanceof AbortSignal)) return () => {};
    const stop = () => {
      const message = toErrorMessage(signal.reason);
      this.cancel({ by: outcomeOfError(undefined, signal) === "timeout" ? "timeout" : "producer", summary: message });
    };
    if (signal.aborted) queueMicrotask(stop);
    signal.addEventListener("abort", stop, { once: true });
    return () => signal.removeEventListener("abort", stop);
  }
}

interface Ending {
  readonly urgency?: "critical";
  /** Called before open parts are closed, to stop their work. */
  readonly callOff?: () => void;
}

const RESERVED: ReadonlySet<string> = new Set(["idle", "calling_tool", "writing_output", "awaiting_input", "handing_off"]);
function readTools(tools: readonly string[] | undefined): readonly string[] | undefined {
  return Array.isArray(tools) && tools.length > 0 ? [...new Set(tools.slice(0, MAX_TOOLS).map(toToolName))] : undefined;
}
