import type { AnswerWordName, RequestView } from "@earshot/hub";
import { describeDecision, type Presentation } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import type { HubAccess } from "../hub-client.ts";
import { getRequest, type InboxReply, postAnswer } from "./request-client.ts";
import { describeClosedRequest, terminalPresentation } from "./request-lines.ts";
import { visibleBeginning } from "./visible-text.ts";

/** The result of an answer. */
export interface AnswerResult {
  /** Whether it takes effect: it settled the request or is kept for the next identical one. */
  readonly counts: boolean;
  readonly lines: readonly string[];
  readonly view: RequestView;
  /** Whether a late allow may be kept. */
  readonly keepable: boolean;
}

export interface GiveAnswerOptions {
  /** With a viewer's credential. */
  readonly hub: HubAccess;
  /** With an approver's credential. */
  readonly approver: HubAccess;
  readonly now: number;
  readonly timeZone?: string;
}

/** Answers a request as it was shown and reports the result, including that someone else was first or nobody waits. */
export async function giveAnswer(shown: RequestView, reply: InboxReply, options: GiveAnswerOptions): Promise<AnswerResult> {
  const { hub, approver } = options;
  try {
    const view = await postAnswer(approver, shown, reply);
    const isOurs = view.decision === null || view.decision.answer.word === reply.answer;
    const lines = isOurs
      ? [view.decision === null ? "Answered." : describeDecision(view.decision, view.card, terminalPresentation(options))]
      : ["It came too late, and is kept: if the same is asked again in this session within 30 minutes, it is allowed, once."];
    return { counts: true, lines, view, keepable: false };
  } catch (error) {
    if (!EarshotError.is(error)) throw error;
    const lines = LATE[error.problem.code];
    if (lines === undefined) throw error;
    const view = await getRequest(hub, shown.id);
    const keepable = view.keepable && isYes(reply.answer) && error.problem.code === "DECIDED_ALREADY";
    return { counts: false, lines: lines(view, terminalPresentation(options)), view, keepable };
  }
}

type Told = (view: RequestView, presentation: Presentation) => readonly string[];

const LATE: Readonly<Record<string, Told>> = {
  DECIDED_ALREADY: ({ decision, card }, shown) => [
    `Too late: it had ended before. ${decision === null ? "" : describeDecision(decision, card, shown)}`.trim(),
    "Your answer was recorded and changed nothing.",
  ],
  NOBODY_WAITS: (view) => [visibleBeginning(describeClosedRequest(view), 300), "Your answer changed nothing."],
  DIGEST_DIFFERS: () => ["The request changed after it was shown. Your answer changed nothing; review the request again."],
};

function isYes(word: AnswerWordName): boolean {
  return word === "allow" || word === "accept";
}
