import type { HeldRequest } from "./held-request.ts";
import { isOpen } from "./machine.ts";

/** The requests carried by this process: all open ones and the recently ended ones. */
export class HeldTable {
  readonly #open = new Map<string, HeldRequest>();
  readonly #ended = new Map<string, HeldRequest>();
  /** Open ones by session. */
  readonly #scopes = new Map<string, Set<HeldRequest>>();
  #openBytes = 0;
  #endedBytes = 0;
  /** All of them by their action. */
  readonly #actions = new Map<string, Set<HeldRequest>>();

  /** Open and stored requests; those about to be stored are not counted. */
  get openCount(): number {
    let count = 0;
    for (const { machine } of this.#open.values()) if (isOpen(machine)) count++;
    return count;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether there is room for one more of this size. */
  hasRoom(sizeBytes: number): boolean {
    return this.#open.size < MAX_OPEN_ALTOGETHER && this.#openBytes + sizeBytes <= MAX_OPEN_BYTES;
  }

  open(): Iterable<HeldRequest> {
    return this.#open.values();
  }

  find(id: string): HeldRequest | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  findOpen(id: string): HeldRequest | undefined {
    return this.#open.get(id);
  }

  inSession(scope: string): readonly HeldRequest[] {
    return [...(this.#scopes.get(scope) ?? [])];
  }

  openInSession(scope: string): number {
    return this.#scopes.get(scope)?.size ?? 0;
  }

  aboutAction(scope: string, action: string): readonly HeldRequest[] {
    return [...(this.#actions.get(actionKey(scope, action)) ?? [])];
  }

  add(held: HeldRequest): void {
    this.#open.set(held.id, held);
    this.#openBytes += held.sizeBytes;
    put(this.#scopes, held.scope, held);
    this.#index(held);
  }

  /** It has ended but may still be queried. */
  end(held: HeldRequest): void {
    const wasOpen = this.#close(held);
    if (this.#ended.has(held.id)) return;
    this.#ended.set(held.id, held);
    this.#endedBytes += held.sizeBytes;
    if (!wasOpen) this.#index(held);
    for (const [id, oldest] of this.#ended) {
      if (this.#ended.size <= MAX_ENDED && this.#endedBytes <= MAX_ENDED_BYTES) return;
      this.#ended.delete(id);
      this.#endedBytes -= oldest.sizeBytes;
      this.#unindex(oldest);
    }
  }

  /** It was never stored. */
  forget(held: HeldRequest): void {
    this.#close(held);
    this.#unindex(held);
  }

  /** Returns whether it was open, and so indexed. */
  #close(held: HeldRequest): boolean {
    if (!this.#open.delete(held.id)) return false;
    this.#openBytes -= held.sizeBytes;
    take(this.#scopes, held.scope, held);
    return true;
  }

  #index(held: HeldRequest): void {
    const { action } = held.card.terms;
    if (action !== null) put(this.#actions, actionKey(held.scope, action), held);
  }

  #unindex(held: HeldRequest): void {
    const { action } = held.card.terms;
    if (action !== null) take(this.#actions, actionKey(held.scope, action), held);
  }
}

function actionKey(scope: string, action: string): string {
  return `${scope}\n${action}`;
}

function put(map: Map<string, Set<HeldRequest>>, key: string, held: HeldRequest): void {
  map.set(key, (map.get(key) ?? new Set()).add(held));
}

function take(map: Map<string, Set<HeldRequest>>, key: string, held: HeldRequest): void {
  const all = map.get(key);
  all?.delete(held);
  if (all?.size === 0) map.delete(key);
}

/** Maximum open questions per session; more are refused with a reason. */
export const MAX_OPEN = 50;

export function mayOpen(openInSession: number): boolean {
  return openInSession < MAX_OPEN;
}

/** Maximum open requests in total, and their memory. */
export const MAX_OPEN_ALTOGETHER = 10_000;
export const MAX_OPEN_BYTES = 256 * 1024 * 1024;
/** Ended requests kept for late polls and for their aftermath. */
export const MAX_ENDED = 2000;
export const MAX_ENDED_BYTES = 64 * 1024 * 1024;
