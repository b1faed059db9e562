import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isObject, type JsonObject } from "@earshot/protocol";
import { readObject, unreachable } from "./http-peer.ts";
import { type Connection, isAnswer, type Peer, Stream } from "./peer.ts";

const END_MS = 3000;

/** A producer that is a child process and speaks JSON-RPC over its standard streams. Each connection is a process of its own. */
export function createStdioPeer(command: readonly string[]): Peer {
  const running = new Set<StdioConnection>();
  return {
    transport: "stdio",
    name: command.join(" "),
    shared: false,
    authenticates: false,
    async connect() {
      const connection = await StdioConnection.start(command);
      running.add(connection);
      return connection;
    },
    readManifest: async () => undefined,
    get: async () => undefined,
    async close() {
      await Promise.all([...running].map((connection) => connection.cut()));
    },
  };
}

class StdioConnection implements Connection {
  readonly stream = new Stream();
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, (result: JsonObject | undefined) => void>();
  #nextId = 1;

  private constructor(child: ChildProcess) {
    this.#child = child;
    // Writing to a process that has ended fails; that it has ended is told by its stream.
    child.stdin?.on("error", () => {});
    if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", (line) => this.#hear(line));
    child.once("close", () => {
      this.stream.end();
      for (const resolve of this.#pending.values()) resolve(undefined);
    });
  }

  static async start(command: readonly string[]): Promise<StdioConnection> {
    const [program = "", ...words] = command;
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"] });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => reject(unreachable(`${program} cannot be started.`, cause)));
    });
    return new StdioConnection(child);
  }

  async listen(): Promise<boolean> {
    return true;
  }

  subscribe(request: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    return this.#call("aaep.subscribe", request, waitMs);
  }

  renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    return this.#call("aaep.renegotiate", message, waitMs);
  }

  async say(message: JsonObject): Promise<undefined> {
    this.#write({ jsonrpc: "2.0", method: message["type"] === "subscription.close" ? "aaep.close" : "aaep.reply", params: message });
  }

  async send(message: JsonObject): Promise<undefined> {
    this.#write(message["jsonrpc"] === undefined ? { jsonrpc: "2.0", method: "aaep.message", params: message } : message);
  }

  async cut(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.stdin?.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await closed;
    clearTimeout(timer);
  }

  #write(message: JsonObject): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #call(method: string, params: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(undefined), waitMs);
      const done = (result: JsonObject | undefined) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(result !== undefined && isAnswer(result) ? result : undefined);
      };
      this.#pending.set(id, done);
      this.#write({ jsonrpc: "2.0", id, method, params });
    });
  }

  #hear(line: string): void {
    if (line.trim() === "") return;
    const message = readObject(line);
    const params = message?.["params"];
    if (message?.["jsonrpc"] !== "2.0")
      this.stream.push(line); // tells that it is unreadable, or a bare object
    else if (typeof message["method"] === "string") {
      if (message["method"] === "aaep.ping") this.#write({ jsonrpc: "2.0", id: message["id"] ?? null, result: {} });
      else if (isObject(params)) this.stream.push(JSON.stringify(params));
    } else if (typeof message["id"] === "number") {
      const result = message["result"];
      this.#pending.get(message["id"])?.(isObject(result) ? result : undefined);
    }
  }
}
