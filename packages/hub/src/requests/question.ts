import { createHmac } from "node:crypto";
import { isObject, type JsonValue } from "@earshot/protocol";
import type { NewRequest } from "../request.ts";
import { type AskedCard, type CardTerms, isRisky, type RequestCardData } from "./card.ts";
import type { MachineTerms } from "./machine-types.ts";

/** A question parsed from an event: what is shown, its terms, and what must not be stored. */
export interface RequestQuestion {
  readonly asked: AskedCard;
  readonly terms: CardTerms;
  /** How long it may wait; null forever. */
  readonly timeMs: number | null;
  /** Identifies the asker's question within its source when it is asked again. */
  readonly identity: string;
  /** The agent's unmasked input, only kept in memory while the request is open. */
  readonly raw?: JsonValue;
}

export function questionDigest({ asked, raw }: Pick<RequestQuestion, "asked" | "raw">, secret: string): string {
  return digestOfAsked({ asked: asked as unknown as JsonValue, raw: raw ?? null }, secret);
}

export function questionId({ asked, identity }: RequestQuestion, secret: string): string {
  return requestIdOf([asked.protocol, asked.source, identity], secret);
}

/** The request for the ledger. */
export function toNewRequest(question: RequestQuestion, secret: string, now: number, id = questionId(question, secret)): NewRequest {
  const { asked, terms, timeMs } = question;
  const card: RequestCardData = { version: 1, asked, terms };
  return {
    id,
    kind: asked.kind,
    deadlineAt: timeMs === null ? null : now + timeMs,
    card: JSON.stringify(card),
    digest: questionDigest(question, secret),
  };
}

/** The machine's terms, from the stored request. */
export function toMachineTerms(
  request: Pick<NewRequest, "id" | "digest" | "deadlineAt">,
  { asked, terms }: RequestCardData,
  openedAt: number,
): MachineTerms {
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
 * The digest that binds a decision to what was shown: HMAC-SHA-256, with a secret of this hub, of the canonical JSON. It covers the
 * unmasked input, hence the key: otherwise a reader of the ledger could guess masked values.
 */
export function digestOfAsked(asked: JsonValue, secret: string): string {
  return createHmac("sha256", secret).update(canonicalJson(asked)).digest("base64url");
}

/** The id of a request: the same question asked again by the same asker has the same id. */
export function requestIdOf(parts: readonly string[], secret: string): string {
  const mac = createHmac("sha256", secret).update(`request ${JSON.stringify(parts)}`);
  return `req_${mac.digest("hex").slice(0, 24)}`;
}

/** Canonical JSON: members sorted by code units, no white space, numbers and strings as JSON writes them. */
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
