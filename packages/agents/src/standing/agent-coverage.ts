import type { AgentAnswers, HookAnswers, HookReply } from "../answers/answers.ts";
import type { Mapping, MappingEntry } from "../mapping/mapping.ts";
import { behaviorsOf, type FieldOrigin, findFieldOrigin, type HookBehaviors, type OriginOfField, pathsOfTexts } from "./field-origin.ts";

/** A requirement of AEP consumers, as the draft lists it, and the fields that satisfy it. */
interface Need {
  readonly name: string;
  readonly fields: readonly string[];
}

const NEEDS: readonly Need[] = [
  { name: "Event identity", fields: ["id", "type", "time"] },
  { name: "Agent identity", fields: ["agent.slug", "agent.display_name", "agent.version"] },
  {
    name: "Session and workspace",
    fields: ["session.id", "session.conversation_id", "session.turn_id", "user.email", "workspace.cwd", "workspace.roots"],
  },
  { name: "Correlation", fields: ["action.id", "response.request_event_id", "response.action_id"] },
  { name: "Invocation", fields: ["action.type", "action.input", "tool.name"] },
  { name: "Catalog identity", fields: ["tool.id", "tool.type", "tool.schema", "server.name", "server.url"] },
  {
    name: "Control response",
    fields: ["control.behavior", "control.message", "control.updated_input", "control.additional_context", "decision.reason"],
  },
  { name: "Execution result", fields: ["action.status", "action.output", "action.error", "metrics.duration_ms"] },
  { name: "Beyond tools", fields: ["prompt.submitted", "model.thought", "context.compacted", "subagent.start", "session.end"] },
];

/** Event fields reported for each hook: of any hook, of one about an action, of one about its outcome. */
const HOOK_FIELDS = {
  any: [...fieldsOf("Event identity"), ...fieldsOf("Agent identity"), ...fieldsOf("Session and workspace")],
  action: ["action.id", ...fieldsOf("Invocation"), ...fieldsOf("Catalog identity")],
  outcome: fieldsOf("Execution result"),
} as const;

function fieldsOf(name: string): readonly string[] {
  return NEEDS.find((need) => need.name === name)?.fields ?? [];
}

/** The fields an agent provides and the answers it understands, derived from its files. */
export interface AgentCoverage {
  readonly slug: string;
  readonly displayName: string;
  readonly gate: AgentAnswers["gate"];
  readonly needs: readonly NeedCoverage[];
  readonly hooks: readonly HookCoverage[];
  readonly ignored: Mapping["ignored"];
  readonly behaviors: readonly HookBehaviors[];
}

export interface NeedCoverage extends OriginOfField {
  readonly need: string;
  readonly field: string;
}

export interface HookCoverage {
  readonly hook: string;
  readonly types: readonly string[];
  readonly fields: Readonly<Record<FieldOrigin, readonly string[]>>;
}

export function coverageOf(mapping: Mapping, answers: AgentAnswers): AgentCoverage {
  const hooks = [...new Set(mapping.entries.flatMap((entry) => entry.hooks))];
  return {
    slug: mapping.agent,
    displayName: mapping.displayName ?? mapping.agent,
    gate: answers.gate,
    needs: NEEDS.flatMap(({ name, fields }) => fields.map((field) => ({ need: name, field, ...needStanding(field, mapping, answers) }))),
    hooks: hooks.map((hook) => hookCoverage(hook, mapping)),
    ignored: mapping.ignored,
    behaviors: behaviorsOf(answers),
  };
}

function hookCoverage(hook: string, { entries }: Mapping): HookCoverage {
  const own = entries.filter((entry) => entry.hooks.includes(hook));
  const types = [...new Set(own.map(({ type }) => type))];
  const asked: readonly string[] = [
    ...HOOK_FIELDS.any,
    ...(types.some((type) => type.startsWith("action.")) ? HOOK_FIELDS.action : []),
    ...(types.includes("action.completed") || types.includes("action.failed") ? HOOK_FIELDS.outcome : []),
  ];
  const standings = asked.map((field) => ({ field, standing: best(own.map((entry) => findFieldOrigin(field, entry))).standing }));
  const withStanding = (wanted: FieldOrigin) => standings.filter(({ standing }) => standing === wanted).map(({ field }) => field);
  return {
    hook,
    types,
    fields: { supplied: withStanding("supplied"), inferred: withStanding("inferred"), missing: withStanding("missing") },
  };
}

function needStanding(asked: string, { entries }: Mapping, answers: AgentAnswers): OriginOfField {
  // A response repeats the id of its action.
  const field = asked === "response.action_id" ? "action.id" : asked;
  if (field.startsWith("control.") || field === "decision.reason") return answerStanding(field, answers);
  const toldBy = entries.filter(({ type }) => type === field).flatMap(({ hooks }) => hooks);
  if (TYPES.has(field)) return toldBy.length === 0 ? MISSING : { standing: "supplied", from: [...new Set(toldBy)] };
  return best(entries.filter((entry) => isAskedOf(field, entry)).map((entry) => findFieldOrigin(field, entry)));
}

const TYPES: ReadonlySet<string> = new Set(NEEDS.find(({ name }) => name === "Beyond tools")?.fields);
const MISSING: OriginOfField = { standing: "missing", from: [] };

function isAskedOf(field: string, { type }: MappingEntry): boolean {
  const isAction = type.startsWith("action.");
  if ((HOOK_FIELDS.outcome as readonly string[]).includes(field)) return type === "action.completed" || type === "action.failed";
  return isAction || !(HOOK_FIELDS.action as readonly string[]).includes(field);
}

/** Supplied at one hook outranks inferred at all hooks. */
function best(standings: readonly OriginOfField[]): OriginOfField {
  for (const wanted of ["supplied", "inferred", "missing"] as const) {
    const found = standings.filter(({ standing }) => standing === wanted);
    if (found.length > 0) return { standing: wanted, from: [...new Set(found.flatMap(({ from }) => from))] };
  }
  return MISSING;
}

const ADDITIONS = {
  "control.updated_input": { text: "$updated_input", addition: (hook: HookAnswers) => hook.updatedInput },
  "control.additional_context": { text: "$additional_context", addition: (hook: HookAnswers) => hook.additionalContext },
} as const;

/** Where the agent's answers carry a member of the response. */
function answerStanding(field: string, { hooks }: AgentAnswers): OriginOfField {
  const gates = hooks.filter(({ moment }) => moment === "before_action" || moment === "permission");
  const asked = gates.length > 0 ? gates : hooks;
  const places = asked.flatMap((hook): readonly string[] => {
    if (field === "control.updated_input" || field === "control.additional_context") {
      const { text, addition } = ADDITIONS[field];
      return pathsOfTexts(addition(hook)?.stdout, [text]);
    }
    const replies = Object.values(hook.replies);
    if (field === "control.behavior") return replies.flatMap(sayings);
    return replies.flatMap((reply) => [
      ...pathsOfTexts(reply.stdout, ["$message", "$reason"]),
      ...(reply.stderr === undefined ? [] : ["standard error"]),
    ]);
  });
  return places.length === 0 ? MISSING : { standing: "supplied", from: [...new Set(places)] };
}

/** The fixed words in a reply, and a nonzero exit code. */
function sayings({ exit = 0, stdout }: HookReply): readonly string[] {
  return [...(exit === 0 ? [] : [`exit code ${exit}`]), ...wordPlaces(stdout)];
}

function wordPlaces(template: HookReply["stdout"], path = ""): readonly string[] {
  if (template === undefined) return [];
  if (typeof template !== "object" || template === null || Array.isArray(template)) {
    return typeof template === "string" && (template.startsWith("$") || path.endsWith("hookEventName")) ? [] : [path];
  }
  return Object.entries(template).flatMap(([name, inner]) => wordPlaces(inner, path === "" ? name : `${path}.${name}`));
}
