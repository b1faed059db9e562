import type { Connector, ConnectRequest, ConnectResult } from "@earshot/aaep";
import { createConnector } from "@earshot/aaep/node";
import { EarshotError } from "@earshot/protocol";

export interface CommandRunsOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly monotonic: () => number;
  /** It has ended, together with everything waiting for an answer. */
  readonly onExit: () => void;
}

/** Maximum consecutive failures; a long run does not count as one. */
const MAX_CRASHES = 3;
const LONG_MS = 60_000;

/** A command that runs while it is attached. Success is final; a failed command is restarted a limited number of times. */
export class CommandRuns implements Connector {
  readonly transport = "stdio";
  readonly #options: CommandRunsOptions;
  readonly #connector: Connector;
  #crashes = 0;
  #startedAt = 0;
  #output = "";
  #ended: string | undefined;

  constructor(options: CommandRunsOptions) {
    this.#options = options;
    const { command, cwd } = options;
    this.#connector = createConnector({
      command,
      cwd,
      onLog: (text) => {
        this.#output = text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
      },
      onExit: (code, signal) => this.#exited(code, signal),
    });
  }

  connect(greeting: ConnectRequest, signal: AbortSignal): Promise<ConnectResult> {
    if (this.#ended !== undefined) throw new EarshotError({ code: "PRODUCER_ENDED", message: this.#ended });
    this.#startedAt = this.#options.monotonic();
    return this.#connector.connect(greeting, signal);
  }

  #exited(code: number | null, signal: string | null): void {
    if (this.#options.monotonic() - this.#startedAt >= LONG_MS) this.#crashes = 0;
    this.#crashes++;
    if (code === 0) this.#ended = "The command has ended.";
    else if (this.#crashes >= MAX_CRASHES) {
      const how = signal === null ? `code ${code}` : `signal ${signal}`;
      this.#ended = `The command failed ${MAX_CRASHES} times, last with ${how}${this.#output === "" ? "." : `: ${this.#output}`}`;
    }
    this.#options.onExit();
  }
}
