import { ImportSender, type SenderOptions } from "../import/sender.ts";
import type { ReplayHubAccess, ReplayReceiver } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

export interface LineReceiverOptions extends SenderOptions {
  readonly name: string;
  readonly path: string;
  readonly hub?: ReplayHubAccess | undefined;
}

const MAX_REMEMBERED = 1000;

/**
 * A hub or another receiver of JSON lines. Events are sent in batches; the next batch is read while one is in flight. They are posted
 * without a credential, like those of any local process, so a replay opens no requests and decides nothing. Messages are posted as
 * evidence, to the path for events.
 */
export class LineReceiver implements ReplayReceiver {
  readonly name: string;
  readonly hub: ReplayHubAccess | undefined;
  readonly #sender: ImportSender;
  readonly #repeatPath: string | undefined;
  readonly #reported = new Set<string>();
  #sending: Promise<void> = Promise.resolve();

  constructor(options: LineReceiverOptions) {
    this.name = options.name;
    this.hub = options.hub;
    const { path, recognises } = options;
    this.#sender = new ImportSender(recognises === false ? options : { ...options, path: `${path}?recognise=messages` });
    this.#repeatPath = recognises === false ? undefined : path;
  }

  get counts() {
    return this.#sender.counts;
  }

  get isFull(): boolean {
    return this.#sender.isFull;
  }

  takes(_recorded: Playable): boolean {
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
   * AAEP messages have no id by which a hub could recognize them, so they are recognized by content and a restarted replay does not store
   * them twice. A message that was recorded twice is played twice.
   */
  #isFirst(text: string): boolean {
    if (this.#reported.has(text)) return false;
    if (this.#reported.size >= MAX_REMEMBERED) this.#reported.clear();
    this.#reported.add(text);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
