import type { AnswerBody, ControlView, RequestView, RuleProposal } from "@earshot/hub";
import type { JsonObject } from "@earshot/protocol/json";
import { HubProblem, requestAsDevice } from "../../hub/request-as-device.ts";

/** An answer to a request, bound to the content that was shown. */
export interface BrowserReply extends Omit<AnswerBody, "digest" | "response"> {
  readonly response?: string | number | boolean | JsonObject;
}

type Shown = Pick<RequestView, "id" | "digest">;

export function answerRequest(shown: Shown, reply: BrowserReply): Promise<RequestView> {
  return requestAsDevice("POST", pathOf(shown, "answer"), { ...reply, digest: shown.digest });
}

export function extendShownRequest(shown: Shown): Promise<RequestView> {
  return requestAsDevice("POST", pathOf(shown, "extend"), { digest: shown.digest });
}

export function readRequest(id: string): Promise<RequestView> {
  return requestAsDevice("GET", `/api/requests/${encodeURIComponent(id)}`);
}

export function proposeRule(shown: Shown, scope: RuleProposal["scope"], signal: AbortSignal): Promise<RuleProposal> {
  return requestAsDevice("GET", `${pathOf(shown, "rule")}?scope=${scope}`, undefined, signal);
}

/** Allows the request and stores exactly the rule that was shown. */
export function rememberShownRule({ request, digest, scope, hash }: RuleProposal): Promise<RequestView> {
  return requestAsDevice("POST", pathOf({ id: request }, "remember"), { digest, scope, hash });
}

export function forgetRule(rule: string): Promise<ControlView> {
  return requestAsDevice("POST", "/api/policy/forget", { rule });
}

const LATE: Readonly<Record<string, string>> = {
  DECIDED_ALREADY: "Too late: the request had already ended. Your answer was recorded and changed nothing.",
  NOBODY_WAITS: "The agent no longer waits for an answer. Your answer changed nothing.",
  DIGEST_DIFFERS: "The request changed after it was shown. Your answer changed nothing; review the request again.",
  HUB_UNREACHABLE: "The hub cannot be reached. Nothing was decided here; try again.",
};

/** Explains why an answer was not accepted. */
export function problemWords(error: unknown): string {
  if (!(error instanceof HubProblem)) return "The action failed. Try again.";
  const { code, message, hint } = error.problem;
  return LATE[code] ?? (hint === undefined ? message : `${message} ${hint}`);
}

function pathOf({ id }: Pick<RequestView, "id">, what: string): string {
  return `/api/requests/${encodeURIComponent(id)}/${what}`;
}
