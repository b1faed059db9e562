import { utterance } from "./utterance.ts";

/** The hub's address, which may be down at any time. */
export interface Place {
  readonly url: string;
  /** Fulfills when the hub may be up again. */
  up(): Promise<void>;
}

interface Acknowledgement {
  readonly position: number;
  readonly duplicate: boolean;
}

interface Sending {
  readonly numbers: readonly number[];
  /** An earlier attempt may have been stored without an acknowledgment. */
  tried: boolean;
}

const LARGEST_BATCH = 20;

/**
 * Sends events one by one or in batches and records their acknowledged positions. Unacknowledged ones are sent again unchanged until they
 * are acknowledged; at times it repeats old ones.
 */
export class Speaker {
  readonly name: number;
  /** Positions by event number, for exactly the acknowledged ones. */
  readonly positions: number[] = [];
  /** Descriptions of wrong answers; each is a defect. */
  readonly complaints: string[] = [];
  /** Numbers of resent events without an answer, and of those that had been stored anyway. */
  resent = 0;
  recognised = 0;
  readonly #random: () => number;
  #next = 0;

  constructor(name: number, random: () => number) {
    this.name = name;
    this.#random = random;
  }

  /** Sends until told to stop, then until everything is acknowledged. */
  async speak(place: Place, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.positions.length > 0 && this.#random() < 0.05) await this.#sayAgain(place);
      else await this.#sayNew(place);
    }
  }

  async #sayNew(place: Place): Promise<void> {
    const count = this.#random() < 0.6 ? 1 : 2 + Math.floor(this.#random() * (LARGEST_BATCH - 1));
    const sending: Sending = { numbers: Array.from({ length: count }, () => this.#next++), tried: false };
    const answers = await this.#sendUntilAnswered(sending, place);
    for (const [index, number] of sending.numbers.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      if (answer.duplicate && !sending.tried) this.complaints.push(`${this.name}.${number} is new and was called a duplicate.`);
      if (answer.duplicate) this.recognised++;
      this.positions[number] = answer.position;
    }
  }

  async #sayAgain(place: Place): Promise<void> {
    const number = Math.floor(this.#random() * this.positions.length);
    const [answer] = await this.#sendUntilAnswered({ numbers: [number], tried: true }, place);
    const position = this.positions[number];
    if (answer === undefined || (answer.duplicate && answer.position === position)) return;
    this.complaints.push(`${this.name}.${number} stood at ${position}; said again, it was answered ${JSON.stringify(answer)}.`);
  }

  async #sendUntilAnswered(sending: Sending, place: Place): Promise<readonly Acknowledgement[]> {
    const body = sending.numbers.map((number) => utterance(this.name, number)).join("\n");
    const isSingle = sending.numbers.length === 1;
    for (;;) {
      const response = await send(`${place.url}/v1/events${isSingle ? "" : "?verdicts=all"}`, body, isSingle);
      if (response?.status === 200) return this.#readAnswers(response.text, isSingle, sending);
      if (response !== undefined && response.status !== 503) {
        this.complaints.push(`${this.name} was answered ${response.status}: ${response.text.slice(0, 200)}`);
        return [];
      }
      sending.tried = true;
      this.resent += sending.numbers.length;
      await place.up();
    }
  }

  #readAnswers(text: string, isSingle: boolean, { numbers }: Sending): readonly Acknowledgement[] {
    const answer = JSON.parse(text) as Acknowledgement & { readonly verdicts?: readonly (Acknowledgement & { readonly ok: boolean })[] };
    const verdicts = isSingle ? [{ ...answer, ok: true }] : (answer.verdicts ?? []);
    if (verdicts.length !== numbers.length || verdicts.some(({ ok }) => !ok)) {
      this.complaints.push(`${this.name} was answered ${text.slice(0, 200)}`);
      return [];
    }
    return verdicts;
  }
}

/** Undefined without a complete answer, which promises nothing. */
async function send(url: string, body: string, isSingle: boolean): Promise<{ status: number; text: string } | undefined> {
  try {
    const type = isSingle ? "application/json" : "application/x-ndjson";
    const response = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined; // the hub is down, or died while answering
  }
}
