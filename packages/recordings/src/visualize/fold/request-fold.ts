import type { Activity } from "@earshot/protocol/activities";
import type { RequestSpan, TraceMoment } from "../trace.ts";
import { shortenLabel } from "./briefly.ts";
import type { AddedCounts } from "./buckets.ts";
import { OpenSpans } from "./open-spans.ts";

const NOTHING: AddedCounts = {};
const WAITING = "awaiting_input";

/** Requests from asking to answering. */
export class RequestFold {
  readonly spans = new OpenSpans<RequestSpan>();

  handle(activity: Activity, at: TraceMoment): AddedCounts {
    switch (activity.kind) {
      case "request.asked": {
        const { token, eventId, callId, request, prompt } = activity;
        const key = token ?? callId ?? eventId;
        this.spans.begin(keyOf(key), at, (begun) => ({ ...begun, request, prompt: shortenLabel(prompt) }));
        return { requestsAsked: 1 };
      }
      case "handoff":
        this.spans.instant(at, (begun) => ({ ...begun, request: "handoff", prompt: shortenLabel(activity.reason ?? activity.to ?? "") }));
        return { requestsAsked: 1 };
      case "request.answered":
        this.answer(activity.token, activity.answer, activity.by, at);
        return NOTHING;
      case "tool.decided":
        if (activity.verdict === "approved" || activity.verdict === "denied")
          this.#settle(keyOf(activity.callId ?? activity.requestEventId), activity.behavior ?? activity.verdict, activity.by, at);
        return NOTHING;
      case "tool.ended":
      case "tool.started":
        // The requested call has happened: it must have been approved, and the recording lacks the approval.
        if (activity.callId !== undefined) this.#settle(keyOf(activity.callId), undefined, undefined, at);
        return NOTHING;
      case "state":
        if (activity.from === WAITING && activity.to !== WAITING) this.spans.endAll(at);
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  /** Answers the request with this token; without a token, the one that has waited longest. */
  answer(token: string | undefined, answer: string, by: string | undefined, at: TraceMoment): void {
    const key = token === undefined ? this.spans.search(() => true) : keyOf(token);
    this.#settle(key, answer, by, at);
  }

  #settle(key: string | undefined, answer: string | undefined, by: string | undefined, at: TraceMoment): void {
    if (key === undefined) return;
    const answered = {
      ...(answer === undefined ? {} : { answer: shortenLabel(answer, 80) }),
      ...(by === undefined ? {} : { by: shortenLabel(by, 80) }),
    };
    this.spans.end(key, at, (span) => ({ ...span, ...answered }));
  }
}

function keyOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `=${shortenLabel(id, 256)}`;
}
