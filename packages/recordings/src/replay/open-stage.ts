import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hubHomeOf, type RunningHubHandle, startHub } from "@earshot/hub";
import { VERSION } from "@earshot/terminal/version";
import { LineReceiver, type LineReceiverOptions } from "./line-receiver.ts";
import type { ServingReceiver, StagePorts } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

const LOOK_EVERY_MS = 5;
/** Grace period for a listener to reconnect if its stream breaks at the end. */
const RETURN_MS = 5000;

/** Serves a recording: starts a hub in a temporary folder that every program on this machine may read, and plays into it. */
export async function openStage(ports: StagePorts): Promise<ServingReceiver> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-replay-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { port, origins } = ports.serving;
    const hub = await startHub({
      home: hubHomeOf({ EARSHOT_HOME: folder }),
      version: VERSION,
      port,
      allowOrigins: origins,
      isOpenToReaders: true,
      // The recording is served as it is.
      sources: { all: { redact: false } },
      log: () => {},
    });
    return new HubStage(hub, ports, removeFolder);
  } catch (error) {
    removeFolder();
    throw error;
  }
}

class HubStage extends LineReceiver implements ServingReceiver {
  readonly url: string;
  readonly #hub: RunningHubHandle;
  readonly #ports: StagePorts;
  readonly #removeFolder: () => void;

  constructor(hub: RunningHubHandle, ports: StagePorts, removeFolder: () => void) {
    const url = ports.serving.protocol === "aaep" ? `${hub.url}/aaep/v1` : hub.url;
    const { onRefused, onWait } = ports;
    const options: LineReceiverOptions = {
      url: hub.url,
      path: "/v1/events",
      name: `the listeners at ${url}`,
      onRefused: (place, problem) => onRefused(Number(place), problem),
      onWait,
    };
    super(options);
    this.url = url;
    this.#hub = hub;
    this.#ports = ports;
    this.#removeFolder = removeFolder;
  }

  async countListeners(): Promise<number> {
    return (await this.#hub.audience()).listeners;
  }

  override takes({ protocol, kind }: Playable): boolean {
    return protocol === this.#ports.serving.protocol && kind === "event";
  }

  /** Waits until there is a listener if one is required: a recording has no deadline. */
  override async flush(): Promise<void> {
    const { serving, signal, onAlone } = this.#ports;
    if (serving.waitFor > 0 && (await this.countListeners()) === 0) {
      onAlone();
      while ((await this.countListeners()) === 0 && !signal.aborted) await pause(LOOK_EVERY_MS);
    }
    await super.flush();
  }

  override async settle(): Promise<void> {
    await super.settle();
    const { serving, signal } = this.#ports;
    for (let alone = 0; alone < RETURN_MS && !signal.aborted; alone += LOOK_EVERY_MS) {
      const { listeners, isSettled } = await this.#hub.audience();
      if (listeners > 0) {
        if (isSettled) return;
        alone = 0;
      } else if (serving.waitFor === 0) return;
      await pause(LOOK_EVERY_MS);
    }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub.close();
    this.#removeFolder();
  }
}
