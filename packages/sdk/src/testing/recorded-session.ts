import { createJudge, PROTOCOLS, readJson, type Severity } from "@earshot/protocol";
import { Session } from "../speech/session.ts";
import type { SessionOptions } from "../speech/session-options.ts";
import type { SessionPorts } from "../speech/session-ports.ts";

export interface RecordedEventLine {
  readonly type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly session_id: string;
  readonly parent_session_id?: string;
  readonly agent_id: string;
  readonly agent_version?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface RecordedSessions {
  readonly ports: SessionPorts;
  readonly lines: string[];
  readonly events: () => RecordedEventLine[];
  readonly ofType: (type: string) => RecordedEventLine[];
  readonly ignored: () => number;
  readonly beat: () => void;
  readonly start: (options?: SessionOptions) => Session;
}

/** Sessions whose lines are recorded, with a clock that advances by itself. */
export function recordSessions(overrides: Partial<SessionPorts> = {}): RecordedSessions {
  const lines: string[] = [];
  const beats = new Set<() => void>();
  let now = Date.UTC(2026, 0, 1);
  let ids = 0;
  let ignored = 0;
  const ports: SessionPorts = {
    agentId: "tester",
    agentVersion: "1.2.3",
    names: "documented",
    now: () => now++,
    elapsedMs: () => now,
    newId: () => String(++ids),
    put: (line) => lines.push(line),
    ignored: () => {
      ignored++;
    },
    dropped: () => 0,
    every(beat) {
      beats.add(beat);
      return () => beats.delete(beat);
    },
    hasEnded: () => {},
    open: (speaker, options) => new Session({ ...ports, ...speaker }, options),
    ...overrides,
  };
  const events = () => lines.map((line) => JSON.parse(line) as RecordedEventLine);
  return {
    ports,
    lines,
    events,
    ofType: (type) => events().filter((event) => event.type === type),
    ignored: () => ignored,
    beat: () => {
      for (const beat of beats) beat();
    },
    start: (options) => new Session(ports, options),
  };
}

/** The checker's findings with these severities. */
export function findingsIn(lines: readonly string[], severities: readonly Severity[] = ["error", "warning"]): string[] {
  const { aop } = PROTOCOLS;
  const told: string[] = [];
  const judge = createJudge(aop, { tell: ({ finding }) => told.push(finding.rule) });
  lines.forEach((line, index) => {
    const read = readJson(line);
    if (!read.ok) told.push(read.problem.code);
    else judge.handle(aop.read(read.value as Parameters<typeof aop.read>[0], read.facts), index + 1, read.facts);
  });
  judge.end();
  return told.filter((rule) => severities.includes(aop.rules[rule]?.severity ?? "error"));
}
