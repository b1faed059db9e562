import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import type { ReadingFacts } from "../protocol.ts";
import { clip, show } from "../schema.ts";
import { findSecret, secretIn } from "../secrets.ts";
import { CORE_FIELDS, ENVELOPE_FIELDS } from "./events.ts";
import { CORE_TYPES, type CoreType } from "./names.ts";
import { note } from "./notes.ts";

/** Every top-level string that may be shown or spoken. */
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

/** Members with texts inside that are shown or spoken as well. */
const HOLDERS = new Set(["progress", "choices", "extra_context", "packaged_context"]);

const KNOWN = 1;
const WORDS = 2;
const HOLDER = 3;

/** What each member of an event of a type is; made once, so that an event is walked through once. */
const MEMBERS = new Map<CoreType | undefined, ReadonlyMap<string, number>>();
for (const type of [undefined, ...CORE_TYPES]) {
  const known = type === undefined ? ENVELOPE_FIELDS : CORE_FIELDS[type];
  const table = new Map<string, number>();
  for (const name of known) table.set(name, SPOKEN.has(name) ? WORDS : HOLDERS.has(name) ? HOLDER : KNOWN);
  if (type === undefined) for (const name of SPOKEN) table.set(name, WORDS);
  MEMBERS.set(type, table);
}

/** Names that not even an extension's own event may use at the top level. */
const RESERVED = /^(?:aaep_|@(?:id|graph|base|vocab)$)/;

const MAX_BYTES = 64 * 1024;
const MAX_STRING = 16_384;

/** The members of an event one by one: names of the producer's own, secrets, lengths, and whether a language is declared. */
export function checkMembers(value: JsonObject, core: CoreType | undefined, facts: ReadingFacts): void {
  if (facts.sizeBytes > MAX_BYTES) note("aaep/size", `The event has ${facts.sizeBytes.toLocaleString("en")} bytes.`);
  // The event itself is the first level; its payload begins below.
  if (facts.depth > 9) note("aaep/nesting", `The payload is nested ${facts.depth - 1} levels deep.`);
  if (facts.unsafeInteger !== undefined) note("aaep/integer-range", "An integer is past 2^53.", facts.unsafeInteger);
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
      if (!member.isWellFormed()) note("aaep/well-formed-text", `\`${key}\` has half of a surrogate pair.`, pointerTo(key));
      const secret = facts.hasNoSecret === true ? undefined : secretIn(member);
      if (secret !== undefined) note("aaep/no-secrets", `\`${key}\` seems to contain a secret (${secret}).`, pointerTo(key));
    } else if (kind === HOLDER) {
      const secret = facts.hasNoSecret === true ? undefined : findSecret(member, pointerTo(key));
      if (secret !== undefined) note("aaep/no-secrets", `\`${key}\` seems to contain a secret (${secret.name}).`, secret.pointer);
    } else if (kind === undefined && (core !== undefined || RESERVED.test(key))) {
      note("aaep/no-custom-fields", `\`${clip(key)}\` is no field of this event.`, pointerTo(key));
    }
    if (typeof member === "string" && member.length > MAX_STRING && (kind === undefined || key === "correlation_id")) {
      note("aaep/string-length", `\`${clip(key)}\` has ${member.length.toLocaleString("en")} characters.`, pointerTo(key));
    }
  }
  const { extensions, localization_hints: hints, aaep_version: version } = value;
  if (fields > 31 || extensions !== undefined) {
    const all = fields + (isObject(extensions) ? Object.keys(extensions).length : 0);
    if (all > 32) note("aaep/field-count", `The event has ${all} fields.`);
  }
  if (spoken && (hints === undefined || (isObject(hints) && hints["primary_language"] === undefined))) {
    note("aaep/localization-declared", "The event has text for people and does not say in which language.", "/localization_hints");
  }
  if (version !== undefined && version !== "1.0.0") checkVersion(version);
}

function checkVersion(version: unknown): void {
  if (typeof version !== "string" || version === "0.1.0-draft" || !/^\d+\.\d+\.\d+/.test(version)) return;
  note("aaep/version-known", `${show(version)} is no published version.`, "/aaep_version");
}
