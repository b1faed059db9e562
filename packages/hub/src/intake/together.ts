import type { Verdict } from "../verdict.ts";
import type { Piece } from "./piece.ts";
import { bytesOfPiece, type Ports, recordEach } from "./receive.ts";
import type { Origin } from "./submission.ts";

interface Waiting {
  readonly piece: Piece;
  readonly origin: Origin;
  readonly told: (verdict: Verdict) => void;
  readonly failed: (error: unknown) => void;
}

/** So many are recorded at once, so that they are written while the next ones are read. */
const ENOUGH = 16;
/** Masking secrets in more than this takes so long that others have their turn in between. */
export const TURN_BYTES = 256 * 1024;

/**
 * Single events that arrive in one turn of the event loop. They are read one after the other, and recorded in one call: code
 * that runs many times in a row is at hand for the processor, and what a call costs is shared by all of them. They share a
 * transaction anyway.
 */
export class Together {
  readonly #ports: Ports;
  readonly #waiting: Waiting[] = [];
  readonly #record = () => void this.#recordAll();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Told what became of it, or that it failed; the latter at once where there is no room. */
  record(piece: Piece, origin: Origin, told: (verdict: Verdict) => void, failed: (error: unknown) => void): void {
    try {
      this.#ports.admission.admit(origin.name, bytesOfPiece(piece));
    } catch (error) {
      failed(error);
      return;
    }
    this.#waiting.push({ piece, origin, told, failed });
    if (this.#waiting.length === 1) setImmediate(this.#record);
    else if (this.#waiting.length >= ENOUGH && this.#bytesWaiting() <= TURN_BYTES) this.#record();
  }

  async #recordAll(): Promise<void> {
    if (this.#waiting.length === 0) return; // there were enough before the turn was over
    const all = this.#takeTurn();
    if (this.#waiting.length > 0) setImmediate(this.#record);
    const { admission } = this.#ports;
    const release = ({ piece, origin }: Waiting) => admission.release(origin.name, bytesOfPiece(piece));
    let verdicts: readonly Verdict[];
    try {
      verdicts = await recordEach(
        all.map(({ piece }) => piece),
        (index) => (all[index] as Waiting).origin,
        this.#ports,
      );
    } catch (error) {
      for (const waiting of all) {
        release(waiting);
        waiting.failed(error);
      }
      return;
    }
    for (let index = 0; index < all.length; index++) {
      const waiting = all[index] as Waiting;
      release(waiting);
      try {
        waiting.told(verdicts[index] as Verdict);
      } catch (error) {
        waiting.failed(error); // the others are told all the same
      }
    }
  }

  #bytesWaiting(): number {
    return this.#waiting.reduce((sum, { piece }) => sum + bytesOfPiece(piece), 0);
  }

  /** As many as one turn of the event loop takes, and at least one. */
  #takeTurn(): readonly Waiting[] {
    let bytes = 0;
    const rest = this.#waiting.findIndex(({ piece }, index) => {
      bytes += bytesOfPiece(piece);
      return index > 0 && bytes > TURN_BYTES;
    });
    return this.#waiting.splice(0, rest < 0 ? this.#waiting.length : rest);
  }
}
