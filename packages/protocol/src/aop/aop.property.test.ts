import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { AOP_DEFECTS, type HeardFinding, hearAop, jumble, orderedAopRecordings, respell, severeRules } from "../../testing/aop.ts";
import { createPick, type Recording } from "../../testing/defect.ts";
import type { JsonObject } from "../json.ts";

const seeds = fc.integer();

const severe = (heard: readonly HeardFinding[]) =>
  heard
    .filter(({ severity }) => severity !== "info")
    .map(({ rule, at, sessionId }) => `${rule} ${at} ${sessionId}`)
    .sort();

/** Recordings, some of which contain one mistake. */
const maybeBroken = fc.tuple(orderedAopRecordings, seeds, fc.boolean()).map(([recording, seed, breaks]): Recording => {
  const pick = createPick(seed);
  const defect = AOP_DEFECTS[pick(AOP_DEFECTS.length)];
  return (breaks ? defect?.apply(recording, pick) : undefined) ?? recording;
});

test("the documented names, the other names and both at once are judged alike", () => {
  const isDocumented = (recording: Recording) =>
    recording.every((item) => JSON.stringify(respell([item], "wild")) !== "" && !hasOtherName(item));
  fc.assert(
    fc.property(
      orderedAopRecordings.filter(isDocumented),
      seeds,
      fc.constantFrom(
        ...AOP_DEFECTS.filter(({ rules }) => !rules.some((rule) => rule.endsWith("-payload") || rule === "aop/cost-is-a-number")),
      ),
      (recording, seed, defect) => {
        for (const said of [recording, defect.apply(recording, createPick(seed)) ?? recording]) {
          const expected = severe(hearAop(said));
          expect(severe(hearAop(respell(said, "wild")))).toEqual(expected);
          expect(severe(hearAop(respell(said, "both")))).toEqual(expected);
        }
      },
    ),
    { numRuns: propertyRuns() },
  );
});

test("arrival out of order and twice changes no error and no warning", () => {
  fc.assert(
    fc.property(maybeBroken, seeds, (recording, seed) => {
      const arrived = jumble(recording, createPick(seed));
      const inOrder = hearAop(recording);
      // A counter that goes back is detected from the order of arrival; a separate test covers it.
      if (hasOddNumbers(recording) || inOrder.some(({ rule }) => rule === "aop/sequence-increases")) return;
      // Of two starts, the one that arrives first is the beginning; the other then looks out of order as well.
      const startsTwice = inOrder.some(({ rule }) => rule === "aop/started-once");
      const rules = (heard: readonly HeardFinding[]) =>
        severeRules(heard, "warning").filter(
          (rule) => !(startsTwice && (rule === "aop/nothing-after-ended" || rule === "aop/started-first")),
        );
      expect(rules(hearAop(arrived))).toEqual(rules(inOrder));
    }),
    { numRuns: propertyRuns() },
  );
});

function hasOtherName(item: JsonObject): boolean {
  const payload = item["payload"] as JsonObject;
  const documented = ["reasoning", "status", "chosen", "description", "tool", "action", "service", "output_summary", "error", "latency_ms"];
  if (item["type"] === "cognition.goal" || item["type"] === "session.heartbeat") return false;
  if (item["type"] === "cognition.decision") return payload["chosen"] !== undefined;
  return (
    documented.some((name) => payload[name] !== undefined) ||
    payload["total_cost_usd"] !== undefined ||
    payload["token_spend_delta"] !== undefined
  );
}

/** If a number is missing or repeated, only the order of arrival is known. */
function hasOddNumbers(recording: Recording): boolean {
  const seen = new Set<string>();
  return recording.some((item) => {
    const key = JSON.stringify([item["session_id"], item["agent_id"], item["sequence"]]);
    const odd = seen.has(key) || !Number.isSafeInteger(item["sequence"]) || Number(item["sequence"]) < 0;
    seen.add(key);
    return odd || typeof item["session_id"] !== "string" || typeof item["agent_id"] !== "string" || item["agent_id"] === "";
  });
}
