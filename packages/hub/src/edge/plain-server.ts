import { Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { Handler } from "./listen.ts";
import { PlainConnection } from "./plain-connection.ts";
import type { ShortWay } from "./plain-post.ts";

/** Who answers: the short way whatever it takes, `handle` everything else. */
export interface Desk {
  readonly handle: Handler;
  readonly shortWay: ShortWay;
  /** Told what went wrong inside, for the log. */
  readonly onFailure?: (error: unknown) => void;
}

/** A server of `node:http` that sees a connection once something comes over it that the short way does not take. */
export class PlainServer extends Server {
  readonly #plain = new Set<PlainConnection>();

  constructor(options: ServerOptions, { handle, shortWay, onFailure = () => {} }: Desk) {
    super(options, handle);
    const [takeOver, other] = this.listeners("connection");
    if (takeOver === undefined || other !== undefined) throw new Error("This Node takes connections in another way.");
    this.removeAllListeners("connection");
    this.on("connection", (socket: Socket) => {
      const leave = () => this.#plain.delete(connection);
      const handOver = () => {
        leave();
        socket.off("close", leave);
        takeOver.call(this, socket);
      };
      const times = { firstMs: this.headersTimeout, keepAliveMs: this.keepAliveTimeout, bufferMs: this.keepAliveTimeoutBuffer };
      const connection = new PlainConnection(socket, { shortWay, handOver, onFailure }, times);
      this.#plain.add(connection);
      socket.once("close", leave);
    });
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const connection of this.#plain) connection.closeIfIdle();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const connection of this.#plain) connection.close();
  }
}
