import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { rejectRequest } from "../producer/negotiate.ts";
import { readObjectText } from "../producer/read-message.ts";
import { encodeLengthPrefixed, LengthPrefixedParser } from "../wire/framings.ts";
import { type LocalBindingPorts, PeerWatch, unsentBytes } from "./binding.ts";
import { toPublicProblem, toRejection } from "./http-answers.ts";
import { prepareSocket } from "./local-socket.ts";
import { LAST_DATA_GRACE_MS, MAX_UNINTELLIGIBLE_MESSAGES, type ServedChannel, serveChannel } from "./serve-channel.ts";

export interface SocketBindingOptions extends LocalBindingPorts {
  /** `localSocketPath(agentId)`, or another pipe or socket address; unused without listening. */
  readonly path: string;
}

/** The name in the manifest. */
export const SOCKET_FRAMING = "uint32-be-length";

const MAX_CONNECTIONS = 256;
/** How long a peer may stay unidentified. */
const STRANGER_MS = 10_000;

/** AAEP over a Unix socket or a Windows named pipe: length-prefixed messages in both directions. */
export class SocketBinding {
  readonly #options: SocketBindingOptions;
  readonly #server: Server;
  readonly #peers = new Set<Socket>();
  readonly #watch = new PeerWatch();

  constructor(options: SocketBindingOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.serve(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
    options.producer.onClose(() => void this.close());
  }

  /** Throws PORT_TAKEN if the address is in use. */
  async listen(): Promise<void> {
    const { path } = this.#options;
    const isPipe = path.startsWith("\\\\.\\pipe\\");
    if (!isPipe) await prepareSocket(path);
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(path, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    if (!isPipe) chmodSync(path, 0o600);
    this.#server.on("error", (error) => this.#options.onFailure?.(error));
  }

  async close(): Promise<void> {
    this.#watch.close();
    for (const socket of this.#peers) end(socket);
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Serves one peer, including one accepted by another server. */
  serve(socket: Socket): void {
    const parser = new LengthPrefixedParser();
    let served: ServedChannel | undefined;
    let isTurnedAway = false;
    let nonsense = 0;
    this.#peers.add(socket);
    const unwatch = this.#watch.add({ unsentBytes: () => unsentBytes(socket), destroy: () => socket.destroy() });
    const stranger = setTimeout(() => socket.destroy(), STRANGER_MS).unref();

    const hear = async (text: string): Promise<void> => {
      if (served === undefined && !isTurnedAway) {
        const read = readObjectText(text);
        if (!read.ok) {
          if (++nonsense >= MAX_UNINTELLIGIBLE_MESSAGES) end(socket);
          return;
        }
        served = await this.#meet(socket, read.value);
        isTurnedAway = served === undefined;
        if (!isTurnedAway) clearTimeout(stranger);
      }
      served?.receive(text);
    };
    const hearAll = async (texts: readonly string[]): Promise<void> => {
      for (const text of texts) await hear(text);
    };
    socket.on("data", (bytes: Buffer) => {
      let texts: readonly string[];
      try {
        texts = parser.read(bytes);
      } catch {
        // After an invalid frame the start of the next one is unknown.
        socket.destroy();
        return;
      }
      // Reading pauses during processing, so that work cannot pile up.
      socket.pause();
      void hearAll(texts)
        .catch((error: unknown) => this.#options.onFailure?.(error))
        .finally(() => socket.resume());
    });
    socket.on("drain", () => served?.connection.drained());
    socket.on("error", () => {}); // broken connections are closed, and that is listened to
    socket.on("end", () => end(socket));
    socket.on("close", () => {
      clearTimeout(stranger);
      unwatch();
      this.#peers.delete(socket);
      served?.connection.closed();
    });
  }

  async #meet(socket: Socket, first: Parameters<LocalBindingPorts["authorise"]>[0]): Promise<ServedChannel | undefined> {
    const { producer, authorise } = this.#options;
    try {
      const principal = await authorise(first, socket);
      if (socket.destroyed) return undefined;
      return serveChannel(producer, { principal }, { write: (text) => write(socket, text), end: () => end(socket) });
    } catch (error) {
      const problem = toPublicProblem(error);
      if (problem.code === "INTERNAL") this.#options.onFailure?.(error);
      write(socket, JSON.stringify(toRejection(problem) ?? rejectRequest("unknown", problem.message).rejected));
      end(socket);
      return undefined;
    }
  }
}

function write(socket: Socket, text: string): boolean {
  return socket.writable ? socket.write(encodeLengthPrefixed(text)) : false;
}

function end(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LAST_DATA_GRACE_MS).unref();
}
