import { hash } from "node:crypto";
import {
  type CoreType,
  type Finding,
  findingToProblem,
  isObject,
  type JsonFacts,
  type JsonObject,
  PROTOCOLS,
  type Problem,
  type ProtocolName,
  type ProtocolReading,
  REQUIRED_FIELDS,
  readJson,
  recogniseProtocol,
  ruleOf,
  unwrapStream,
} from "@earshot/protocol";
import type { EventSource, RedactionMark, Submission } from "../ledger/ledger.ts";
import { mayHoldSecret } from "./redact-find.ts";
import { IDENTITY_POINTERS, secretInIdentity } from "./redact-identity.ts";
import { findSecretsInTurns, redactJson, type SecretsByString } from "./redact-json.ts";

/** The sender as known to the HTTP layer. */
export interface SenderOrigin {
  /** `local` without a credential. */
  readonly name: string;
  readonly verified: boolean;
  /** Set if the route or the sender specifies the protocol. */
  readonly protocol?: ProtocolName;
  /** May be sent again as a whole, like an import: events without ids are recognized by their content. */
  readonly byContent?: boolean;
  /** The same for messages only, and not as history, like a replay that may be restarted. */
  readonly messagesByContent?: boolean;
  /** Takes no answers, so nothing is asked: a replay. */
  readonly asks?: false;
}

/** Hook events are AEP with a verified credential. */
export function hookOrigin(name: string) {
  return { name, verified: true, protocol: "aep" } as const;
}

export interface SubmissionOptions {
  readonly receivedAt: number;
  /** Whether known secret shapes are masked. */
  readonly redacts: (source: EventSource) => boolean;
  /** Secrets found earlier in some of the strings. */
  readonly found?: SecretsByString | undefined;
}

export type SubmissionReading = { readonly ok: true; readonly submission: Submission } | { readonly ok: false; readonly problem: Problem };

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** Longer texts are searched for secrets in several turns of the event loop. */
export const MAX_TURN_CHARACTERS = 32 * 1024;
const DEPTH = 64;
const LONGEST_ID = 1024;
const NO_MARKS: readonly RedactionMark[] = [];
/** Characters no id needs, which could forge lines. */
const UNUSABLE = /[\p{Cc}\u2028\u2029]/u;

/** Parses and validates received bytes. Pure: everything that needs no state is decided here. */
export function readSubmission(text: string, sizeBytes: number, origin: SenderOrigin, options: SubmissionOptions): SubmissionReading {
  const json = readJson(text, { maxDepth: DEPTH, maxCharacters: Number.MAX_SAFE_INTEGER }, noHash);
  if (!json.ok) return json;
  const { value: said } = json;
  if (!isObject(said)) return refuse("NOT_AN_OBJECT", "An event is a JSON object.", "");
  const protocol = origin.protocol === undefined ? recogniseProtocol(said) : PROTOCOLS[origin.protocol];
  if (protocol === undefined) return refuse("PROTOCOL_UNKNOWN", "This is no event of AAEP, AEP or AOP.", "");
  const event = protocol.name === "aop" ? unwrapStream(said) : said;
  if (event === undefined) return refuse("PROTOCOL_UNKNOWN", "This is a message of a collector's stream, not an event.", "");
  const source: EventSource = { protocol: protocol.name, name: origin.name, verified: origin.verified };
  const unwrapped = event === said ? text : JSON.stringify(event);
  // Asked once for the whole text: without any trace of a secret its ids have none either.
  const redacts = options.redacts(source);
  const isSuspect = redacts && mayHoldSecret(unwrapped);
  const masked = isSuspect ? redactJson(unwrapped, event, { skip: IDENTITY_POINTERS[protocol.name], found: options.found }) : undefined;
  const value = masked === undefined ? event : (masked.value as JsonObject);
  const facts = masked === undefined ? json.facts : factsOf(masked.text, json.facts);
  facts.sizeBytes = sizeBytes;
  facts.hasNoSecret = redacts && !isSuspect && isWrittenPlainly(unwrapped);
  const reading = protocol.read(value, facts);
  // A secret in an id first, because other problems may quote the id.
  const problem = (isSuspect ? problemWithSecret(reading) : undefined) ?? problemWith(reading);
  if (problem !== undefined) return { ok: false, problem };
  const { live } = protocol;
  const answerable = live.answerable(reading);
  const answers = live.answers(reading);
  const sequence = live.sequence(reading);
  const kept = masked?.text ?? unwrapped;
  // Assigned afterwards, because spreading optional members costs more than the rest of this object.
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

/** As `readSubmission`; nobody waits while a long text is searched for secrets. */
export async function readInTurns(
  text: string,
  sizeBytes: number,
  origin: SenderOrigin,
  options: SubmissionOptions,
): Promise<SubmissionReading> {
  const found = text.length > MAX_TURN_CHARACTERS ? await findSecretsInTurns(text) : undefined;
  return readSubmission(text, sizeBytes, origin, { ...options, found });
}

/**
 * Whether the result of `mayHoldSecret` for JSON also applies to each string in it. Escapes lengthen a literal, so a user name in a URL
 * may be too far from its slashes.
 */
function isWrittenPlainly(text: string): boolean {
  return !text.includes("\\") || !(text.includes("\\u") || text.includes("@"));
}

/** Facts contain pointers with member names, which must be those of the stored text. */
function factsOf(text: string, otherwise: JsonFacts): JsonFacts {
  const json = readJson(text, { maxDepth: DEPTH, maxCharacters: Number.MAX_SAFE_INTEGER }, noHash);
  return json.ok ? json.facts : otherwise;
}

function isKnownByContent({ byContent, messagesByContent }: SenderOrigin, { kind }: ProtocolReading, sequence: number | null): boolean {
  return sequence === null && (byContent === true || (messagesByContent === true && kind === "message"));
}

function contentIdentity(text: string): string {
  return `content ${hash("sha256", text, "hex")}`;
}

/** The ledger recognizes redelivery by comparing the whole text. */
function noHash(): number {
  return 0;
}

function problemWith(reading: ProtocolReading): Problem | undefined {
  for (const finding of reading.findings) {
    const rule = ruleOf(finding.rule);
    if (rule === undefined || rule.severity !== "error" || isKept(reading, finding)) continue;
    const { severity: _severity, ...problem } = findingToProblem(finding, rule);
    return problem;
  }
  return problemWithIds(reading);
}

/**
 * Rules whose violation leaves an event readable. An unknown type or member may be from a later version, which listeners must tolerate;
 * secrets are masked if configured.
 */
const KEPT_RULES: ReadonlySet<string> = new Set([
  "aaep/type-defined",
  "aaep/no-custom-fields",
  "aaep/no-secrets",
  "aep/no-secrets",
  "aaep/choices-distinct",
]);

/**
 * Problems that are stored with a flag: a refused event would make its session look broken. AOP senders ignore answers, so every event
 * that belongs to a session is stored. An empty optional text equals a missing one.
 */
function isKept(reading: ProtocolReading, { rule, pointer }: Finding): boolean {
  if (reading.protocol === "aop") return pointer?.startsWith("/payload/") === true;
  return KEPT_RULES.has(rule) || isEmptyOptional(reading, pointer);
}

function isEmptyOptional({ protocol, type, value }: ProtocolReading, pointer: string | undefined): boolean {
  const name = pointer?.slice(1) ?? "";
  return protocol === "aaep" && value[name] === "" && isCoreType(type) && !REQUIRED_FIELDS[type].has(name);
}

function isCoreType(type: string): type is CoreType {
  return Object.hasOwn(REQUIRED_FIELDS, type);
}

/** Where events have the ids that other entries refer to. Messages have no common place. */
const PLACES: Readonly<Record<ProtocolName, { readonly session: string; readonly agent: string; readonly event: string }>> = {
  aaep: { session: "/session_id", agent: "/producer/agent_id", event: "/event_id" },
  aep: { session: "/session/id", agent: "/agent/slug", event: "/id" },
  aop: { session: "/session_id", agent: "/agent_id", event: "" },
};

/** Ids are copied to many places unchanged. */
function problemWithIds({ protocol, kind, sessionId, agentId, eventId, type }: ProtocolReading): Problem | undefined {
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
  // A loop, because ids are short, nearly always ASCII, and there are four per event.
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return !UNUSABLE.test(id) && id.isWellFormed();
  }
  return true;
}

function problemWithSecret({ protocol, value }: ProtocolReading): Problem | undefined {
  const found = secretInIdentity(protocol, value);
  if (found === undefined) return undefined;
  return {
    code: "SECRET_IN_ID",
    message: `The id at ${found.pointer} has the shape of a credential: ${found.shape}.`,
    pointer: found.pointer,
  };
}

function refuse(code: Problem["code"], message: string, pointer: string): SubmissionReading {
  return { ok: false, problem: { code, message, pointer } };
}
