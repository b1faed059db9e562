import { createHmac } from "node:crypto";
import { isObject, type JsonValue } from "@earshot/protocol";
import type { NewRequest } from "../request.ts";
import { type Asked, type Card, type CardTerms, isRisky } from "./card.ts";
import type { Terms } from "./machine-types.ts";

/** A question as it was read from an event: what is shown, under which terms, and what of it must not be stored. */
export interface Question {
  readonly asked: Asked;
  readonly terms: CardTerms;
  /** How long it may wait; null for ever. */
  readonly timeMs: number | null;
  /** What the asker, in its source, is known by when it asks the same again. */
  readonly identity: string;
  /** The input as the agent sent it. Kept in memory while the request is open, and nowhere else. */
  readonly raw?: JsonValue;
}

export function questionDigest({ asked, raw }: Pick<Question, "asked" | "raw">, secret: string): string {
  return digestOf({ asked: asked as unknown as JsonValue, raw: raw ?? null }, secret);
}

export function questionId({ asked, identity }: Question, secret: string): string {
  return requestIdOf([asked.protocol, asked.source, identity], secret);
}

/** What the ledger is told. */
export function toNewRequest(question: Question, secret: string, now: number, id = questionId(question, secret)): NewRequest {
  const { asked, terms, timeMs } = question;
  const card: Card = { version: 1, asked, terms };
  return {
    id,
    kind: asked.kind,
    deadlineAt: timeMs === null ? null : now + timeMs,
    card: JSON.stringify(card),
    digest: questionDigest(question, secret),
  };
}

/** What the machine is told, from what the ledger has. */
export function toTerms(request: Pick<NewRequest, "id" | "digest" | "deadlineAt">, { asked, terms }: Card, openedAt: number): Terms {
  const { deadlineAt } = request;
  return {
    id: request.id,
    digest: request.digest,
    timeMs: deadlineAt === null ? null : Math.max(0, deadlineAt - openedAt),
    deadlineAt,
    latestMs: terms.latestAt === null ? null : Math.max(0, terms.latestAt - openedAt),
    moreTimeMs: terms.moreTimeMs,
    silence: terms.silence.answer,
    silenceBy: terms.silence.by,
    risky: isRisky(asked),
    refusal: asked.kind === "confirmation" ? "reject" : asked.kind === "handoff" ? "decline" : "deny",
    polls: terms.polls,
  };
}

/**
 * The digest that binds a decision to what was shown: HMAC-SHA-256, with a secret of this hub, of the canonical JSON of what
 * is asked. It covers the input as the agent sent it, of which secrets are masked when it is shown; hence the key: without
 * one, whoever reads the ledger could try out what was masked.
 */
export function digestOf(asked: JsonValue, secret: string): string {
  return createHmac("sha256", secret).update(canonicalJson(asked)).digest("base64url");
}

/** Names a request: the same question, asked again by the same asker, is the same request. */
export function requestIdOf(parts: readonly string[], secret: string): string {
  const mac = createHmac("sha256", secret).update(`request ${JSON.stringify(parts)}`);
  return `req_${mac.digest("hex").slice(0, 24)}`;
}

/** One text for one value: members in order of their names, as code units; no space; numbers and strings as JSON writes them. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // `sort` without a function compares code units.
  let members = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
