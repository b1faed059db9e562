import { Sender, type SenderOptions } from "../import/sender.ts";
import type { HubAccess, Receiver } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

export interface LineReceiverOptions extends SenderOptions {
  readonly name: string;
  readonly path: string;
  readonly hub?: HubAccess | undefined;
}

const MAX_REMEMBERED = 1000;

/**
 * A hub, or whoever else takes JSON lines: in batches, the next one being read while one is on its way. As anybody on this machine
 * posts, without a credential, so that nothing that is played asks or decides anything. Messages are posted as the evidence that
 * they are, to where events are posted.
 */
export class LineReceiver implements Receiver {
  readonly name: string;
  readonly hub: HubAccess | undefined;
  readonly #sender: Sender;
  readonly #repeatPath: string | undefined;
  readonly #said = new Set<string>();
  #sending: Promise<void> = Promise.resolve();

  constructor(options: LineReceiverOptions) {
    this.name = options.name;
    this.hub = options.hub;
    const { path, recognises } = options;
    this.#sender = new Sender(recognises === false ? options : { ...options, path: `${path}?recognise=messages` });
    this.#repeatPath = recognises === false ? undefined : path;
  }

  get counts() {
    return this.#sender.counts;
  }

  get isFull(): boolean {
    return this.#sender.isFull;
  }

  takes(): boolean {
    return true;
  }

  add({ line, text, protocol, kind }: Playable): void {
    const isRepeated = protocol === "aaep" && kind === "message" && !this.#isFirst(text);
    const path = isRepeated ? this.#repeatPath : undefined;
    this.#sender.add({ place: String(line), ordinal: line, text, ...(path === undefined ? {} : { path }) });
  }

  async flush(): Promise<void> {
    await this.#sending;
    this.#sending = this.#sender.send();
    this.#sending.catch(() => {}); // told at the next turn
  }

  async settle(): Promise<void> {
    await this.flush();
    await this.#sending;
  }

  /**
   * Messages of AAEP have no id that a hub would know them by: they are recognised by what they say, so that a replay that is
   * begun again does not say them twice. One that was recorded twice is played twice.
   */
  #isFirst(text: string): boolean {
    if (this.#said.has(text)) return false;
    if (this.#said.size >= MAX_REMEMBERED) this.#said.clear();
    this.#said.add(text);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
