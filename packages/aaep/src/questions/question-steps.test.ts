import { expect, it } from "vitest";
import { QUESTION_STEPS } from "./question-steps.ts";

it("a question ends once, and only its end ends it", () => {
  expect(QUESTION_STEPS).toEqual({
    waiting: { left: "alone", came: "waiting", replied: "ended", expired: "ended", forsaken: "waiting", withdrawn: "ended" },
    alone: { left: "alone", came: "waiting", replied: "ended", expired: "ended", forsaken: "ended", withdrawn: "ended" },
    ended: { left: "ended", came: "ended", replied: "ended", expired: "ended", forsaken: "ended", withdrawn: "ended" },
  });
});
