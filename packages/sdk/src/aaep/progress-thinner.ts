/** Each update may be spoken: those that say hardly anything new are left out. */
const LEAST_STEP = 5;

export class ProgressThinner {
  #percent: number | undefined;
  #wentBack = false;
  #said = "";

  /** What to tell of it; undefined where it is not worth telling. */
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

  /** Far enough from the last; the end; or back to a new beginning, but not again and again. */
  #isNews(percent: number | undefined): boolean {
    if (percent === undefined) return false;
    const last = this.#percent;
    if (last === undefined || percent - last >= LEAST_STEP) return true;
    if (percent === 100) return last !== 100;
    return percent < last && !this.#wentBack;
  }
}
