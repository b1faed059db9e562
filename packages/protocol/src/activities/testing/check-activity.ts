import { isObject, type JsonObject } from "../../json.ts";
import { PROTOCOLS } from "../../protocols.ts";
import type { ProtocolName } from "../../rule.ts";
import type { Activity } from "../activity.ts";
import { readActivities } from "../read-activities.ts";

const FACTS = { depth: 1, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 0, bodyHash: 0 };

/** Reads an event with the protocol's own reader, as the hub does. */
export function activitiesOfEvent(protocol: ProtocolName, event: JsonObject): readonly Activity[] {
  const { value, sessionId, agentId, type, kind } = PROTOCOLS[protocol].read(event, FACTS);
  return readActivities(protocol, value, { session: sessionId ?? "", agent: agentId ?? "", type, kind });
}

/** The activities of an event, without the members they share. */
export function meaningOfEvent(protocol: ProtocolName, event: JsonObject): readonly Readonly<Record<string, unknown>>[] {
  return activitiesOfEvent(protocol, event).map(
    ({ protocol: _protocol, type: _type, session: _session, agent: _agent, at: _at, eventId: _id, ...rest }) => rest,
  );
}

type Everything = Activity extends infer Each ? (Each extends unknown ? keyof Each : never) : never;
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string" && value !== "";
const anyText: Check = (value) => typeof value === "string";
const amount: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const yesNo: Check = (value) => typeof value === "boolean";
const one =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);
const list =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const members =
  (checks: Readonly<Record<string, Check>>, ...required: readonly string[]): Check =>
  (value) =>
    isObject(value) &&
    required.every((name) => value[name] !== undefined) &&
    Object.entries(value).every(([name, member]) => Object.hasOwn(checks, name) && checks[name]?.(member));
const given: Check = (value) => value !== undefined && value !== null;

const counts = one("total", "delta");
const presumed = one(true);
const level = one("low", "medium", "high");

/** The form of each member, whatever the kind; a name has one meaning only. The compiler requires an entry for each. */
const CHECKS: Readonly<Record<Everything, Check>> = {
  protocol: one("aaep", "aep", "aop"),
  type: text,
  session: anyText,
  agent: anyText,
  agentName: text,
  eventId: text,
  at: text,
  kind: text,
  parent: members({ session: text, relation: one("subagent", "fork", "resume", "continuation"), callId: text }, "session"),
  conversation: text,
  turn: text,
  workspace: text,
  model: text,
  provider: text,
  tokens: members(
    { counts, presumed, input: amount, output: amount, total: amount, cacheRead: amount, cacheWrite: amount, reasoning: amount },
    "counts",
  ),
  costUsd: members({ value: amount, counts, presumed }, "value", "counts"),
  context: members({ tokens: amount, limit: amount, percent: amount }),
  summary: text,
  summaries: members({ terse: text, normal: text, detailed: text }),
  urgency: one("background", "normal", "critical"),
  language: text,
  attachments: list(members({ type: text, name: text, mimeType: text, url: text, sizeBytes: amount })),
  metadata: isObject,
  goal: text,
  version: text,
  resumed: yesNo,
  source: text,
  requestedBy: text,
  tools: list(anyText),
  expectedMs: amount,
  code: text,
  category: text,
  recoverable: yesNo,
  hint: text,
  outcome: text,
  error: text,
  steps: amount,
  calls: amount,
  durationMs: amount,
  reason: text,
  by: text,
  result: anyText,
  resultUri: text,
  from: text,
  to: anyText,
  percent: amount,
  step: amount,
  remainingMs: amount,
  text: anyText,
  style: text,
  truncated: yesNo,
  originalLength: amount,
  confidence: level,
  next: text,
  status: (value) => text(value) || amount(value),
  parentGoal: text,
  alternatives: list(anyText),
  why: text,
  outputId: text,
  position: amount,
  last: yesNo,
  contentType: text,
  of: one("response", "thought"),
  boundary: text,
  callId: text,
  tool: anyText,
  toolTitle: text,
  toolKind: one("tool", "skill", "subagent", "other"),
  server: text,
  subject: text,
  input: given,
  risk: level,
  reversible: yesNo,
  note: text,
  requestEventId: text,
  verdict: one("approved", "denied", "asked", "deferred", "abstained", "unknown"),
  behavior: text,
  message: anyText,
  policy: text,
  newInput: given,
  addedContext: text,
  afterMs: amount,
  description: text,
  output: given,
  request: one("confirmation", "clarification", "permission", "handoff"),
  token: text,
  prompt: anyText,
  consequence: text,
  background: text,
  choices: list(anyText),
  choiceValues: list(anyText),
  accepts: list(anyText),
  timeoutMs: amount,
  byDefault: text,
  answer: anyText,
  change: given,
  targetKind: text,
  priority: text,
  briefing: isObject,
  child: text,
  childAgent: anyText,
  operation: one("read", "write", "delete"),
  key: text,
  method: text,
  target: anyText,
  trigger: text,
  path: text,
  items: list(members({ text: anyText, status: text }, "text")),
  level: text,
  topic: text,
  data: isObject,
};

/** Required members of a kind. */
const REQUIRED: Partial<Record<Activity["kind"], readonly string[]>> = {
  "session.closed": ["outcome"],
  state: ["to"],
  thought: ["text"],
  goal: ["text"],
  decision: ["text"],
  uncertainty: ["text"],
  prompt: ["text"],
  response: ["text"],
  "output.chunk": ["text", "last"],
  "tool.requested": ["tool"],
  "tool.decided": ["verdict"],
  "tool.started": ["tool"],
  "tool.ended": ["tool", "outcome"],
  "request.asked": ["request", "prompt"],
  "request.answered": ["answer"],
  "external.call": ["target"],
  plan: ["items"],
  notification: ["text"],
  error: ["message"],
};

/** Checks at run time the form that the types promise, because a reader builds activities from arbitrary input. */
export function checkActivity(activity: Activity, where: string): void {
  for (const name of ["protocol", "type", "session", "agent", ...(REQUIRED[activity.kind] ?? [])]) {
    if (!Object.hasOwn(activity, name)) throw new Error(`${where}: ${activity.kind} without ${name}`);
  }
  for (const [name, value] of Object.entries(activity)) {
    const check: Check | undefined = Object.hasOwn(CHECKS, name) ? CHECKS[name as Everything] : undefined;
    if (check?.(value) !== true) throw new Error(`${where}: ${activity.kind}.${name} is ${String(JSON.stringify(value)).slice(0, 200)}`);
  }
}
