import { boundText } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { FindingOfSession } from "../live.ts";
import type { ProtocolReading, TracedFinding } from "../protocol.ts";
import type { BeyondSessions } from "../recorded.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { payloadOf } from "./aliases.ts";
import { child, ended, FAMILY, run, spawn, started, thought } from "./example-events.ts";
import { OPERATIONS } from "./sections.ts";
import type { ReceivedSession } from "./session.ts";

const ANY = ["*"];
const SPAWN = "operation.agent_spawn";

export const TREE_RULES = {
  "aop/spawn-agrees": defineRule(["warning", "recording", 0, OPERATIONS, [SPAWN]], {
    title: "`operation.agent_spawn` and the child's own events agree on parent, agent and goal.",
    hint: "Hand the child the session id, agent id and goal that were announced. The child's own word counts.",
    examples: () => ({
      passes: FAMILY,
      fails: [
        started(),
        spawn(2),
        child(started(1, { goal: "Read the page" }), { parent_session_id: "s9" }),
        child(ended(2), { parent_session_id: "s9" }),
        ended(3),
      ],
    }),
  }),
  "aop/spawned-child-speaks": defineRule(["info", "recording", 0, OPERATIONS, [SPAWN]], {
    title: "A session announced by `operation.agent_spawn` is heard from.",
    hint: "Perhaps the child did not start, reports elsewhere, or was given another session id.",
    examples: () => ({ passes: FAMILY, fails: run(spawn(2)) }),
  }),
  "aop/tree-has-no-cycle": defineRule(["warning", "recording", 0, OPERATIONS, ANY], {
    title: "No session is its own ancestor.",
    hint: "Follow `parent_session_id` upwards: one of the links points down. The link is ignored.",
    oncePerSession: true,
    examples: () => ({
      passes: FAMILY,
      fails: [started(), child(started()), { ...thought(2), parent_session_id: "s2" }, child(ended(2)), ended(3)],
    }),
  }),
} as const;

/** A parent's announcement of a child session. */
interface Spawn {
  readonly parentId: string;
  readonly agentId: string | null;
  readonly goal: string | null;
  readonly at: number;
  heard: boolean;
}

/** The facts a session has given about itself. */
interface KnownFacts {
  readonly agentId: string | null;
  readonly parentId: string | null;
  readonly goal: string | null;
}

const NO_FACTS: KnownFacts = { agentId: null, parentId: null, goal: null };
const MAX_SPAWNS = 16_384;
const MAX_ANCESTORS = 64;

/**
 * Sessions form a tree, reported from both sides: by the parent's `operation.agent_spawn` and by the child's `parent_session_id`. Either
 * may come first or alone. Each fact is compared once, when the later of the two arrives, so the order of arrival does not matter. Above
 * the bound, the oldest announcement is forgotten.
 */
export class SpawnTree implements BeyondSessions<ReceivedSession> {
  readonly audience = undefined;
  readonly #spawns = new Map<string, Spawn>();
  readonly #facts = new WeakMap<ReceivedSession, KnownFacts>();
  readonly #find: (sessionId: string) => ReceivedSession | number | undefined;
  #forgotten = 0;

  constructor(find: (sessionId: string) => ReceivedSession | number | undefined) {
    this.#find = find;
  }

  before(): readonly [] {
    return [];
  }

  excuses(): boolean {
    return false;
  }

  after(sessionId: string, session: ReceivedSession, reading: ProtocolReading | undefined, at: number): readonly FindingOfSession[] {
    const { life } = session;
    const before = this.#facts.get(session);
    let findings: Finding[] | undefined;
    if (before === undefined) this.#heard(sessionId);
    if (before === undefined || life.parentId !== before.parentId || life.agentId !== before.agentId || life.goal !== before.goal) {
      const { parentId, agentId, goal } = life;
      this.#facts.set(session, { parentId, agentId, goal });
      findings = this.#learn(sessionId, before ?? NO_FACTS, life);
    }
    if (reading?.type === "operation.agent_spawn") findings = [...(findings ?? []), ...this.#spawn(reading, at)];
    return findings?.map((finding) => ({ finding, at: reading === undefined ? life.lastAt : at })) ?? [];
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  #spawn(reading: ProtocolReading, at: number): readonly Finding[] {
    const payload = payloadOf(reading.value);
    const childId = payload["child_session_id"];
    const parentId = reading.sessionId;
    if (typeof childId !== "string" || childId === "" || childId.length > 256 || parentId === undefined) return [];
    const agentId = typeof payload["child_agent_id"] === "string" ? payload["child_agent_id"] : null;
    const goal = typeof payload["goal"] === "string" ? boundText(payload["goal"]) : null;
    const before = this.#spawns.get(childId);
    if (before !== undefined && before.parentId !== parentId) {
      const message = `Session ${quoteJsonValue(childId)} was announced by ${quoteJsonValue(before.parentId)} before.`;
      return [{ rule: "aop/spawn-agrees", pointer: "/payload/child_session_id", since: before.at, message }];
    }
    if (childId === parentId) {
      const message = `Session ${quoteJsonValue(childId)} announces itself as its child.`;
      return [{ rule: "aop/spawn-agrees", pointer: "/payload/child_session_id", message }];
    }
    const spawn: Spawn = {
      parentId,
      agentId: agentId === null ? null : boundText(agentId),
      goal,
      at,
      heard: this.#find(childId) !== undefined,
    };
    if (before === undefined) this.#keep(childId, spawn);
    const child = this.#lifeOf(childId);
    if (child === undefined) return [];
    const findings: Finding[] = [];
    compareParent(spawn, child.parentId, child.firstAt, findings);
    compareAgent(spawn, child.agentId, child.firstAt, findings);
    compareGoal(spawn, child.goal, child.startedAt, findings);
    return findings;
  }

  /** The first event of a session has arrived. */
  #heard(sessionId: string): void {
    if (this.#spawns.size === 0) return;
    const spawn = this.#spawns.get(sessionId);
    if (spawn !== undefined) spawn.heard = true;
  }

  /** A session has given more facts about itself. */
  #learn(sessionId: string, before: KnownFacts, now: KnownFacts): Finding[] {
    const findings: Finding[] = [];
    const spawn = this.#spawns.get(sessionId);
    if (spawn !== undefined) {
      if (before.parentId === null) compareParent(spawn, now.parentId, spawn.at, findings);
      if (before.agentId === null) compareAgent(spawn, now.agentId, spawn.at, findings);
      if (before.goal === null) compareGoal(spawn, now.goal, spawn.at, findings);
    }
    if (before.parentId === null && now.parentId !== null && this.#descendsFromItself(sessionId, now.parentId)) {
      const message = `Session ${quoteJsonValue(sessionId)} is an ancestor of its parent ${quoteJsonValue(now.parentId)}.`;
      findings.push({ rule: "aop/tree-has-no-cycle", pointer: "/parent_session_id", message });
    }
    return findings;
  }

  /** At the end of the recording: reports announced children without events. */
  *#silent(): Generator<Omit<TracedFinding, "eventId">> {
    for (const [childId, spawn] of this.#spawns) {
      if (spawn.heard) continue;
      const message = `Session ${quoteJsonValue(childId)} was announced and never heard.`;
      const finding: Finding = { rule: "aop/spawned-child-speaks", pointer: "/payload/child_session_id", message };
      yield { sessionId: spawn.parentId, at: spawn.at, finding };
    }
  }

  end(): readonly Omit<TracedFinding, "eventId">[] {
    return [...this.#silent()];
  }

  #lifeOf(sessionId: string): ReceivedSession["life"] | undefined {
    const found = this.#find(sessionId);
    return typeof found === "object" ? found.life : undefined;
  }

  #keep(childId: string, spawn: Spawn): void {
    if (this.#spawns.size >= MAX_SPAWNS) {
      const oldest = this.#spawns.keys().next();
      if (!oldest.done) this.#spawns.delete(oldest.value);
      this.#forgotten++;
    }
    this.#spawns.set(childId, spawn);
  }

  #descendsFromItself(sessionId: string, parentId: string): boolean {
    let ancestor: string | null = parentId;
    for (let depth = 0; depth < MAX_ANCESTORS && ancestor !== null; depth++) {
      if (ancestor === sessionId) return true;
      ancestor = this.#lifeOf(ancestor)?.parentId ?? null;
    }
    return false;
  }
}

function compareParent(spawn: Spawn, parentId: string | null, since: number, findings: Finding[]): void {
  if (parentId === null || parentId === spawn.parentId) return;
  const message = `The child names ${quoteJsonValue(parentId)} as its parent; ${quoteJsonValue(spawn.parentId)} announced it.`;
  findings.push({ rule: "aop/spawn-agrees", since, message });
}

function compareAgent(spawn: Spawn, agentId: string | null, since: number, findings: Finding[]): void {
  if (agentId === null || spawn.agentId === null || agentId === spawn.agentId) return;
  const message = `The child calls its agent ${quoteJsonValue(agentId)}; ${quoteJsonValue(spawn.agentId)} was announced.`;
  findings.push({ rule: "aop/spawn-agrees", since, message });
}

function compareGoal(spawn: Spawn, goal: string | null, since: number, findings: Finding[]): void {
  if (goal === null || spawn.goal === null || goal === spawn.goal) return;
  findings.push({
    rule: "aop/spawn-agrees",
    since,
    message: `The child's goal is ${quoteJsonValue(goal)}; ${quoteJsonValue(spawn.goal)} was announced.`,
  });
}
