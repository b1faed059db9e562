import type { JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { readTimestamp } from "../timestamp.ts";
import { both, completed, event, inside, OPSX, recording, started, startedWith, thinking } from "./example-events.ts";
import { CORE_TYPES, type TypeName } from "./names.ts";
import { addNote } from "./notes.ts";

const ANY = ["*"];

export const AAEP_ENVELOPE_RULES = {
  "aaep/required-fields": defineRule(["error", "event", 1, "§3.2", ANY], {
    title: "Every event carries `@context`, `type`, `event_id`, `session_id`, `timestamp` and `producer`.",
    hint: "Add the missing field.",
    examples: () => startedWith({}, { producer: undefined }),
  }),
  "aaep/context": defineRule(["error", "event", 1, "§3.2.1", ANY], {
    title: "`@context` is the core context URI, or a list of URIs that begins with it.",
    hint: 'Write "https://aaep-protocol.org/context/v1", first when there are more.',
    examples: () => startedWith({ "@context": OPSX }, { "@context": "https://acme.example/opsx/v1" }),
  }),
  "aaep/type-form": defineRule(["error", "event", 1, "§3.2.2", ANY], {
    title: "`type` is `prefix:name`, or a full URI.",
    hint: "Write the compact form, for example `aaep:agent.tool.invoked`.",
    examples: () => inside(thinking, { ...thinking, type: "agent.state.changed" }),
  }),
  "aaep/type-defined": defineRule(["error", "event", 1, "§3.2.2, §7.2", ANY], {
    title: "The `aaep:` prefix is used for the twelve core types only.",
    hint: "Use one of the core types, or a prefix of your own declared in `@context`.",
    examples: () => inside(thinking, event("agent.thought.shared")),
  }),
  "aaep/type-compact": defineRule(["warning", "event", 1, "§3.2.2", ANY], {
    title: "`type` should be in its compact form.",
    hint: "Many readers compare the compact form literally: write `aaep:` and the local name.",
    oncePerSession: true,
    examples: () => inside(thinking, { ...thinking, type: "https://aaep-protocol.org/types/agent.state.changed" }),
  }),
  "aaep/event-id": defineRule(["error", "event", 1, "§3.2.3", ANY], {
    title: "`event_id` is `evt_` and 1 to 64 letters or digits.",
    hint: "Use `evt_` and 32 random hexadecimal digits; dashes and underscores are not allowed after the prefix.",
    examples: () => startedWith({ event_id: "evt_8a3f5b22" }, { event_id: "evt_8a3f-5b22" }),
  }),
  "aaep/session-id": defineRule(["error", "event", 1, "§3.2.4", ANY], {
    title: "`session_id` is `sess_` and 1 to 64 letters or digits.",
    hint: "Use `sess_` and 32 random hexadecimal digits; keep a foreign id in `correlation_id` or an extension.",
    examples: () => both(recording(started(), completed()), recording(started({ session_id: "1" }), completed({ session_id: "1" }))),
  }),
  "aaep/timestamp": defineRule(["error", "event", 1, "§3.2.5", ANY], {
    title: "`timestamp` is a real instant in RFC 3339, with upper-case `T` and `Z` or an offset.",
    hint: "Write for example 2026-07-01T09:00:00.250Z, from the clock at the moment the event is made.",
    examples: () => startedWith({ timestamp: "2026-07-01T10:00:01.000+01:00" }, { timestamp: "2026-02-30T09:00:01.000Z" }),
  }),
  "aaep/timestamp-precision": defineRule(["error", "event", 1, "§3.2.5", ANY], {
    title: "`timestamp` has no fraction, or one of 3 or 6 digits.",
    hint: "Use milliseconds: three digits.",
    oncePerSession: true,
    examples: () => startedWith({ timestamp: "2026-07-01T09:00:01.000000Z" }, { timestamp: "2026-07-01T09:00:01.0Z" }),
  }),
  "aaep/producer": defineRule(["error", "event", 1, "§3.2.6", ANY], {
    title: "`producer` names the agent with `agent_id` and has no members of its own invention.",
    hint: "Allowed are agent_id, agent_version, agent_name, model and manifest_uri; put the rest under `extensions`.",
    examples: () =>
      startedWith({ producer: { agent_id: "query-doctor", model: "m-1" } }, { producer: { agent_id: "query-doctor", team: "data" } }),
  }),
  "aaep/version": defineRule(["error", "event", 1, "§3.3, §12", ["*/aaep_version"]], {
    title: "`aaep_version` is a version number of three parts.",
    hint: 'Write "1.0.0".',
    examples: () => startedWith({ aaep_version: "1.0.0" }, { aaep_version: "1.0" }),
  }),
  "aaep/version-known": defineRule(["error", "event", 1, "§3.4.4, §12", ["*/aaep_version"]], {
    title: "`aaep_version` is a published version.",
    hint: 'Published are 1.0.0 and, before it, 0.1.0-draft. Write "1.0.0".',
    oncePerSession: true,
    examples: () => startedWith({ aaep_version: "1.0.0" }, { aaep_version: "7.1.0" }),
  }),
  "aaep/sequence-number": defineRule(["error", "event", 1, "§3.4.1", ["*/sequence_number"]], {
    title: "`sequence_number` is an integer from 0.",
    hint: "Count from 0 on `session.started`, or leave it out on every event.",
    examples: () =>
      both(
        recording(started({ sequence_number: 0 }), completed({ sequence_number: 1 })),
        recording(started({ sequence_number: 0 }), thinking, completed({ sequence_number: -1 })),
      ),
  }),
  "aaep/verbosity": defineRule(["error", "event", 1, "§3.3.1", ["*/verbosity"]], {
    title: "`verbosity` is terse, normal or detailed.",
    hint: "Use one of the three, or leave it out: absent means normal.",
    examples: () => startedWith({ verbosity: "terse" }, { verbosity: "short" }),
  }),
  "aaep/urgency": defineRule(["error", "event", 1, "§3.3.2", ["*/urgency"]], {
    title: "`urgency` is background, normal or critical.",
    hint: "Use one of the three, or leave it out: absent means normal.",
    examples: () => startedWith({ urgency: "background" }, { urgency: "high" }),
  }),
  "aaep/correlation-id": defineRule(["error", "event", 1, "§3.4.2", ["*/correlation_id"]], {
    title: "`correlation_id` is a string.",
    hint: "Write the trace id as a string, or leave it out.",
    examples: () => startedWith({ correlation_id: "trace-1" }, { correlation_id: 17 }),
  }),
} as const;

export function checkType(value: JsonObject, name: TypeName): void {
  if (name.form === "malformed") {
    if (value["type"] === "") return;
    const hint = (CORE_TYPES as readonly string[]).includes(name.local) ? `Write "aaep:${name.local}".` : undefined;
    addNote("aaep/type-form", `${quoteJsonValue(value["type"])} is neither prefix:name nor a URI.`, "/type", hint);
  } else if (name.prefix === "aaep" && name.core === undefined) {
    addNote("aaep/type-defined", `${quoteJsonValue(value["type"])} is not one of the twelve core types.`, "/type");
  } else if (name.prefix === "aaep" && name.form === "uri") {
    addNote("aaep/type-compact", `${quoteJsonValue(value["type"])} is written in full.`, "/type");
  }
}

export function checkTimestamp(value: JsonObject): void {
  const stamp = value["timestamp"];
  if (typeof stamp !== "string") return;
  const instant = readTimestamp(stamp);
  if (instant === undefined) {
    // The schema check reports malformed timestamps; what remains are dates and times that do not exist.
    if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(stamp))
      addNote("aaep/timestamp", `${quoteJsonValue(stamp)} is no real instant.`, "/timestamp");
  } else if (instant.fractionDigits !== 3 && instant.fractionDigits !== 0 && instant.fractionDigits !== 6) {
    addNote("aaep/timestamp-precision", `The fraction has ${instant.fractionDigits} digits.`, "/timestamp");
  }
}
