import { hash } from "node:crypto";
import {
  type CoreType,
  type Finding,
  isObject,
  type JsonFacts,
  type JsonObject,
  PROTOCOLS,
  type Problem,
  type ProtocolName,
  REQUIRED_FIELDS,
  type Reading,
  readJson,
  recogniseProtocol,
  ruleOf,
  toProblem,
  unwrapStream,
} from "@earshot/protocol";
import type { RedactionMark, Source, Submission } from "../ledger/ledger.ts";
import { mayHoldSecret } from "./redact-find.ts";
import { IDENTITY_POINTERS, secretInIdentity } from "./redact-identity.ts";
import { redactJson, type SecretsByString } from "./redact-json.ts";

/** Who says it, as far as the edge knows. */
export interface Origin {
  /** `local` without a credential. */
  readonly name: string;
  readonly verified: boolean;
  /** Given when the address or the sender says which protocol is meant. */
  readonly protocol?: ProtocolName;
  /** It may be sent again as a whole, as an import is: what has no id of its own is recognised by its content. */
  readonly byContent?: boolean;
  /** The same for messages alone, and it is no history: as a replay is, which may be begun again. */
  readonly messagesByContent?: boolean;
  /** It hears no answers, so that nothing it says is asked: a replay. */
  readonly asks?: false;
}

/** Events of hooks are in AEP, and the sender's credential was checked. */
export function hookOrigin(name: string) {
  return { name, verified: true, protocol: "aep" } as const;
}

export interface SubmissionOptions {
  readonly receivedAt: number;
  /** Whether secrets of known shapes are masked. */
  readonly redacts: (source: Source) => boolean;
  /** What was found before in some of the strings. */
  readonly found?: SecretsByString | undefined;
}

export type Submitted = { readonly ok: true; readonly submission: Submission } | { readonly ok: false; readonly problem: Problem };

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

const DEPTH = 64;
const LONGEST_ID = 1024;
const NO_MARKS: readonly RedactionMark[] = [];
/** Characters that no id needs, and that forge lines where ids are written. */
const UNUSABLE = /[\p{Cc}\u2028\u2029]/u;

/** Bytes that were said → what may be stored, or what is wrong. Pure: everything that needs no memory is decided here. */
export function readSubmission(text: string, sizeBytes: number, origin: Origin, options: SubmissionOptions): Submitted {
  const json = readJson(text, { maxDepth: DEPTH, maxCharacters: Number.MAX_SAFE_INTEGER }, noHash);
  if (!json.ok) return json;
  const { value: said } = json;
  if (!isObject(said)) return refuse("NOT_AN_OBJECT", "An event is a JSON object.", "");
  const protocol = origin.protocol === undefined ? recogniseProtocol(said) : PROTOCOLS[origin.protocol];
  if (protocol === undefined) return refuse("PROTOCOL_UNKNOWN", "This is no event of AAEP, AEP or AOP.", "");
  const event = protocol.name === "aop" ? unwrapStream(said) : said;
  if (event === undefined) return refuse("PROTOCOL_UNKNOWN", "This is a message of a collector's stream, not an event.", "");
  const source: Source = { protocol: protocol.name, name: origin.name, verified: origin.verified };
  const unwrapped = event === said ? text : JSON.stringify(event);
  // Asked once for the whole text: what holds no trace of a secret has none in its ids either.
  const redacts = options.redacts(source);
  const isSuspect = redacts && mayHoldSecret(unwrapped);
  const masked = isSuspect ? redactJson(unwrapped, event, { skip: IDENTITY_POINTERS[protocol.name], found: options.found }) : undefined;
  const value = masked === undefined ? event : (masked.value as JsonObject);
  const facts = masked === undefined ? json.facts : factsOf(masked.text, json.facts);
  facts.sizeBytes = sizeBytes;
  facts.hasNoSecret = redacts && !isSuspect && isWrittenPlainly(unwrapped);
  const reading = protocol.read(value, facts);
  // A secret in an id first: what else is wrong may be told with the id in it.
  const problem = (isSuspect ? problemWithSecret(reading) : undefined) ?? problemWith(reading);
  if (problem !== undefined) return { ok: false, problem };
  const { live } = protocol;
  const answerable = live.answerable(reading);
  const answers = live.answers(reading);
  const sequence = live.sequence(reading);
  const kept = masked?.text ?? unwrapped;
  // Filled in afterwards: spreading what is there nearly never costs more than all the rest of this object.
  const submission: Writable<Submission> = {
    source,
    kind: reading.kind,
    session: live.session(reading) ?? "",
    agent: reading.agentId ?? "",
    type: reading.type,
    sequence,
    identity: live.identity(reading) ?? (isKnownByContent(origin, reading, sequence) ? contentIdentity(kept) : null),
    text: kept,
    receivedAt: options.receivedAt,
    reading,
    redactions: masked?.marks ?? NO_MARKS,
  };
  if (origin.byContent === true) submission.isHistory = true;
  if (answerable !== undefined) submission.answerable = answerable;
  if (answers !== undefined) submission.answers = answers;
  return { ok: true, submission };
}

/**
 * Whether what `mayHoldSecret` says about JSON is true of each string in it as well. Escapes make a string longer as it is
 * written: then the sign of a user in an address may stand further from its slashes than anybody looks.
 */
function isWrittenPlainly(text: string): boolean {
  return !text.includes("\\") || !(text.includes("\\u") || text.includes("@"));
}

/** Facts hold pointers, and pointers the names of members: those of the text as it is kept. */
function factsOf(text: string, otherwise: JsonFacts): JsonFacts {
  const json = readJson(text, { maxDepth: DEPTH, maxCharacters: Number.MAX_SAFE_INTEGER }, noHash);
  return json.ok ? json.facts : otherwise;
}

function isKnownByContent({ byContent, messagesByContent }: Origin, { kind }: Reading, sequence: number | null): boolean {
  return sequence === null && (byContent === true || (messagesByContent === true && kind === "message"));
}

function contentIdentity(text: string): string {
  return `content ${hash("sha256", text, "hex")}`;
}

/** Redelivery is recognised by the ledger, which compares the whole text. */
function noHash(): number {
  return 0;
}

function problemWith(reading: Reading): Problem | undefined {
  for (const finding of reading.findings) {
    const rule = ruleOf(finding.rule);
    if (rule === undefined || rule.severity !== "error" || isKept(reading, finding)) continue;
    const { severity: _severity, ...problem } = toProblem(finding, rule);
    return problem;
  }
  return problemWithIds(reading);
}

/**
 * Rules whose breach leaves an event readable. A type or field that is not known here may be one of a later version, and
 * listeners have to bear it; a secret is masked where the hub is told to mask.
 */
const KEPT_RULES: ReadonlySet<string> = new Set([
  "aaep/type-defined",
  "aaep/no-custom-fields",
  "aaep/no-secrets",
  "aep/no-secrets",
  "aaep/choices-distinct",
]);

/**
 * What is wrong, and kept with a flag all the same: a refused event is missing from its session, which then looks broken.
 * AOP senders never look at the answer, so what can be put into its place in its session is kept. An optional text that is
 * empty says as much as one that is left out.
 */
function isKept(reading: Reading, { rule, pointer }: Finding): boolean {
  if (reading.protocol === "aop") return pointer?.startsWith("/payload/") === true;
  return KEPT_RULES.has(rule) || isEmptyOptional(reading, pointer);
}

function isEmptyOptional({ protocol, type, value }: Reading, pointer: string | undefined): boolean {
  const name = pointer?.slice(1) ?? "";
  return protocol === "aaep" && value[name] === "" && isCoreType(type) && !REQUIRED_FIELDS[type].has(name);
}

function isCoreType(type: string): type is CoreType {
  return Object.hasOwn(REQUIRED_FIELDS, type);
}

/** Where events have what other entries refer to. Messages have no such place in common. */
const PLACES: Readonly<Record<ProtocolName, { readonly session: string; readonly agent: string; readonly event: string }>> = {
  aaep: { session: "/session_id", agent: "/producer/agent_id", event: "/event_id" },
  aep: { session: "/session/id", agent: "/agent/slug", event: "/id" },
  aop: { session: "/session_id", agent: "/agent_id", event: "" },
};

/** Ids are written to many places as they are. */
function problemWithIds({ protocol, kind, sessionId, agentId, eventId, type }: Reading): Problem | undefined {
  const places = PLACES[protocol];
  const found =
    problemWithId("session id", sessionId, places.session) ??
    problemWithId("agent id", agentId, places.agent) ??
    problemWithId("event id", eventId, places.event) ??
    problemWithId("type", type, "/type");
  if (found === undefined || kind === "event") return found;
  const { pointer: _pointer, ...problem } = found;
  return problem;
}

function problemWithId(name: string, id: string | undefined, pointer: string): Problem | undefined {
  if (id === undefined || isUsable(id)) return undefined;
  const isLong = id.length > LONGEST_ID;
  const what = isLong ? `has ${id.length.toLocaleString("en")} characters` : "holds control characters, line breaks or half a character";
  const hint = isLong ? `Use at most ${LONGEST_ID}.` : "Use printable characters.";
  return { code: "EVENT_INVALID", message: `The ${name} ${what}.`, hint, pointer };
}

function isUsable(id: string): boolean {
  if (id.length > LONGEST_ID) return false;
  // Looked at by hand: ids are short and nearly always plain ASCII, and there are four in every event.
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return !UNUSABLE.test(id) && id.isWellFormed();
  }
  return true;
}

function problemWithSecret({ protocol, value }: Reading): Problem | undefined {
  const found = secretInIdentity(protocol, value);
  if (found === undefined) return undefined;
  return {
    code: "SECRET_IN_ID",
    message: `The id at ${found.pointer} has the shape of a credential: ${found.shape}.`,
    pointer: found.pointer,
  };
}

function refuse(code: Problem["code"], message: string, pointer: string): Submitted {
  return { ok: false, problem: { code, message, pointer } };
}
