import type { Socket } from "node:net";
import type { Answer } from "./answer.ts";
import { writePlainAnswer } from "./plain-answer.ts";
import { type ReadHead, readPlainHead } from "./plain-head.ts";
import { PlainPost, type PostPorts, type ShortWay } from "./plain-post.ts";

export interface PlainConnectionOptions {
  /** How long the first request may take to begin, and each one after an answer. */
  readonly firstMs: number;
  readonly keepAliveMs: number;
  /** So much longer than it says: who comes at the last moment is not turned away. */
  readonly bufferMs: number;
}

/** Who takes what comes over a connection. */
export interface PlainConnectionPorts {
  readonly shortWay: ShortWay;
  /** Leaves the connection to `node:http`, from now on. */
  readonly handOver: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * A connection over which plain requests come, one after the other; see ADR 0026. What the short way does not take goes to
 * `node:http`, and everything that comes after it: this reads no more of HTTP than such requests need.
 */
export class PlainConnection {
  readonly #socket: Socket;
  readonly #to: PlainConnectionPorts;
  readonly #options: PlainConnectionOptions;
  readonly #ports: PostPorts;
  #head: ReadHead | undefined;
  /** What is under way. */
  #post: PlainPost | undefined;
  /** What came before the answer to what was before it. */
  #early: Buffer | undefined;
  /** Whoever is answered does not read. */
  #isFull = false;
  #isEnding = false;

  readonly #onData = (chunk: Buffer) => this.#read(chunk);
  readonly #onTimeout = () => {
    if (this.#post === undefined) this.#socket.destroy();
  };
  readonly #onDrain = () => {
    this.#isFull = false;
    this.#goOn();
  };
  /** As `node:http` does: who has said all there is to say does not wait for an answer. */
  readonly #onEnd = () => this.#socket.end();
  readonly #onError = () => this.#socket.destroy();
  readonly #onClose = () => {
    this.#isEnding = true;
    this.#post?.lose();
    this.#post = undefined;
  };

  constructor(socket: Socket, to: PlainConnectionPorts, options: PlainConnectionOptions) {
    this.#socket = socket;
    this.#to = to;
    this.#options = options;
    this.#ports = { socket, send: (answer, isLast) => this.#send(answer, isLast), destroy: () => socket.destroy() };
    socket.setTimeout(options.firstMs);
    socket.on("timeout", this.#onTimeout).on("drain", this.#onDrain).on("end", this.#onEnd).on("error", this.#onError);
    socket.on("close", this.#onClose).on("data", this.#onData);
  }

  /** Whoever waits for an answer is not idle, nor is one who has not got all of it. */
  closeIfIdle(): void {
    if (this.#post === undefined && this.#socket.writableLength === 0) this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#isEnding) return;
    const post = this.#post;
    if (post === undefined && !this.#isFull) this.#begin(chunk);
    else if (post !== undefined && post.missing >= chunk.length) post.add(chunk);
    else {
      // The next request, or the end of a body and the next one.
      const rest = post?.missing ?? 0;
      this.#early = this.#early === undefined ? chunk.subarray(rest) : Buffer.concat([this.#early, chunk.subarray(rest)]);
      this.#socket.pause();
      if (rest > 0) post?.add(chunk.subarray(0, rest));
    }
  }

  #begin(chunk: Buffer): void {
    const found = readPlainHead(chunk, this.#head);
    const isAlone = found !== undefined && chunk.length <= found.bodyAt + found.size;
    if (!isAlone) {
      this.#leave(chunk);
      return;
    }
    this.#head = found.head;
    const post = new PlainPost(found.head, found.size, chunk.subarray(found.bodyAt), this.#ports);
    this.#post = post;
    try {
      if (!this.#to.shortWay(post)) this.#leave(chunk);
    } catch (error) {
      // Nobody knows how much was done with it.
      this.#to.onFailure(error);
      this.#socket.destroy();
    }
  }

  #send(answer: Answer, isLast: boolean): void {
    const socket = this.#socket;
    this.#post = undefined;
    if (!socket.writable) return;
    const { text, isAscii } = writePlainAnswer(answer, isLast ? "close" : this.#options.keepAliveMs);
    // ASCII, as nearly always, is written as it is; UTF-8 has to be made.
    this.#isFull = !socket.write(text, isAscii ? "latin1" : "utf8");
    if (isLast) {
      this.#isEnding = true;
      socket.destroySoon();
    } else {
      const { keepAliveMs, bufferMs } = this.#options;
      if (socket.timeout !== keepAliveMs + bufferMs) socket.setTimeout(keepAliveMs + bufferMs);
      if (this.#early !== undefined) process.nextTick(() => this.#goOn());
    }
  }

  /** Takes what came early, once whoever sent it has been answered, and reads the answers. */
  #goOn(): void {
    if (this.#isFull || this.#post !== undefined || this.#isEnding) return;
    const early = this.#early;
    this.#early = undefined;
    this.#socket.resume();
    if (early !== undefined) this.#begin(early);
  }

  #leave(chunk: Buffer): void {
    const socket = this.#socket;
    this.#post = undefined;
    this.#isEnding = true;
    socket.off("timeout", this.#onTimeout).off("drain", this.#onDrain).off("end", this.#onEnd).off("error", this.#onError);
    socket.off("close", this.#onClose).off("data", this.#onData);
    socket.setTimeout(0);
    socket.pause();
    socket.unshift(chunk);
    this.#to.handOver();
    process.nextTick(() => socket.resume());
  }
}
