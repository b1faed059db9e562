import type { Protocol, ProtocolReading } from "./protocol.ts";

export interface Coverage {
  readonly exercised: readonly string[];
  readonly notExercised: readonly string[];
  readonly liveOnly: readonly string[];
}

/** The rules of a level that a recording exercised: a recording that never calls a tool proves nothing about tools. */
export class CoverageMeter {
  readonly #seen = new Set<string>();

  see(reading: ProtocolReading): void {
    const { type, value } = reading;
    this.#seen.add(type);
    if (reading.kind === "event") this.#seen.add("*");
    for (const field in value) {
      const member = value[field];
      if (member === undefined || member === false || member === null) continue;
      this.#seen.add(`${type}/${field}`);
      if (reading.kind === "event") this.#seen.add(`*/${field}`);
    }
  }

  report(protocol: Protocol, level: number): Coverage {
    const exercised: string[] = [];
    const notExercised: string[] = [];
    const liveOnly: string[] = [];
    for (const [id, rule] of Object.entries(protocol.rules)) {
      if (rule.level > level) continue;
      if (rule.decided === "live") liveOnly.push(id);
      else if (rule.exercisedBy.some((trigger) => this.#seen.has(trigger))) exercised.push(id);
      else notExercised.push(id);
    }
    return { exercised, notExercised, liveOnly };
  }
}
