import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { RPC_METHODS, readRpc, requestText, resultText } from "@earshot/aaep";
import { LineSplitter } from "@earshot/hub/splitters";
import { isObject, type JsonObject, memberText, readJson } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { type CapturedBatch, type CaptureSource, MAX_LINE_BYTES, type SourceNews, toCaptureRequest } from "./source.ts";

export interface CommandSourceOptions {
  /** A program and its arguments, run without a shell. */
  readonly command: readonly string[];
  readonly name: string;
  /** `lines`: it prints events. `aaep`: it is an AAEP producer on its standard streams and waits for a request. */
  readonly speaks: "lines" | "aaep";
  /** Receives its standard error. */
  readonly onLog: (text: string) => void;
  readonly onExit: (exit: CommandExit) => void;
}

/** How a command ended: exit code or signal, and whether the capture stopped it. */
export interface CommandExit {
  readonly code: number | null;
  readonly killed: string | null;
  readonly wasStopped: boolean;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Time for it to exit by itself after the request. */
const PATIENCE_MS = 3000;
const SUBSCRIBE_ID = 1;

/** A command that runs once. Its output is read no faster than the recording is written. */
export class CommandSource implements CaptureSource {
  readonly name: string;
  readonly isCommand = true;
  readonly #options: CommandSourceOptions;

  constructor(options: CommandSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async *read(news: SourceNews, signal: AbortSignal): AsyncGenerator<CapturedBatch> {
    const { speaks, onExit } = this.#options;
    const child = await this.#start();
    const exited = new Promise<void>((resolve) => {
      child.once("close", (code, killed) => {
        onExit({ code, killed, wasStopped: signal.aborted });
        resolve();
      });
    });
    const stop = () => end(child, exited);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const say = (line: string) => void (child.stdin?.writable === true && child.stdin.write(`${line}\n`));
    if (speaks === "aaep")
      say(requestText(SUBSCRIBE_ID, RPC_METHODS.subscribe, toCaptureRequest({ isSigned: false }) as unknown as JsonObject));
    let texts: string[] = [];
    const hear = (line: string) => {
      const text = line.includes('"jsonrpc"') ? unwrap(line, say) : line;
      if (text !== undefined) texts.push(text);
    };
    const refuse = () => news.note(`A line was longer than ${MAX_LINE_BYTES} bytes, or not UTF-8, and was left out.`);
    const lines = new LineSplitter({ handle: hear, refuse }, { maxBytes: MAX_LINE_BYTES });
    try {
      yield { texts, isCaughtUp: true };
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
        lines.write(chunk);
        yield { texts, isCaughtUp: true };
        texts = [];
      }
      lines.end();
      yield { texts, isCaughtUp: true };
      await exited;
    } finally {
      signal.removeEventListener("abort", stop);
      end(child, exited);
      child.stdout.resume(); // what it still says is not wanted, and must not keep it from ending
      await exited;
    }
  }

  async #start(): Promise<Child> {
    const { command, speaks, onLog } = this.#options;
    const [program = "", ...words] = command;
    const child: Child =
      speaks === "aaep"
        ? spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
        : spawn(program, words, { stdio: ["inherit", "pipe", "pipe"], windowsHide: true });
    child.stdin?.on("error", () => {}); // it reads no more: its end says the rest
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => onLog(text));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        const message = `${program} does not start: ${cause.message}`;
        reject(new EarshotError({ code: "WRONG_USAGE", message, hint: "earshot capture -o run.jsonl -- node agent.js" }, { cause }));
      });
    });
    return child;
  }
}

/** The event inside a JSON-RPC message. Requests of the peer are answered. */
function unwrap(line: string, say: (line: string) => void): string | undefined {
  const json = readJson(line);
  if (!json.ok || !isObject(json.value) || json.value["jsonrpc"] !== "2.0") return line;
  const heard = readRpc(json.value);
  if (heard.kind === "request" && heard.method === RPC_METHODS.ping) say(resultText(heard.id, {}));
  if (heard.kind === "notification" && heard.method === RPC_METHODS.event) return memberText(line, "params");
  if (heard.kind === "response" && heard.id === SUBSCRIBE_ID) refused(heard.error ?? heard.result);
  return undefined;
}

/** A producer that rejects the subscription is an error; its other answers are not about events. */
function refused(answer: unknown): void {
  if (!isObject(answer) || answer["type"] === "subscription.accepted") return;
  const said = [answer["reason_message"], answer["reason_code"], answer["message"]].find((text) => typeof text === "string");
  throw new EarshotError({
    code: "PRODUCER_REFUSED",
    message: `The producer refused the subscription: ${String(said ?? "no reason given")}`,
  });
}

function end(child: Child, exited: Promise<void>): void {
  child.stdin?.end();
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const last = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  void exited.then(() => clearTimeout(last));
}
