import { existsSync } from "node:fs";
import { EarshotError } from "@earshot/protocol";
import type { AttachBody, AttachmentView } from "./api.ts";
import type { Attachments, AttachmentsPorts } from "./attachments.ts";

/** The hub's attachments. What they are made of is loaded by a hub that has any, or is told to attach itself, and by no other. */
export class AttachDesk implements AsyncDisposable {
  readonly #ports: AttachmentsPorts;
  #opening: Promise<Attachments> | undefined;
  #isClosed = false;

  constructor(ports: AttachmentsPorts) {
    this.#ports = ports;
  }

  /** Takes up those that there were before. */
  start(): void {
    if (existsSync(this.#ports.path)) this.#open().catch(this.#ports.onFailure);
  }

  async list(): Promise<readonly AttachmentView[]> {
    return (await this.#opening)?.list() ?? [];
  }

  async attach(body: AttachBody, by: string): Promise<AttachmentView> {
    return (await this.#open()).attach(body, by);
  }

  async detach(id: string, by: string): Promise<AttachmentView> {
    return (await this.#open()).detach(id, by);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined); // whoever wanted it has heard
    await opened?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #open(): Promise<Attachments> {
    if (this.#isClosed) throw new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "The hub is stopping." });
    this.#opening ??= import("./attachments.ts").then((loaded) => {
      const attachments = new loaded.Attachments(this.#ports);
      if (!this.#isClosed) attachments.start();
      return attachments;
    });
    return this.#opening;
  }
}
