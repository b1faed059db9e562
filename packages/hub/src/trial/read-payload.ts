import { compileAnswers, compileMapping, mapPayload, recogniseSender } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";
import { POLICY_MOMENTS, type PolicyInput, readToolInput } from "@earshot/policy";
import { EarshotError, isObject, type JsonObject, type JsonValue, readJson } from "@earshot/protocol";
import { readHookEvent } from "../hooks/hook-event.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";

/**
 * The question a payload puts to the rules. The payload is an AEP or AAEP event, a coding agent's hook input (`tool_name`, `tool_input`,
 * `cwd`), or a plain question as described in docs/policy.md (`moment`, `tool`, `command` …).
 */
export function readPayload(text: string, registered?: string): PolicyInput {
  const read = readJson(text);
  if (!read.ok) throw unusable(`The payload is no JSON: ${read.problem.message}`);
  const { value } = read;
  if (!isObject(value)) throw unusable("The payload is no JSON object.");
  return askedIn(value, registered);
}

/** As `readPayload`, for a parsed payload. */
export function askedIn(value: JsonObject, registered?: string): PolicyInput {
  const asked = fromEvent(value) ?? fromHook(value, registered) ?? fromQuestion(value);
  if (asked === undefined) throw unusable("The payload asks nothing that a rule could speak about.");
  return asked;
}

const EXAMPLE = 'For example {"tool":"Bash","command":"git push --force","cwd":"/home/me/shop"}';

function unusable(message: string, hint = EXAMPLE): EarshotError {
  return new EarshotError({ code: "PAYLOAD_UNUSABLE", message, hint });
}

function fromEvent(value: JsonObject): PolicyInput | undefined {
  const { type } = value;
  if (typeof type !== "string" || (value["aep_version"] === undefined && !type.startsWith("aaep:"))) return undefined;
  return toRuleInput(type.replace(/^aaep:/, ""), value, false);
}

/**
 * Maps a hook payload as the gate does, so nothing is explained that the gate would not see. A payload without a hook name is treated as
 * one before an action.
 */
function fromHook(value: JsonObject, registered: string | undefined): PolicyInput | undefined {
  const { slug, by } = recogniseSender(value, registered === undefined ? {} : { registered });
  if (by === "shape" && typeof value["tool_name"] !== "string" && typeof value["hook_event_name"] !== "string") return undefined;
  const data = readShippedAgent(slug);
  if (data === undefined) return undefined;
  const mapping = compileMapping(data.mapping);
  const answers = compileAnswers(data.answers);
  const before = data.answers.hooks.find(({ moment }) => moment === "before_action")?.hooks[0];
  const { hook, events } = mapPayload(mapping, value, { hook: before, now: 0, ids: () => "evt" });
  const moment = hook === undefined ? undefined : answers.answersOf(hook)?.moment;
  for (const { event } of events) {
    const read = readHookEvent(event.type, event as unknown as JsonObject, { asksItself: moment === "permission", attended: true });
    if (read !== undefined) return read.put;
  }
  return undefined;
}

const TEXTS = ["agent", "session", "tool", "originalTool", "server", "skill", "command", "cwd"] as const;

function fromQuestion(value: JsonObject): PolicyInput | undefined {
  const moment = POLICY_MOMENTS.find((one) => one === (value["moment"] ?? "action"));
  if (moment === undefined) throw unusable(`There is no moment ${shortly(value["moment"])}.`, `One of ${POLICY_MOMENTS.join(", ")}.`);
  const texts = Object.fromEntries(TEXTS.flatMap((name) => (typeof value[name] === "string" ? [[name, value[name]]] : [])));
  if (Object.keys(texts).length === 0 && value["moment"] === undefined) return undefined;
  const { tool, cwd } = texts as { readonly tool?: string; readonly cwd?: string };
  const { input, risk, reversible, attended } = value;
  return {
    moment,
    ...(tool === undefined ? {} : readToolInput(tool, input, cwd)),
    ...(input === undefined ? {} : { input }),
    ...texts,
    ...(risk === "low" || risk === "medium" || risk === "high" ? { risk } : {}),
    ...(typeof reversible === "boolean" ? { reversible } : {}),
    ...(typeof attended === "boolean" ? { attended } : {}),
  };
}

function shortly(value: unknown): string {
  return (JSON.stringify(value) ?? "").slice(0, 80);
}

/** The question a recorded event puts to the rules, with secrets masked. Undefined when no agent waits for an answer. */
export function toRuleInput(type: string, value: JsonObject, asksItself: boolean): PolicyInput | undefined {
  if (type === "agent.awaiting.confirmation" || type === "agent.handoff.requested") return fromAaep(type, value);
  // Attendance is not recorded, so rules for unattended runs do not match.
  return readHookEvent(type, value, { asksItself, attended: true })?.put;
}

function fromAaep(type: string, value: JsonObject): PolicyInput {
  const { risk_level: risk, irreversible, reversibility, producer, session_id: session, action, reason } = value;
  const agent = isObject(producer) ? producer["agent_id"] : undefined;
  const said = action ?? reason;
  const isFinal = irreversible === true || reversibility === "irreversible";
  return {
    moment: type === "agent.handoff.requested" ? "handoff" : "confirmation",
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof session === "string" ? { session } : {}),
    ...(risk === "low" || risk === "medium" || risk === "high" ? { risk } : {}),
    ...(type === "agent.handoff.requested" ? {} : { reversible: !isFinal }),
    ...(typeof said === "string" ? { said } : {}),
  };
}

/** A recorded ask as it was given to the rules, with secrets masked. */
export interface RecordedAsk {
  readonly asked: PolicyInput;
  readonly source: string;
  readonly session: string;
}

/** The question of a request or of the entry at a position; undefined when no rule could apply to it. */
export async function findRecorded(
  ledger: Pick<Ledger, "read" | "requests">,
  wanted: { readonly request: string } | { readonly position: number },
): Promise<RecordedAsk | undefined> {
  const [request] =
    "request" in wanted ? await ledger.requests({ ids: [wanted.request], limit: 1 }) : await requestAt(ledger, wanted.position);
  const position = "position" in wanted ? wanted.position : request?.position;
  if (position === undefined) return undefined;
  const [entry] = (await ledger.read({ after: position - 1, limit: 1 })).entries;
  if (entry?.position !== position || entry.kind !== "event") return undefined;
  const asked = toRuleInput(entry.type, parseObject(entry.text) ?? {}, request !== undefined && momentOfRequest(request) === "permission");
  return asked === undefined ? undefined : { asked, source: entry.source, session: entry.session };
}

async function requestAt(ledger: Pick<Ledger, "requests">, position: number) {
  const [next] = await ledger.requests({ after: position - 1, limit: 1 });
  return next?.position === position ? [next] : [];
}

/** The moment of a request, from its card. */
export function momentOfRequest({ card }: StoredRequest): unknown {
  const asked = parseObject(card)?.["asked"];
  const facts = isObject(asked) ? asked["facts"] : undefined;
  return isObject(facts) ? facts["moment"] : undefined;
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // erased, or not of this version
  }
}
