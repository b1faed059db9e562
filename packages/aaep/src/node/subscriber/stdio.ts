import { type ChildProcess, spawn } from "node:child_process";
import { EarshotError } from "@earshot/protocol/problem";
import type { SubscriberChannel } from "../../subscriber/channel-connector.ts";
import { JsonRpcMessages } from "../../subscriber/json-rpc-messages.ts";
import { TextQueue } from "../../subscriber/text-queue.ts";
import { LineParser } from "../../wire/ndjson.ts";

export interface StdioCommand {
  /** A program and its arguments; no shell looks at them. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What it writes for people. */
  readonly onLog?: ((text: string) => void) | undefined;
  /** How it ended: its code, or the signal that ended it. */
  readonly onExit?: ((code: number | null, signal: string | null) => void) | undefined;
}

/** It has so long to end by itself after it was told to. */
const PATIENCE_MS = 3000;
const LONGEST_LOG = 4096;

/** Runs a producer, and speaks JSON-RPC with it over its standard input and output. */
export async function openStdio(options: StdioCommand): Promise<SubscriberChannel> {
  const [program = "", ...words] = options.command;
  const child = spawn(program, words, {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  const { stdin, stdout, stderr } = child;
  const rpc = new JsonRpcMessages();
  const lines = new LineParser(4 << 20);
  const texts = new TextQueue({ close: () => stdout.pause(), open: () => stdout.resume() });
  const write = (line: string) => {
    if (!stdin.writable) throw gone(program);
    stdin.write(`${line}\n`);
  };
  stdout.setEncoding("utf8");
  stdout.on("data", (piece: string) => {
    try {
      for (const line of lines.read(piece)) {
        const heard = rpc.fromLine(line);
        if (heard.kind === "said") texts.push(heard.text);
        else if (heard.kind === "asked") write(heard.answer);
      }
    } catch (error) {
      texts.end(error);
      child.kill();
    }
  });
  stdin.on("error", () => {}); // it reads no more: its end says the rest
  stderr.setEncoding("utf8");
  stderr.on("data", (text: string) => options.onLog?.(text.slice(0, LONGEST_LOG)));
  child.on("close", (code, killed) => {
    texts.end();
    options.onExit?.(code, killed);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) =>
      reject(new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `It does not start: ${error.message}` })),
    );
  });
  return { texts, send: (text) => write(rpc.toLine(text)), close: () => end(child) };
}

/** Its input ends: time to go. Who does not is made to. */
function end(child: ChildProcess): void {
  child.stdin?.end();
  if (child.exitCode !== null || child.signalCode !== null) return;
  const later = setTimeout(() => child.kill("SIGTERM"), PATIENCE_MS);
  const last = setTimeout(() => child.kill("SIGKILL"), 2 * PATIENCE_MS);
  child.once("close", () => {
    clearTimeout(later);
    clearTimeout(last);
  });
}

function gone(program: string): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${program} does not listen any more.` });
}
