import { EarshotError, type Problem } from "@earshot/protocol";
import type { Asked } from "../access/asked.ts";
import type { Open } from "../access/connections.ts";
import type { Caller, RouteNeeds } from "../access/gate.ts";
import { startNodeTimer } from "../intake/idle-timeout.ts";
import type { AccessPorts } from "./access.ts";
import { type Answer, toAnswer, toProblem } from "./answer.ts";
import type { PlainHead } from "./plain-head.ts";

/** Takes a request and says so, or leaves it to the router. Looks at the head alone before it has decided. */
export type ShortWay = (post: PlainPost) => boolean;

/** Told of a body that is complete, or why there will be none; one of the two, once. */
export interface Gatherer {
  readonly take: (body: Buffer) => void;
  readonly giveUp: (error: unknown) => void;
}

/** How a post reaches its connection. */
export interface PostPorts {
  readonly socket: Asked["socket"];
  readonly send: (answer: Answer, isLast: boolean) => void;
  readonly destroy: () => void;
}

/** Bodies up to this size are gathered before they are looked at. */
export const GATHERED_BYTES = 256 * 1024;
export const LATE: Problem = { code: "BODY_TIMEOUT", message: "The body did not arrive in time." };
export const CUT_OFF: Problem = { code: "BODY_TIMEOUT", message: "The connection was closed before the body was complete." };

/** A small request whose head was read; its body is here, or on its way. */
export class PlainPost implements Asked, Open {
  readonly method = "POST";
  readonly url: string;
  readonly headers: Asked["headers"];
  readonly socket: Asked["socket"];
  /** How long the body is said to be. */
  readonly size: number;
  readonly #ports: PostPorts;
  #chunks: Buffer[];
  #missing: number;
  #gatherer: Gatherer | undefined;
  #idleMs = 0;
  #stopTimer: (() => void) | undefined;
  #whenOver: (() => void)[] | undefined;
  #isAnswered = false;

  /** `begun` is what has arrived of the body. */
  constructor({ url, headers }: PlainHead, size: number, begun: Buffer, ports: PostPorts) {
    this.url = url;
    this.headers = headers;
    this.socket = ports.socket;
    this.size = size;
    this.#chunks = [begun];
    this.#missing = size - begun.length;
    this.#ports = ports;
  }

  /** How much of the body has still to arrive. */
  get missing(): number {
    return this.#missing;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** The whole body, at once where it is here; it is given up when nothing arrives for so long. */
  gather(idleMs: number, gatherer: Gatherer): void {
    if (this.#missing === 0) {
      gatherer.take(this.#takeBody());
      return;
    }
    this.#gatherer = gatherer;
    this.#idleMs = idleMs;
    this.#waitForMore();
  }

  /** More of the body. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#missing -= chunk.length;
    const gatherer = this.#gatherer;
    if (gatherer === undefined) return;
    if (this.#missing > 0) {
      this.#waitForMore();
      return;
    }
    this.#endGathering();
    gatherer.take(this.#takeBody());
  }

  /** Once; whoever has gone hears nothing. */
  answer(answer: Answer): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#endGathering();
    // What is still to come of a body that was given up must not be taken for the next request.
    this.#ports.send(answer, this.#missing > 0);
    this.#tellOver();
  }

  /** The connection is no more. */
  lose(): void {
    if (this.#gatherer !== undefined) this.#giveUp(CUT_OFF);
    this.#tellOver();
  }

  once(_event: "close", hear: () => void): void {
    this.#whenOver ??= [];
    this.#whenOver.push(hear);
  }

  destroy(): void {
    this.#ports.destroy();
  }

  #giveUp(problem: Problem): void {
    const gatherer = this.#gatherer;
    this.#endGathering();
    gatherer?.giveUp(new EarshotError(problem));
  }

  #waitForMore(): void {
    this.#stopTimer?.();
    this.#stopTimer = startNodeTimer(() => this.#giveUp(LATE), this.#idleMs);
  }

  #endGathering(): void {
    this.#stopTimer?.();
    this.#gatherer = undefined;
  }

  #takeBody(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  }

  #tellOver(): void {
    const all = this.#whenOver ?? [];
    this.#whenOver = undefined;
    for (const hear of all) hear();
  }
}

/** Who posts JSON that is small, where the gate lets it in. Undefined otherwise: the router says what is wrong. */
export function letInPlain(post: PlainPost, needs: RouteNeeds, { gate, connections }: AccessPorts): Caller | undefined {
  if (post.headers["content-type"] !== "application/json" || post.size > GATHERED_BYTES) return undefined;
  let caller: Caller;
  try {
    caller = gate.check(post, needs);
  } catch {
    return undefined;
  }
  if (caller.credential !== undefined) connections?.keep(caller.credential, post);
  return caller;
}

/** What went wrong, as the router would tell it. */
export function tellFailure(error: unknown, onFailure: (error: unknown) => void): Answer {
  const problem = toProblem(error);
  if (problem.code === "INTERNAL") onFailure(error);
  return toAnswer(problem);
}
