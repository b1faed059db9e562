import type { Attendance, Question, QuestionReply } from "@earshot/aaep/speaking";
import { createJudge, PROTOCOLS, readJson, type Severity } from "@earshot/protocol";
import { AaepSession } from "../aaep/aaep-session.ts";
import { AgentQuestions } from "../aaep/agent-questions.ts";
import type { AaepSessionOptions } from "../aaep/session-options.ts";
import type { AaepSessionPorts } from "../aaep/session-ports.ts";

export interface RecordedEvent {
  readonly type: string;
  readonly event_id: string;
  readonly session_id: string;
  readonly timestamp: string;
  readonly urgency: string;
  readonly localization_hints: { readonly primary_language: string };
  readonly [member: string]: unknown;
}

const SOMEBODY: Attendance = { confirmations: 1, clarifications: 1 };
const NOBODY: Attendance = { confirmations: 0, clarifications: 0 };
const SETTLING_TURNS = 6;

/** Sessions whose events and replies are recorded in order, with a manual clock. */
export class RecordedAaep {
  /** Events and messages as lines. */
  readonly lines: string[] = [];
  readonly asked: Question[] = [];
  readonly desk: AgentQuestions;
  readonly ports: AaepSessionPorts;
  ignored = 0;
  #ids = 0;
  #ms = 0;
  #timers = new Map<object, { readonly at: number; readonly call: () => void }>();

  constructor({ isAttended = true }: { readonly isAttended?: boolean } = {}) {
    this.desk = new AgentQuestions({
      elapsedMs: () => this.#ms,
      after: (ms, call) => {
        const key = {};
        this.#timers.set(key, { at: this.#ms + ms, call });
        return () => this.#timers.delete(key);
      },
    });
    this.attend(isAttended);
    this.#shakeHands(isAttended);
    this.ports = {
      producer: { agent_id: "tester", agent_version: "1.2.3" },
      language: "en",
      now: () => this.nowMs,
      elapsedMs: () => this.#ms,
      newId: (prefix) => `${prefix}_${++this.#ids}`,
      put: ({ text }) => this.lines.push(text),
      ignored: () => {
        this.ignored++;
      },
      ask: (question, _written, hear) => {
        this.asked.push(question);
        this.desk.ask(question, hear);
      },
      withdraw: (token) => this.desk.withdraw(token),
      acknowledge: async () => undefined,
      turn: () => turns(1),
      hasEnded: () => {},
    };
  }

  get nowMs(): number {
    return Date.UTC(2026, 0, 1) + this.#ms;
  }

  start(options: Partial<AaepSessionOptions> = {}, overrides: Partial<AaepSessionPorts> = {}): AaepSession {
    return new AaepSession({ ...this.ports, ...overrides }, { summary: "Looking into it.", ...options });
  }

  attend(isAttended: boolean): void {
    this.desk.attend("test", isAttended ? SOMEBODY : NOBODY);
  }

  /** Records a reply, then delivers it to the agent. */
  reply(reply: QuestionReply): void {
    this.lines.push(JSON.stringify(reply));
    this.desk.reply(reply);
  }

  decide(token: string, decision: "accept" | "reject", more: Readonly<Record<string, unknown>> = {}): void {
    const timestamp = new Date(this.nowMs).toISOString();
    this.reply({ type: "confirmation.reply", reply_token: token, decision, subscription_id: "sub_1", timestamp, ...more });
  }

  respond(token: string, response: string | boolean | number): void {
    const timestamp = new Date(this.nowMs).toISOString();
    this.reply({ type: "clarification.reply", reply_token: token, response, subscription_id: "sub_1", timestamp });
  }

  /** Advances the clock and runs what becomes due. */
  async pass(ms: number): Promise<void> {
    const until = this.#ms + ms;
    for (;;) {
      await this.settle();
      const due = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, one], [, other]) => one.at - other.at)[0];
      if (due === undefined) break;
      const [key, { at, call }] = due;
      this.#timers.delete(key);
      this.#ms = Math.max(this.#ms, at);
      call();
    }
    this.#ms = until;
    await this.settle();
  }

  settle(): Promise<void> {
    return turns(SETTLING_TURNS);
  }

  /** Waits until this many questions were asked. */
  async question(index = this.asked.length): Promise<Question> {
    for (let turn = 0; turn < 1000; turn++) {
      const question = this.asked[index];
      if (question !== undefined) return question;
      await turns(1);
    }
    throw new Error("Nothing was asked.");
  }

  events(): RecordedEvent[] {
    return this.lines.map((line) => JSON.parse(line) as RecordedEvent).filter((one) => one.event_id !== undefined);
  }

  ofType(type: string): RecordedEvent[] {
    return this.events().filter((event) => event.type === `aaep:agent.${type}`);
  }

  types(): string[] {
    return this.events().map(({ type, from_state: from, to_state: to }) => {
      const name = type.replace("aaep:agent.", "");
      return from === undefined ? name : `${String(from)}→${String(to)}`;
    });
  }

  #shakeHands(isAttended: boolean): void {
    const capabilities = { supports_confirmation_reply: isAttended, supports_clarification_reply: isAttended };
    const request = { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "test", capabilities };
    const accepted = {
      type: "subscription.accepted",
      subscription_id: "sub_1",
      aaep_version: "1.0.0",
      producer: { agent_id: "tester" },
      honored_capabilities: capabilities,
    };
    this.lines.push(JSON.stringify(request), JSON.stringify(accepted));
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The checker's findings about the agent's events in these lines. Findings about replies concern the person. */
export function aaepFindingsIn(lines: readonly string[], severities: readonly Severity[] = ["error", "warning", "info"]): string[] {
  const { aaep } = PROTOCOLS;
  const told: string[] = [];
  const isReply = (line: string) => line.includes('.reply","reply_token"');
  const judge = createJudge(aaep, {
    tell: ({ finding, at }) => {
      if (!severities.includes(aaep.rules[finding.rule]?.severity ?? "error") || isReply(lines[at - 1] ?? "")) return;
      told.push(`${finding.rule}: ${finding.message}`);
    },
  });
  lines.forEach((line, index) => {
    const read = readJson(line);
    if (!read.ok) told.push(read.problem.code);
    else judge.handle(aaep.read(read.value as Parameters<typeof aaep.read>[0], read.facts), index + 1, read.facts);
  });
  judge.end();
  return told;
}
