import { ownOptions } from "../plain/own.ts";
import { MAX_TEXT_CHARACTERS, toCleanText, toSummaryMembers } from "./clean-text.ts";
import { toMs, toWhole } from "./facts.ts";
import type { SessionCore } from "./session-core.ts";
import type { ProgressOptions } from "./session-options.ts";

/** Progress, reported only when it is worth announcing. */
export class ProgressReporter {
  readonly #core: SessionCore;
  readonly #thinner = new ProgressThinner();

  constructor(core: SessionCore) {
    this.#core = core;
  }

  report(options: ProgressOptions): void {
    const { percent: given, step, totalSteps, description, etaMs, summary } = ownOptions(options);
    const total = toWhole(totalSteps, 1);
    const known = withoutGaps({
      step: toWhole(step, 1, total),
      total_steps: total,
      description: toCleanText(description, MAX_TEXT_CHARACTERS.terse),
    });
    const percent = typeof given === "number" && Number.isFinite(given) ? Math.min(100, Math.max(0, given)) : undefined;
    const told = this.#thinner.thin({ percent, rest: Object.keys(known).length === 0 ? "" : JSON.stringify(known) });
    if (told === undefined) return;
    const ownWords = summary === undefined && known["description"] === undefined;
    const words = known["description"] ?? (percent === undefined ? stepWords(known) : `${Math.round(percent)} percent.`);
    const payload = {
      progress: withoutGaps({ percent: told.percent, ...known }),
      eta_ms: toMs(etaMs),
      ...toSummaryMembers(summary, String(words)),
    };
    this.#core.emit("progress.updated", payload, { urgency: "background", ownWords });
  }
}

function stepWords({ step = 1, total_steps: total }: Readonly<Record<string, string | number>>): string {
  return total === undefined ? `Step ${step}.` : `Step ${step} of ${total}.`;
}

function withoutGaps(members: Readonly<Record<string, string | number | undefined>>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Each update may be spoken, so smaller steps are left out. */
const LEAST_STEP = 5;

class ProgressThinner {
  #percent: number | undefined;
  #wentBack = false;
  #said = "";

  /** The part worth reporting, or undefined. */
  thin(progress: { readonly percent: number | undefined; readonly rest: string }): { readonly percent: number | undefined } | undefined {
    const percent = this.#isNews(progress.percent) ? progress.percent : undefined;
    const saysMore = progress.rest !== "" && progress.rest !== this.#said;
    if (percent === undefined && !saysMore) return undefined;
    this.#said = progress.rest;
    if (percent !== undefined) {
      this.#wentBack = this.#percent !== undefined && percent < this.#percent;
      this.#percent = percent;
    }
    return { percent };
  }

  /** A sufficient step, the end, or a restart, but not repeated restarts. */
  #isNews(percent: number | undefined): boolean {
    if (percent === undefined) return false;
    const last = this.#percent;
    if (last === undefined || percent - last >= LEAST_STEP) return true;
    if (percent === 100) return last !== 100;
    return percent < last && !this.#wentBack;
  }
}
