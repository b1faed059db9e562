import { type Principal, type ReplyOrigin, SESSION_STOP } from "@earshot/aaep";
import type { ClarificationReply, ConfirmationReply, JsonObject } from "@earshot/protocol";
import { whyNoReply } from "@earshot/protocol/reply-refusal";
import { redactText } from "../intake/redact-text.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";
import type { RequestAnswer } from "../requests/answer.ts";
import type { RequestEngine } from "../requests/engine.ts";
import { replyTokenOf } from "./served-entries.ts";

type Reply = ConfirmationReply | ClarificationReply;

const PAGE = 200;

/**
 * AAEP subscribers' replies as answers to requests. The transport has checked that the sender may decide; a token only identifies the
 * question. Ineffective replies are counted, and nobody learns why.
 */
export class HubReplies {
  readonly #engine: Pick<RequestEngine, "answer" | "control">;
  readonly #ledger: Pick<Ledger, "requests" | "count">;
  readonly #secret: string;

  constructor(engine: Pick<RequestEngine, "answer" | "control">, ledger: Pick<Ledger, "requests" | "count">, secret: string) {
    this.#engine = engine;
    this.#ledger = ledger;
    this.#secret = secret;
  }

  /** Fulfills after the ledger's decision. The result is only for tests and the log. */
  async take(reply: Reply, { principal }: ReplyOrigin): Promise<boolean> {
    const [engine, ledger] = [this.#engine, this.#ledger];
    const isTaken = async () => {
      if (!principal.mayReply) return false;
      engine.control.present(); // a reply shows presence
      const request = await this.#find(reply.reply_token);
      if (request === undefined || !counts(reply, request)) return false;
      await engine.answer(request.id, { by: principal.name, digest: request.digest, answer: toAnswer(reply), ...reasonOf(reply) });
      return true;
    };
    // Late, unsuitable or already decided: the sender cannot tell which.
    const taken = await isTaken().catch(() => false);
    if (!taken) ledger.count("replies ignored", principal.name, 1);
    return taken;
  }

  /** There are few open requests, so no token index is needed. */
  async #find(token: string): Promise<StoredRequest | undefined> {
    const [ledger, secret] = [this.#ledger, this.#secret];
    for (let after = 0; ; ) {
      const page = await ledger.requests({ state: "open", after, limit: PAGE });
      const found = page.find(({ id, protocol }) => protocol === "aaep" && replyTokenOf(id, secret) === token);
      const last = page.at(-1);
      if (found !== undefined || last === undefined || page.length < PAGE) return found;
      after = last.position;
    }
  }
}

/** Whether the answer fits is decided by the engine, which has the whole question. */
function counts(reply: Reply, { kind, openedAt, deadlineAt }: StoredRequest): boolean {
  const asked = kind === "clarification" ? kind : "confirmation";
  return whyNoReply({ kind: asked, askedMs: openedAt, deadlineMs: deadlineAt }, reply) === undefined;
}

/** No agent that speaks AAEP takes a modified action, so such a reply is a rejection. */
function toAnswer(reply: Reply): RequestAnswer {
  if (reply.type === "clarification.reply") return { word: "respond", response: reply.response };
  return { word: reply.decision === "accept" && reply.modified_action === undefined ? "accept" : "reject" };
}

function reasonOf(reply: Reply): { readonly reason?: string } {
  const reason = reply.type === "confirmation.reply" ? reply.decision_rationale : undefined;
  return reason === undefined ? {} : { reason };
}

const LONGEST_REASON = 1000;

/** Whether a message asks to stop a session. */
export function isSessionStop(message: JsonObject): boolean {
  return message["type"] === SESSION_STOP && typeof message["session_id"] === "string";
}

/**
 * Stops the session a subscriber knows by this id. If several sources have sessions with it, all of them are stopped, because subscribers
 * cannot distinguish them. A request of someone who may not decide is ignored silently.
 */
export async function stopSubscribedSession(
  message: JsonObject,
  { mayReply, name }: Principal,
  { engine, ledger }: { readonly engine: Pick<RequestEngine, "stop" | "control">; readonly ledger: Pick<Ledger, "findSessions"> },
): Promise<void> {
  if (!mayReply) return;
  engine.control.present();
  const { session_id: session, reason: said } = message;
  const reason = typeof said === "string" && said !== "" ? redactText(said.slice(0, LONGEST_REASON)).text : undefined;
  for (const { protocol, source, id } of await ledger.findSessions(String(session), "aaep")) {
    await engine.stop({ protocol, source, session: id }, name, reason);
  }
}
