import { DescriptionWords, describeActivity, describeCall, type OfKind } from "@earshot/narrate";
import { isObject, type JsonValue } from "@earshot/protocol";
import { jsonInWords } from "@earshot/terminal/json-in-words";
import { TERMINAL_VOICE } from "@earshot/terminal/narration-lines";
import { normaliseName } from "../normalise.ts";
import { DraftStep, type SharedTexts } from "./draft-step.ts";
import type { OpenRunQuestions } from "./questions.ts";

const WORDS = new DescriptionWords(TERMINAL_VOICE);

const OUTCOMES = {
  succeeded: "succeeded",
  failed: "failed",
  denied: "was denied",
  cancelled: "was cancelled",
  timeout: "ran out of time",
  unknown: "ended, outcome unknown",
} as const;

export type JoinableActivity = OfKind<"tool.requested" | "tool.started" | "tool.ended" | "tool.decided">;

interface OpenCall {
  readonly step: DraftStep;
  readonly tool: string;
  isStarted: boolean;
}

/** Limit on open calls without an id; the oldest is dropped. */
const MAX_OPEN = 256;

/**
 * Joins the activities of one session's calls: by id, or without one to the oldest open call of the same tool. Calls of one tool are
 * assumed to end in the order in which they began.
 */
export class CallJoiner {
  readonly #holding: SharedTexts;
  readonly #questions: OpenRunQuestions;
  readonly #byId = new Map<string, DraftStep>();
  readonly #open: OpenCall[] = [];
  readonly #onNew: (step: DraftStep) => void;

  constructor(holding: SharedTexts, questions: OpenRunQuestions, onNew: (step: DraftStep) => void) {
    this.#holding = holding;
    this.#questions = questions;
    this.#onNew = onNew;
  }

  handle(activity: JoinableActivity): void {
    const step = this.#stepOf(activity);
    if (step === undefined) return;
    const { workspace } = activity;
    if (activity.kind === "tool.decided") {
      step.set("decision", activity.verdict);
      return;
    }
    // The request has the best name. Repeated members of the end only fill gaps.
    if (!step.has("tool") && activity.tool !== "") step.name = describeActivity(activity, TERMINAL_VOICE).title;
    step.setOnce("tool", activity.tool);
    step.setOnce("subject", activity.subject, workspace);
    step.setOnce("input", restOf(activity.input, activity.subject), workspace);
    if (activity.kind !== "tool.ended") return;
    step.set("outcome", OUTCOMES[activity.outcome]);
    step.set("result", activity.result ?? (activity.output === undefined ? undefined : jsonInWords(activity.output)), workspace);
    step.set("error", activity.error, workspace);
    step.set("code", activity.code);
  }

  #stepOf(activity: JoinableActivity): DraftStep | undefined {
    if (activity.kind === "tool.decided") return this.#byId.get(activity.callId ?? "") ?? this.#questions.callOf(activity);
    const step = this.#stepOfPart(activity);
    if (step !== undefined && activity.kind !== "tool.ended") this.#questions.mayBeDecided(activity, step);
    return step;
  }

  #stepOfPart(activity: Exclude<JoinableActivity, { kind: "tool.decided" }>): DraftStep | undefined {
    const { callId } = activity;
    if (callId !== undefined && callId !== "") {
      const step = this.#byId.get(callId) ?? this.#begin(activity);
      this.#byId.set(callId, step);
      return step;
    }
    const tool = normaliseName(activity.tool);
    if (activity.kind === "tool.ended") {
      const index = this.#open.findIndex((call) => call.tool === tool);
      return index < 0 ? this.#begin(activity) : this.#open.splice(index, 1)[0]?.step;
    }
    const requested = activity.kind === "tool.started" ? this.#open.find((call) => call.tool === tool && !call.isStarted) : undefined;
    if (requested !== undefined) {
      requested.isStarted = true;
      return requested.step;
    }
    const step = this.#begin(activity);
    this.#open.push({ step, tool, isStarted: activity.kind === "tool.started" });
    if (this.#open.length > MAX_OPEN) this.#open.shift();
    return step;
  }

  #begin({ tool }: { readonly tool: string }): DraftStep {
    const step = new DraftStep(
      "call",
      describeCall({ tool, state: "running", measured: false, marks: [] }, undefined, WORDS).title,
      this.#holding,
    );
    this.#onNew(step);
    return step;
  }
}

/** The whole input if it contains more than its subject. Members are sorted, so the result is independent of the producer. */
function restOf(input: JsonValue | undefined, subject: string | undefined): string | undefined {
  if (input === undefined || input === subject) return undefined;
  if (!isObject(input)) return jsonInWords(input);
  const members = Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1));
  if (members.length === 0 || (members.length === 1 && members[0]?.[1] === subject)) return undefined;
  return jsonInWords(Object.fromEntries(members));
}
