import { describeActivity, type OfKind } from "@earshot/narrate";
import type { ProtocolName } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import { TERMINAL_VOICE } from "@earshot/terminal/narration-lines";
import type { FacetName, RunLane, StepKind } from "../step.ts";
import { CallJoiner } from "./call-joiner.ts";
import { DraftStep, type SharedTexts } from "./draft-step.ts";
import { OutputJoiner } from "./output-joiner.ts";
import { applyAnswer, type OpenRunQuestions } from "./questions.ts";
import { toDraftStep } from "./to-draft.ts";

/** Step kinds and facets that the user excludes from the comparison. */
export interface ExcludedParts {
  readonly kinds: ReadonlySet<StepKind>;
  readonly facets: ReadonlySet<FacetName>;
}

/** State shared by all lanes of a run. */
export interface RunShare {
  readonly holding: SharedTexts;
  readonly questions: OpenRunQuestions;
  /** Reserves room for one more step; false if the limit is reached. */
  readonly takeStep: () => boolean;
}

/** Collects the steps of one session as its activities arrive. */
export class LaneFold {
  readonly session: string;
  readonly protocol: ProtocolName;
  readonly steps: DraftStep[] = [];
  /** Sessions that it reports as started, with the number of its own preceding steps. */
  readonly children = new Map<string, number>();
  agent = "";
  parent: string | undefined;
  conversation: string | undefined;
  readonly #share: RunShare;
  readonly #calls: CallJoiner;
  readonly #outputs: OutputJoiner;
  readonly #subagents = new Map<string, DraftStep>();
  #speaker: string | undefined;
  #firstSpeaker: string | undefined;
  readonly #openQuestions: DraftStep[] = [];

  constructor(session: string, protocol: ProtocolName, share: RunShare) {
    this.session = session;
    this.protocol = protocol;
    this.#share = share;
    this.#calls = new CallJoiner(share.holding, share.questions, (step) => this.#add(step));
    this.#outputs = new OutputJoiner(share.holding, (step) => this.#add(step));
  }

  handle(activity: Activity): void {
    this.#hearEnvelope(activity);
    switch (activity.kind) {
      case "tool.requested":
      case "tool.started":
      case "tool.ended":
      case "tool.decided":
        this.#calls.handle(activity);
        break;
      case "output.chunk":
        this.#outputs.handle(activity);
        break;
      case "response":
      case "thought":
        if (activity.text !== "") this.#outputs.hearWhole(activity.kind, activity.text);
        break;
      case "request.asked":
        this.#ask(activity);
        break;
      case "request.answered":
        // Without a token, the answer belongs to the session's oldest open question.
        if (!this.#share.questions.answer(activity)) applyAnswer(this.#oldestOpenQuestion(), activity);
        break;
      case "subagent.started":
      case "subagent.ended":
        this.#hearSubagent(activity);
        break;
      default: {
        const step = toDraftStep(activity, this.#share.holding);
        if (step !== undefined) this.#add(step);
        // Some protocols state the goal with the opening, others after it.
        if (activity.kind === "session.opened" && activity.goal !== undefined) {
          const task = new DraftStep("task", "Goal", this.#share.holding);
          task.set("task", activity.goal, activity.workspace);
          this.#add(task);
        }
      }
    }
  }

  finish({ kinds, facets }: ExcludedParts, parent: RunLane["parent"]): RunLane {
    this.#outputs.end();
    for (const step of this.steps) {
      if (step.kind === "call") step.setOnce("outcome", "no outcome told");
      if (step.kind === "request") step.setOnce("answer", "no answer");
    }
    const steps = this.steps.filter(({ kind }) => !kinds.has(kind)).map((step) => step.finish(facets));
    return { session: this.session, protocol: this.protocol, agent: this.agent, steps, ...(parent === undefined ? {} : { parent }) };
  }

  #hearEnvelope({ agent, agentName, parent, conversation }: Activity): void {
    if (agent !== "") this.#speaker = agent;
    if (this.agent === "") this.agent = agentName ?? agent;
    this.conversation ??= conversation;
    if (parent !== undefined && parent.session !== "" && parent.session !== this.session) this.parent ??= parent.session;
  }

  #ask(activity: OfKind<"request.asked">): void {
    const step = new DraftStep("request", describeActivity(activity, TERMINAL_VOICE).title, this.#share.holding);
    step.set("request", activity.request);
    step.set("prompt", activity.prompt, activity.workspace);
    step.set("tool", activity.tool);
    this.#add(step);
    this.#openQuestions.push(step);
    this.#share.questions.ask(activity, step);
  }

  #oldestOpenQuestion(): DraftStep | undefined {
    while (this.#openQuestions[0]?.has("answer") === true) this.#openQuestions.shift();
    return this.#openQuestions[0];
  }

  #hearSubagent(activity: OfKind<"subagent.started" | "subagent.ended">): void {
    const { child, childAgent, callId } = activity;
    const name = child ?? callId ?? childAgent ?? "";
    const known = this.#subagents.get(name);
    const step = known ?? new DraftStep("subagent", `Subagent ${childAgent ?? ""}`.trim(), this.#share.holding);
    if (known === undefined) {
      if (child !== undefined && child !== this.session) this.children.set(child, this.steps.length);
      this.#subagents.set(name, step);
      this.#add(step);
    }
    step.setOnce("child", childAgent);
    if (activity.kind === "subagent.started") step.setOnce("goal", activity.goal, activity.workspace);
    else {
      step.set("outcome", activity.outcome);
      step.set("result", activity.result, activity.workspace);
      this.#subagents.delete(name); // the same name may be used again
    }
  }

  /** With several agents in one session, steps of agents other than the first carry the agent's name. */
  #add(step: DraftStep): void {
    if (!this.#share.takeStep()) return;
    this.#firstSpeaker ??= this.#speaker;
    if (this.#speaker !== this.#firstSpeaker) step.set("agent", this.#speaker);
    this.steps.push(step);
  }
}
