import { expect, test } from "vitest";
import { judgeDecision, type RequestDecision } from "./decision.ts";
import type { RequestRow } from "./plan.ts";

const AT = { position: 9, now: Date.UTC(2026, 0, 2) };
const OPEN: RequestRow = {
  id: "r",
  kind: "permission",
  deadlineAt: 1000,
  card: "{}",
  digest: "d",
  position: 1,
  session: "s",
  sessionKey: 1,
  openedAt: 0,
  state: "open",
  settledBy: null,
};
const ENDED: RequestRow = { ...OPEN, state: "withdrawn", settledBy: 5 };
const END: RequestDecision = { requestId: "r", state: "answered-by-person", digest: "d", by: "ann", answer: '"yes"' };
const EXTEND: RequestDecision = { requestId: "r", state: "open", digest: "d", by: "ann", deadlineAt: 2000 };

test.each<readonly [string, RequestDecision, RequestRow | undefined, object, string | undefined, Partial<RequestRow> | undefined]>([
  ["on no request", END, undefined, { ok: false, why: "unknown" }, undefined, undefined],
  ["on an open request", END, OPEN, { ok: true, position: 9 }, "decision", { state: "answered-by-person", settledBy: 9 }],
  ["about something else than was shown", { ...END, digest: "x" }, OPEN, { ok: false, why: "digest" }, "decision.mismatched", undefined],
  ["about something else, too late", { ...END, digest: "x" }, ENDED, { ok: false, why: "digest" }, "decision.mismatched", undefined],
  ["on an ended request", END, ENDED, { ok: false, why: "late", state: "withdrawn", settledBy: 5 }, "decision.late", undefined],
  [
    "for a deadline that was moved",
    { ...END, deadlineAt: 1 },
    OPEN,
    { ok: false, why: "extended", deadlineAt: 1000 },
    undefined,
    undefined,
  ],
  ["for the deadline that it has", { ...END, deadlineAt: 1000 }, OPEN, { ok: true }, "decision", { settledBy: 9 }],
  ["that gives more time", EXTEND, OPEN, { ok: true }, "decision.extended", { state: "open", deadlineAt: 2000 }],
  ["that gives less time", { ...EXTEND, deadlineAt: 500 }, OPEN, { ok: true }, "decision.extended", { deadlineAt: 1000 }],
  ["that gives more time too late", EXTEND, ENDED, { ok: false, why: "late" }, "decision.late", undefined],
])("a decision %s", (_case, decision, request, result, type, changed) => {
  const planned = judgeDecision(decision, request, AT);
  expect(planned.result).toMatchObject(result);
  expect(planned.entry?.type).toBe(type);
  expect(planned.entry?.kind).toBe(type === undefined ? undefined : planned.result.ok ? 2 : 3);
  if (changed === undefined) expect(planned.request).toBeUndefined();
  else expect(planned.request).toMatchObject(changed);
});

test("the entry says what was decided, by whom and when", () => {
  const { entry } = judgeDecision({ ...END, reason: "because" }, OPEN, AT);
  expect(entry).toMatchObject({ agent: "ann", verified: 1, receivedAt: AT.now });
  expect(JSON.parse(entry?.text ?? "")).toEqual({
    request: "r",
    state: "answered-by-person",
    digest: "d",
    by: "ann",
    answer: '"yes"',
    at: "2026-01-02T00:00:00.000Z",
    reason: "because",
  });
});

test("where several processes decide, silence needs the newest lease and a deadline that has passed by the database's clock", () => {
  const silence: RequestDecision = { ...END, state: "defaulted", by: "hub", deadlineAt: 1000, fence: 2 };
  const resultAt = (now: number, fence: number) => judgeDecision(silence, OPEN, { ...AT, shared: { now, fence } }).result;
  expect(resultAt(1000, 2)).toMatchObject({ ok: true });
  expect(resultAt(1000, 3)).toEqual({ ok: false, why: "fenced" });
  expect(resultAt(100, 2)).toEqual({ ok: false, why: "extended", deadlineAt: 1000 });
});
