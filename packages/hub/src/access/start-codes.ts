import { createCode, hashOf } from "./secrets.ts";

export const START_CODE_MS = 60_000;
/** One may be opened twice in a hurry: a few count at a time. */
const MOST_CODES = 3;

/** One-time codes of the link that `earshot start` opens. */
export class StartCodes {
  readonly #now: () => number;
  #codes: readonly { readonly hash: string; readonly until: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(): string {
    const code = createCode();
    this.#codes = [...this.#codes, { hash: hashOf(code), until: this.#now() + START_CODE_MS }].slice(-MOST_CODES);
    return code;
  }

  isGood(code: string): boolean {
    const hash = hashOf(code);
    return this.#codes.some((one) => one.hash === hash && one.until > this.#now());
  }

  /** With the first approver the time of start codes is over. */
  forget(): void {
    this.#codes = [];
  }
}
