import { closeSync, writeSync } from "node:fs";
import type { KeptSubscription, SubscriptionKeeper } from "@earshot/aaep";
import { isObject, type JsonObject } from "@earshot/protocol";
import { writePrivately } from "../home.ts";
import { openForAppending, readRegularFile } from "../regular-file.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SUBSCRIPTIONS = 1000;
/** Superseded lines before the file is rewritten. */
const MAX_LINES_TOO_MANY = 2000;

/**
 * Subscriptions stored beyond this process: terms and owner, never a credential. Each change appends one line, so that a handshake writes
 * little; the last line of a subscription counts. Unreadable lines are ignored, and their subscribers make new subscriptions.
 */
export class SubscriptionFile implements SubscriptionKeeper {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptSubscription>();
  #lines = 0;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
    const text = readText(path);
    for (const line of text.split("\n")) {
      this.#lines++;
      const said = readLine(line);
      if (said === undefined) continue;
      this.#kept.delete(said.id);
      if ("honored" in said) this.#put(said);
    }
    if (!text.endsWith("\n")) this.#lines = 0; // nothing is added to half a line: the next write is that of the whole
  }

  keep(subscription: KeptSubscription): void {
    this.#put(subscription);
    this.#write(subscription);
  }

  find(id: string): KeptSubscription | undefined {
    const found = this.#kept.get(id);
    if (found !== undefined) this.#put(found);
    return found;
  }

  forget(id: string): void {
    if (this.#kept.delete(id)) this.#write({ id });
  }

  #put(subscription: KeptSubscription): void {
    this.#kept.delete(subscription.id);
    this.#kept.set(subscription.id, subscription);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_SUBSCRIPTIONS && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** On disk before the subscriber gets its answer. */
  #write(line: object): void {
    try {
      if (this.#lines === 0 || this.#lines > this.#kept.size + MAX_LINES_TOO_MANY) {
        const all = [...this.#kept.values()];
        writePrivately(this.#path, all.map((one) => `${JSON.stringify(one)}\n`).join(""));
        this.#lines = all.length;
        return;
      }
      appendLine(this.#path, `${JSON.stringify(line)}\n`);
      this.#lines++;
    } catch (error) {
      this.#onFailure(error); // it lives on in this process
    }
  }
}

function appendLine(path: string, line: string): void {
  const descriptor = openForAppending(path);
  try {
    writeSync(descriptor, line);
  } finally {
    closeSync(descriptor);
  }
}

function readText(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch {
    return ""; // nobody has subscribed yet
  }
}

function readLine(line: string): KeptSubscription | { readonly id: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // half a line of a hub that was killed
  }
  if (!isObject(value) || typeof value["id"] !== "string") return undefined;
  const { id, principal, requested, honored } = value as JsonObject;
  if (typeof id !== "string") return undefined;
  return typeof principal === "string" && isObject(requested) && isObject(honored) ? { id, principal, requested, honored } : { id };
}
