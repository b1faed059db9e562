import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { pointerTo } from "../problem.ts";
import type { ReadingFacts } from "../protocol.ts";
import { defineRule } from "../rule.ts";
import { jsonKindOf, quoteJsonValue } from "../schema.ts";
import { findSecret } from "../secrets.ts";
import { readTimestamp } from "../timestamp.ts";
import { AOP_ALIASES, AOP_NUMBERS, type AopType, type FieldAlias, readHome, readSpelling, type Spelling } from "./aliases.ts";
import { CALL, event, payloadPair, run, started, thought, toolEnd } from "./example-events.ts";
import { COST, EVENT_TYPES_PAGE, OPERATIONS, SECURITY } from "./sections.ts";
import { judgeTypeName } from "./type-name.ts";

const ANY = ["*"];
const ENDED = "session.ended";
const START = "operation.tool_start";
const END = "operation.tool_end";

export const NOTES_RULES = {
  "aop/cost-is-a-number": defineRule(["error", "event", 0, COST, [ENDED, END, "session.heartbeat"]], {
    title: "Costs, tokens and steps are numbers.",
    hint: "Send a number, or leave it out while it is unknown.",
    examples: () => ({
      passes: [started(), event(2, "session.ended", { outcome: "completed", metadata: { total_cost_usd: 0.02 } })],
      fails: [started(), event(2, "session.ended", { outcome: "completed", metadata: { total_cost_usd: "$0.02" } })],
    }),
  }),
  "aop/cost-not-negative": defineRule(["warning", "event", 0, COST, [ENDED, END, "session.heartbeat", "operation.external_call"]], {
    title: "Costs, tokens, steps and durations are not negative.",
    hint: "The number was ignored. Send what this call or session used: zero or more.",
    examples: () => ({
      passes: run(event(2, "session.heartbeat", { status: "running", token_spend: 1200 })),
      fails: run(event(2, "session.heartbeat", { status: "running", token_spend: -1 })),
    }),
  }),
  "aop/alias-used": defineRule(["info", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Payload members have their documented names.",
    hint: "It was understood. Readers that know only the documented name will miss it.",
    oncePerSession: true,
    examples: () => payloadPair("cognition.thought", { content: "Hm." }, { reasoning: "Hm." }),
  }),
  "aop/alias-agrees": defineRule(["warning", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "A field sent under two names has one value.",
    hint: "The documented name was believed. Send the same value under both names, or only the documented one.",
    examples: () => payloadPair("operation.memory", { operation: "read", action: "read" }, { operation: "read", action: "write" }),
  }),
  "aop/input-is-an-object": defineRule(["info", "event", 0, OPERATIONS, [START]], {
    title: "The `input` of a tool call is an object.",
    hint: 'Name the arguments: "input": {"query": "…"} instead of bare text or a list.',
    oncePerSession: true,
    examples: () => ({
      passes: CALL,
      fails: run(thought(2), event(3, "operation.tool_start", { tool_name: "search", tool_call_id: "c1", input: "price" }), toolEnd(4)),
    }),
  }),
  "aop/payload-without-secrets": defineRule(["error", "event", 0, SECURITY, ANY], {
    title: "Payloads hold no credentials.",
    hint: "Every reader of the recording can use it. Withdraw the credential, and redact or summarise such values before sending.",
    examples: () =>
      payloadPair("cognition.thought", { content: "I use the key from the vault." }, { content: "I use the key AKIAIOSFODNN7EXAMPLE." }),
  }),
} as const;

/**
 * Checks beyond the schema for one event: impossible dates, minus zero, aliases, negative costs, likely misspelled types, credentials.
 * Returns the shared empty list if there is nothing to report, which is the usual case.
 */
export function noteEvent(event: JsonObject, known: AopType | undefined, fits: boolean, { hasNoSecret }: ReadingFacts): readonly Finding[] {
  let notes: Finding[] | undefined;
  const { spec, timestamp, type, payload } = event;
  if (spec !== "aop/1.0") notes = noteSpec(spec, notes);
  // Valid JSON, and a schema accepts it as 0, but no counter produces it.
  if (Object.is(event["sequence"], -0)) {
    notes = add(notes, {
      rule: "aop/envelope-sequence",
      pointer: "/sequence",
      message: "`sequence` is -0, which is no number to count with.",
    });
  }
  if (typeof timestamp === "string") notes = noteTimestamp(timestamp, fits, notes);
  const parent = event["parent_session_id"];
  if (typeof parent === "string" && parent === event["session_id"]) {
    notes = add(notes, {
      rule: "aop/parent-not-itself",
      pointer: "/parent_session_id",
      message: `Session ${quoteJsonValue(parent)} says that it is its own parent.`,
    });
  }
  if (typeof type !== "string") return notes ?? NO_FINDINGS;
  if (known !== undefined) {
    if (isObject(payload)) notes = notePayload(known, event, payload, notes);
  } else if (type !== "") {
    const finding = judgeTypeName(type);
    if (finding !== undefined) notes = add(notes, finding);
  }
  const secret = hasNoSecret !== true && isObject(payload) ? findSecret(payload) : undefined;
  if (secret !== undefined) {
    notes = add(notes, {
      rule: "aop/payload-without-secrets",
      pointer: `/payload${secret.pointer}`,
      message: `A value seems to contain a secret (${secret.name}).`,
    });
  }
  return notes ?? NO_FINDINGS;
}

function noteSpec(spec: JsonValue | undefined, notes: Finding[] | undefined): Finding[] | undefined {
  // A third version number only counts corrections of the document.
  if (typeof spec !== "string" || !/^aop\/1(?:\.|$)/.test(spec) || /^aop\/1\.0\.[0-9]+$/.test(spec)) return notes;
  return add(notes, { rule: "aop/spec-minor", pointer: "/spec", message: `${quoteJsonValue(spec)} was read as "aop/1.0".` });
}

function noteTimestamp(timestamp: string, fits: boolean, notes: Finding[] | undefined): Finding[] | undefined {
  const instant = readTimestamp(timestamp);
  if (instant === undefined) {
    // The schema has already reported everything except impossible days and hours.
    if (!fits && !LOOKS_RIGHT.test(timestamp)) return notes;
    return add(notes, {
      rule: "aop/envelope-timestamp",
      pointer: "/timestamp",
      message: `${quoteJsonValue(timestamp)} is no instant that exists.`,
    });
  }
  if (instant.utc && instant.fractionDigits >= 3) return notes;
  const message = instant.utc ? `${quoteJsonValue(timestamp)} has no milliseconds.` : `${quoteJsonValue(timestamp)} is not in UTC.`;
  return add(notes, { rule: "aop/timestamp-utc-milliseconds", pointer: "/timestamp", message });
}

/** The fraction is bounded: V8 overflows its stack on an unbounded one of millions of digits. */
const LOOKS_RIGHT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,100})?(Z|[+-]\d{2}:\d{2})$/;

function notePayload(type: AopType, event: JsonObject, payload: JsonObject, before: Finding[] | undefined): Finding[] | undefined {
  let notes = before;
  const aliases = AOP_ALIASES[type];
  for (let index = 0; index < aliases.length; index++) notes = noteAlias(aliases[index] as FieldAlias, payload, notes);
  const amounts = AOP_NUMBERS[type];
  if (amounts !== undefined) for (const name of amounts) notes = noteAmount(name, payload, notes);
  if (type === "operation.tool_end" || type === "operation.external_call") {
    for (const name of DURATIONS) {
      const value = payload[name];
      if (isBelowZero(value)) notes = add(notes, amountNote(`/payload/${name}`, name, value));
    }
  } else if (type === "operation.tool_start") {
    const { input } = payload;
    if (input !== undefined && !isObject(input)) {
      notes = add(notes, { rule: "aop/input-is-an-object", pointer: "/payload/input", message: `\`input\` is ${jsonKindOf(input)}.` });
    }
  } else if (type === "session.started") {
    const inner = payload["agent_version"];
    const outer = event["agent_version"];
    if (typeof inner === "string" && typeof outer === "string" && inner !== outer) {
      notes = add(notes, {
        rule: "aop/alias-agrees",
        pointer: "/agent_version",
        message: `\`agent_version\` is ${quoteJsonValue(outer)} in the envelope and ${quoteJsonValue(inner)} in the payload.`,
        hint: "The payload was believed. Send the same version in both places.",
      });
    }
  }
  return notes;
}

const DURATIONS = ["duration_ms", "latency_ms"] as const;

function noteAlias(entry: FieldAlias, payload: JsonObject, before: Finding[] | undefined): Finding[] | undefined {
  let notes = before;
  const documented = readHome(entry, payload);
  for (let index = 0; index < entry.others.length; index++) {
    const spelling = entry.others[index] as Spelling;
    const other = readSpelling(spelling.names, payload);
    if (other === undefined) continue;
    if (documented === undefined) {
      notes = add(notes, usedNote(entry, spelling));
    } else if (spelling.compared && !same(documented, other)) {
      const [name] = spelling.names as [string];
      notes = add(notes, {
        rule: "aop/alias-agrees",
        pointer: `/payload${pointerTo(name)}`,
        message: `\`${fullName(entry)}\` is ${quoteJsonValue(documented)}, but \`${name}\` is ${quoteJsonValue(other)}.`,
      });
    }
  }
  return notes;
}

/** One finding per spelling, created once: an agent that uses aliases uses them in every event. */
const USED_NOTES = new Map<Spelling, Finding>();

function usedNote(entry: FieldAlias, spelling: Spelling): Finding {
  const made = USED_NOTES.get(spelling);
  if (made !== undefined) return made;
  const names = spelling.names.map((name) => `\`${name}\``).join(" and ");
  const finding: Finding = Object.freeze({
    rule: "aop/alias-used",
    pointer: `/payload${pointerTo(spelling.names[0] as string)}`,
    message: `${names} was read as \`${fullName(entry)}\`.`,
    hint: `The documented name is \`${fullName(entry)}\`.`,
  });
  USED_NOTES.set(spelling, finding);
  return finding;
}

function fullName(entry: FieldAlias): string {
  return entry.home === "metadata" ? `metadata.${entry.field}` : entry.field;
}

function noteAmount(name: string, payload: JsonObject, before: Finding[] | undefined): Finding[] | undefined {
  const { metadata } = payload;
  const outer = payload[name];
  const inner = isObject(metadata) ? metadata[name] : undefined;
  let notes = before;
  if (isBelowZero(inner)) notes = add(notes, amountNote(`/payload/metadata${pointerTo(name)}`, name, inner));
  if (isBelowZero(outer)) notes = add(notes, amountNote(`/payload${pointerTo(name)}`, name, outer));
  return notes;
}

function isBelowZero(value: JsonValue | undefined): boolean {
  return typeof value === "number" && !(value >= 0 && value < Number.POSITIVE_INFINITY);
}

function amountNote(pointer: string, name: string, value: JsonValue | undefined): Finding {
  return { rule: "aop/cost-not-negative", pointer, message: `\`${name}\` is ${String(value)}.` };
}

function same(left: JsonValue, right: JsonValue): boolean {
  return left === right || (typeof left === "object" && JSON.stringify(left) === JSON.stringify(right));
}

function add(notes: Finding[] | undefined, finding: Finding): Finding[] {
  if (notes === undefined) return [finding];
  notes.push(finding);
  return notes;
}
