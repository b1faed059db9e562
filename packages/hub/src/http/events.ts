import type { FastifyInstance } from "fastify";
import { Admission } from "../intake/admission.ts";
import type { Ports } from "../intake/receive.ts";
import { Together } from "../intake/together.ts";
import { callerOf } from "./access.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import { type EventAddress, type EventLimits, eventQuery, type Intake, TAKEN, takeEvents } from "./take-events.ts";

export const EVENT_LIMITS: EventLimits = { eventBytes: 1024 * 1024, idleMs: 30_000, bodyMs: 60_000, roomMs: 30_000 };
/** What unfinished bodies have sent so far: of each at most one event of the longest is kept. */
const HOLDING = { queueBytes: 256 * 1024 * 1024, sourceShare: 0.75, strangerShare: 0.5 };

/** Where events are taken. */
export const EVENT_ADDRESSES: Readonly<Record<string, EventAddress & { readonly summary: string }>> = {
  "/v1/events": { shape: "ours", summary: "one event, an array, or NDJSON, in AAEP, AEP or AOP" },
  "/aep/v1/events": { shape: "ours", protocol: "aep", summary: "the same, AEP only" },
  "/aaep/v1/events": { shape: "ours", protocol: "aaep", summary: "the same, AAEP only" },
  "/events": { shape: "collector", protocol: "aop", summary: "one AOP event" },
};

export function openIntake(ports: Ports, limits: EventLimits = EVENT_LIMITS): Intake {
  return { ports, limits, together: new Together(ports), holding: new Admission(HOLDING) };
}

/** The routes that take events. */
export function registerEvents(app: FastifyInstance, intake: Intake): void {
  for (const [url, { summary, ...address }] of Object.entries(EVENT_ADDRESSES)) {
    const config = { access: "speaker", takes: TAKEN, summary } as const;
    app.post(url, { config, schema: { querystring: eventQuery } }, async (request, reply) => {
      let answer: Answer;
      try {
        answer = await takeEvents(request.raw, { query: request.query, caller: callerOf(request), ...address }, intake);
      } finally {
        // What is still to come of a body that was given up must not be taken for the next request, nor waited for.
        if (!request.raw.complete) reply.header("connection", "close");
      }
      return sendAnswer(reply, answer);
    });
  }
}
