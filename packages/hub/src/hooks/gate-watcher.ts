import type { GateFault } from "../requests/api.ts";

/** The working folder of an agent's session. Settings in that folder may disable the agent's hooks. */
export interface AgentFolder {
  readonly agent: string;
  readonly cwd: string;
}

/** Checks whether registered hooks can block a call: launcher, settings, switches. Supplied by the CLI, which installs the hooks. */
export type LookAtGates = (folders: readonly AgentFolder[]) => Promise<readonly GateFault[]>;

export interface GateWatcherPorts {
  readonly look: LookAtGates;
  readonly folders: () => readonly AgentFolder[];
  /** Stores the faults that were found, and returns the new ones. */
  readonly set: (faults: readonly GateFault[]) => readonly GateFault[];
  readonly alarm: (fault: GateFault) => void;
  readonly onFailure: (error: unknown) => void;
  readonly everyMs?: number;
}

const EVERY_MS = 2000;

/** Detects within seconds that an agent's hooks no longer block its calls, whatever the cause. */
export class GateWatcher implements Disposable {
  readonly #ports: GateWatcherPorts;
  readonly #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(ports: GateWatcherPorts) {
    this.#ports = ports;
    const { everyMs = EVERY_MS } = ports;
    if (everyMs > 0) this.#timer = setInterval(() => void this.look(), everyMs).unref();
    void this.look();
  }

  /** Resolves when the check has finished or failed. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#ports.onFailure)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { look, folders, set, alarm } = this.#ports;
    for (const fault of set(await look(folders()))) alarm(fault);
  }
}
