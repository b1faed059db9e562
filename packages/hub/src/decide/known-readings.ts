import { type PolicyReading, type PolicySource, readPolicy } from "@earshot/policy";

const MOST = 64;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Texts of rules that were read lately: to read a large one takes long, and each is asked about several times. */
export class KnownReadings {
  readonly #file: string;
  readonly #known = new Map<string, PolicyReading>();
  #characters = 0;

  constructor(file: string) {
    this.#file = file;
  }

  read(text: string, kind: PolicySource["kind"]): PolicyReading {
    const key = `${kind} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = readPolicy({ text, file: this.#file, kind });
    if (this.#known.size >= MOST || this.#characters + key.length > MOST_CHARACTERS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#known.set(key, reading);
    this.#characters += key.length;
    return reading;
  }
}
