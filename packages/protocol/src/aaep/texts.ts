import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import type { ReadingFacts } from "../protocol.ts";
import { defineRule } from "../rule.ts";
import { clipText, quoteJsonValue } from "../schema.ts";
import { findSecret, findSecretName } from "../secrets.ts";
import { CORE_FIELDS, ENVELOPE_FIELDS } from "./events.ts";
import {
  both,
  chunk,
  completed,
  deep,
  done,
  event,
  full,
  handoff,
  inside,
  invoked,
  many,
  OPSX,
  pair,
  recording,
  started,
  startedWith,
} from "./example-events.ts";
import { CORE_TYPES, type CoreType } from "./names.ts";
import { addNote } from "./notes.ts";

const ANY = ["*"];

export const TEXTS_RULES = {
  "aaep/localization-hints": defineRule(["error", "event", 1, "§3.3.3, §11", ["*/localization_hints"]], {
    title: "`localization_hints` holds language tags in BCP 47 form and no members of its own invention.",
    hint: 'Write for example {"primary_language":"en-US","text_direction":"ltr"}.',
    examples: () =>
      startedWith({ localization_hints: { primary_language: "pt-BR" } }, { localization_hints: { primary_language: "pt_BR" } }),
  }),
  "aaep/localization-declared": defineRule(["warning", "event", 1, "§11.1.1", ANY], {
    title: "An event with text for people says which language it is in.",
    hint: 'Add "localization_hints":{"primary_language":"en-US"}: a screen reader picks its voice by it.',
    oncePerSession: true,
    examples: () => startedWith({}, { localization_hints: undefined }),
  }),
  "aaep/well-formed-text": defineRule(["warning", "event", 1, "§3.8, §11", ANY], {
    title: "Text is well-formed Unicode, and no chunk begins in the middle of a character.",
    hint: "Do not cut between the halves of a surrogate pair, nor between a letter and its combining marks.",
    oncePerSession: true,
    examples: () =>
      both(
        full(chunk("Cafe\u0301 ", 0, false), chunk("closed.", 6, true)),
        full(chunk("Cafe", 0, false), chunk("\u0301 closed.", 4, true)),
      ),
  }),
  "aaep/no-secrets": defineRule(["error", "event", 1, "§4.3.1, §10.2", ANY], {
    title: "No text for people contains a secret.",
    hint: "Leave the value out before the event is made: everything here is spoken, shown and stored.",
    examples: () =>
      both(
        full(...pair("deploy", { args_summary: "service: web" })),
        full(...pair("deploy", { args_summary: `token ghp_${"a1".repeat(18)}` })),
      ),
  }),
  "aaep/summary-advised": defineRule(
    [
      "warning",
      "event",
      1,
      "§9.3.1",
      ["agent.tool.completed", "agent.awaiting.confirmation", "agent.awaiting.clarification", "agent.handoff.requested"],
    ],
    {
      title: "An event that a person will hear has a `summary_normal`.",
      hint: "Write one sentence that makes sense without a screen.",
      oncePerSession: true,
      examples: () => both(full(...pair("grep", {})), full(invoked("grep"), done("grep", { summary_normal: undefined }))),
    },
  ),
  "aaep/size": defineRule(["warning", "event", 1, "§3.7", ANY], {
    title: "A serialised event is at most 64 KiB.",
    hint: "Send a summary, or stream the content in chunks.",
    examples: () =>
      both(
        full(),
        full(
          handoff({ packaged_context: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`part${index}`, "x".repeat(10_000)])) }),
        ),
      ),
  }),
  "aaep/field-count": defineRule(["warning", "event", 1, "§3.7", ANY], {
    title: "An event has at most 32 fields, each extension prefix counted.",
    hint: "Group related values in one object.",
    examples: () =>
      both(full(), recording(started({ "@context": OPSX }), event("opsx:deploy.done", { "@context": OPSX, ...many(30) }), completed())),
  }),
  "aaep/nesting": defineRule(["warning", "event", 1, "§3.7", ANY], {
    title: "Payloads are nested at most 8 levels deep.",
    hint: "Flatten the payload.",
    examples: () => inside(handoff({ packaged_context: deep(4) }), handoff({ packaged_context: deep(10) })),
  }),
  "aaep/string-length": defineRule(["warning", "event", 1, "§3.7", ANY], {
    title: "A string has at most 16,384 characters.",
    hint: "Shorten it, or stream it in chunks.",
    examples: () => startedWith({ correlation_id: "trace-1" }, { correlation_id: "x".repeat(16_385) }),
  }),
  "aaep/integer-range": defineRule(["error", "event", 1, "§3.8", ANY], {
    title: "Integers past 2^53 travel as strings.",
    hint: "Most JSON readers round such numbers: write the value as a string.",
    examples: () =>
      inside(handoff({ packaged_context: { rows: "9007199254740993" } }), handoff({ packaged_context: { rows: 9007199254740994 } })),
  }),
} as const;

/** Top-level strings that may be shown or spoken. */
const SPOKEN = new Set([
  "summary_normal",
  "summary_terse",
  "summary_detailed",
  "args_summary",
  "chunk",
  "action",
  "consequence",
  "question",
  "reason",
  "request_text",
  "output_summary",
  "error_message",
  "remediation_hint",
  "partial_result",
  "context",
  "description",
  "default_response",
]);

/** Members that contain texts which may be shown or spoken. */
const HOLDERS = new Set(["progress", "choices", "extra_context", "packaged_context"]);

const KNOWN = 1;
const WORDS = 2;
const HOLDER = 3;

/** The kind of each member by event type, precomputed so that each event is traversed once. */
const MEMBERS = new Map<CoreType | undefined, ReadonlyMap<string, number>>();
for (const type of [undefined, ...CORE_TYPES]) {
  const known = type === undefined ? ENVELOPE_FIELDS : CORE_FIELDS[type];
  const table = new Map<string, number>();
  for (const name of known) table.set(name, SPOKEN.has(name) ? WORDS : HOLDERS.has(name) ? HOLDER : KNOWN);
  if (type === undefined) for (const name of SPOKEN) table.set(name, WORDS);
  MEMBERS.set(type, table);
}

/** Names that even an extension's own event must not use at the top level. */
const RESERVED = /^(?:aaep_|@(?:id|graph|base|vocab)$)/;

const MAX_BYTES = 64 * 1024;
const MAX_STRING = 16_384;

/** Checks the members of an event one by one: custom names, secrets, lengths, and a declared language. */
export function checkMembers(value: JsonObject, core: CoreType | undefined, facts: ReadingFacts): void {
  if (facts.sizeBytes > MAX_BYTES) addNote("aaep/size", `The event has ${facts.sizeBytes.toLocaleString("en")} bytes.`);
  // The event itself is the first level; its payload starts below it.
  if (facts.depth > 9) addNote("aaep/nesting", `The payload is nested ${facts.depth - 1} levels deep.`);
  if (facts.unsafeInteger !== undefined) addNote("aaep/integer-range", "An integer is past 2^53.", facts.unsafeInteger);
  const members = MEMBERS.get(core) as ReadonlyMap<string, number>;
  let fields = 0;
  let spoken = false;
  for (const key in value) {
    fields++;
    const member = value[key];
    const kind = members.get(key);
    if (kind === WORDS) {
      if (typeof member !== "string" || member === "") continue;
      spoken = true;
      if (!member.isWellFormed()) addNote("aaep/well-formed-text", `\`${key}\` has half of a surrogate pair.`, pointerTo(key));
      const secret = facts.hasNoSecret === true ? undefined : findSecretName(member);
      if (secret !== undefined) addNote("aaep/no-secrets", `\`${key}\` seems to contain a secret (${secret}).`, pointerTo(key));
    } else if (kind === HOLDER) {
      const secret = facts.hasNoSecret === true ? undefined : findSecret(member, pointerTo(key));
      if (secret !== undefined) addNote("aaep/no-secrets", `\`${key}\` seems to contain a secret (${secret.name}).`, secret.pointer);
    } else if (kind === undefined && (core !== undefined || RESERVED.test(key))) {
      addNote("aaep/no-custom-fields", `\`${clipText(key)}\` is no field of this event.`, pointerTo(key));
    }
    if (typeof member === "string" && member.length > MAX_STRING && (kind === undefined || key === "correlation_id")) {
      addNote("aaep/string-length", `\`${clipText(key)}\` has ${member.length.toLocaleString("en")} characters.`, pointerTo(key));
    }
  }
  const { extensions, localization_hints: hints, aaep_version: version } = value;
  if (fields > 31 || extensions !== undefined) {
    const all = fields + (isObject(extensions) ? Object.keys(extensions).length : 0);
    if (all > 32) addNote("aaep/field-count", `The event has ${all} fields.`);
  }
  if (spoken && (hints === undefined || (isObject(hints) && hints["primary_language"] === undefined))) {
    addNote("aaep/localization-declared", "The event has text for people and does not say in which language.", "/localization_hints");
  }
  if (version !== undefined && version !== "1.0.0") checkVersion(version);
}

function checkVersion(version: unknown): void {
  if (typeof version !== "string" || version === "0.1.0-draft" || !/^\d+\.\d+\.\d+/.test(version)) return;
  addNote("aaep/version-known", `${quoteJsonValue(version)} is no published version.`, "/aaep_version");
}

export const SUMMARIZED: ReadonlySet<CoreType> = new Set([
  "agent.tool.completed",
  "agent.awaiting.confirmation",
  "agent.awaiting.clarification",
  "agent.handoff.requested",
]);

export function adviseSummary(value: JsonObject): void {
  if (value["summary_normal"] === undefined) addNote("aaep/summary-advised", "The event has no summary_normal.", "/summary_normal");
}

export function checkChunkStart({ chunk, position }: JsonObject): void {
  if (typeof chunk === "string" && chunk.charCodeAt(0) >= 0x300 && position !== 0 && /^\p{M}/u.test(chunk)) {
    addNote("aaep/well-formed-text", "The chunk begins with a combining mark, which belongs to the chunk before.", "/chunk");
  }
}
