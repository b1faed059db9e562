import { boundText } from "../brief.ts";
import { isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { both, full, inside, progress } from "./example-events.ts";
import { addNote as readNote } from "./notes.ts";
import type { AaepSessionState } from "./session-state.ts";
import type { AaepSignal, NoteFinding } from "./signal.ts";

export const PROGRESS_RULES = {
  "aaep/progress-updated-payload": defineRule(["error", "event", 1, "§4.2.2", ["agent.progress.updated"]], {
    title: "`progress.updated` has a `progress` object with percent, step, total_steps or description.",
    hint: "percent is 0 to 100; step and total_steps count from 1.",
    examples: () => inside(progress({ percent: 60 }), progress({ percent: 160 })),
  }),
  "aaep/progress-not-empty": defineRule(["error", "event", 1, "§4.2.2", ["agent.progress.updated"]], {
    title: "`progress` has at least one of percent, step, total_steps and description.",
    hint: "Say how far it is, or do not send the event.",
    examples: () => inside(progress({ step: 1 }), progress({})),
  }),
  "aaep/progress-step-within-total": defineRule(["error", "event", 1, "§4.2.2", ["agent.progress.updated"]], {
    title: "`step` is not past `total_steps`.",
    hint: "Raise total_steps when the plan grows.",
    examples: () => inside(progress({ step: 2, total_steps: 5 }), progress({ step: 6, total_steps: 5 })),
  }),
  "aaep/progress-thin": defineRule(["warning", "recording", 1, "§4.2.2", ["agent.progress.updated"]], {
    title: "Progress is reported sparingly.",
    hint: "Report every 5 percent rather than every 1: each one may be spoken.",
    oncePerSession: true,
    examples: () =>
      both(
        full(...[10, 20, 30, 40, 50, 60, 70].map((percent) => progress({ percent }))),
        full(...[1, 2, 3, 4, 5, 6, 7].map((percent) => progress({ percent }))),
      ),
  }),
  "aaep/progress-rises": defineRule(["warning", "recording", 1, "§4.2.2", ["agent.progress.updated"]], {
    title: "The percentage, or step, of one piece of work does not fall.",
    hint: "Report the highest value reached, or another `description` for another piece of work.",
    oncePerSession: true,
    examples: () =>
      both(full(progress({ percent: 20 }), progress({ percent: 60 })), full(progress({ percent: 60 }), progress({ percent: 20 }))),
  }),
} as const;

export function checkSteps({ progress }: JsonObject): void {
  if (!isObject(progress)) return;
  const { step, total_steps: total } = progress;
  if (typeof step === "number" && typeof total === "number" && step > total) {
    readNote("aaep/progress-step-within-total", `Step ${step} of ${total}.`, "/progress/step");
  }
}

export function checkProgress(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  const reported = signal.value["progress"];
  const { percent, step, description, total_steps: total } = isObject(reported) ? reported : {};
  // The agent, the total and the description tell two pieces of work apart.
  const about = boundText(`${signal.agentId} ${total} ${String(description).replace(/\d+/g, "")}`);
  if (typeof step === "number") {
    const { step: former = 0, steps } = session.progress;
    if (steps === about && step < former && former !== total) {
      note("aaep/progress-rises", `Progress falls from step ${former} to step ${step}.`, { pointer: "/progress/step" });
    }
    session.progress.steps = about;
    session.progress.step = step;
  }
  if (typeof percent !== "number") return;
  const last = session.progress.percent;
  if (session.progress.about === about && percent < last && last < 100) {
    note("aaep/progress-rises", `Progress falls from ${last} to ${percent} percent.`, { pointer: "/progress/percent" });
  }
  session.progress.about = about;
  session.progress.close = percent - session.progress.percent < 5 && percent < 100 ? session.progress.close + 1 : 0;
  session.progress.percent = percent;
  if (session.progress.close >= 5)
    note("aaep/progress-thin", "Five updates in a row are less than 5 percent apart.", { pointer: "/progress/percent" });
}
