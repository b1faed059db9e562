import { rmSync } from "node:fs";
import { join } from "node:path";
import { readSubmission } from "../intake/submission.ts";
import type { Ledger, Source, Submission } from "../ledger/ledger.ts";
import type { Engine } from "../requests/engine.ts";
import { SPOOL_LIMITS, spooledFiles, takeDropped } from "./hook-spool.ts";
import { readRegularFile } from "./read-regular-file.ts";

export interface SpoolDeliveryPorts {
  readonly folder: string;
  /** Whose word it is: the credential that hooks have. */
  readonly source: string;
  readonly ledger: Ledger;
  readonly engine: Pick<Engine, "heard">;
  readonly now: () => number;
  readonly redacts: (source: Source) => boolean;
  readonly onFailure: (error: unknown) => void;
  /** How often it is looked at; 0 leaves that to whoever calls `deliver`. */
  readonly everyMs?: number;
}

const EVERY_MS = 1000;
const FILES_AT_ONCE = 100;

/**
 * Takes in what hooks kept while there was no hub: in order, and once. A file goes when its lines are on disk; what is read again
 * after a crash between the two is recognised by its ids.
 */
export class SpoolDelivery implements Disposable {
  readonly #ports: SpoolDeliveryPorts;
  readonly #timer: NodeJS.Timeout | undefined;
  #delivering: Promise<void> | undefined;

  constructor(ports: SpoolDeliveryPorts) {
    this.#ports = ports;
    const { everyMs = EVERY_MS } = ports;
    if (everyMs > 0) this.#timer = setInterval(() => void this.deliver(), everyMs).unref();
  }

  /** Fulfils when what was there is delivered, or could not be. */
  deliver(): Promise<void> {
    this.#delivering ??= this.#deliver()
      .catch(this.#ports.onFailure)
      .finally(() => {
        this.#delivering = undefined;
      });
    return this.#delivering;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #deliver(): Promise<void> {
    const { folder, source, ledger, engine } = this.#ports;
    for (let names = spooledFiles(folder); names.length > 0; names = spooledFiles(folder)) {
      const some = names.slice(0, FILES_AT_ONCE);
      const submissions = some.flatMap((name) => this.#read(join(folder, name)));
      const verdicts = await ledger.append(submissions);
      engine.heard(submissions, verdicts);
      for (const name of some) rmSync(join(folder, name), { force: true });
    }
    const dropped = takeDropped(folder);
    if (dropped > 0) ledger.count("hook events dropped", source, dropped);
  }

  #read(path: string): readonly Submission[] {
    const { source: name, ledger, now, redacts, onFailure } = this.#ports;
    let lines: readonly string[];
    try {
      lines = readRegularFile(path, SPOOL_LIMITS.bytes).split("\n");
    } catch (error) {
      onFailure(error);
      ledger.count("hook events dropped", name, 1);
      return []; // no hook has written this
    }
    return lines.flatMap((line) => {
      if (line === "") return [];
      const sizeBytes = Buffer.byteLength(line);
      const read = readSubmission(line, sizeBytes, { name, verified: true, protocol: "aep" }, { receivedAt: now(), redacts });
      if (read.ok) return [read.submission];
      ledger.refuse([{ receivedAt: now(), source: name, problem: read.problem, text: "", sizeBytes }]);
      return [];
    });
  }
}
