import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { EarshotError } from "@earshot/protocol/problem";
import { WebSocket } from "ws";
import {
  ChannelConnector,
  CLOSED_BY_SUBSCRIBER,
  errorOfCloseCode,
  SUBPROTOCOL,
  type SubscriberChannel,
  unreachableError,
} from "../subscriber/channel-connector.ts";
import type { Connector } from "../subscriber/connector.ts";
import { JsonRpcMessages } from "../subscriber/json-rpc-messages.ts";
import type { ProducerAddress } from "../subscriber/producer-address.ts";
import { SseConnector } from "../subscriber/sse-connector.ts";
import { TextQueue } from "../subscriber/text-queue.ts";
import { encodeLengthPrefixed, LengthPrefixedParser, LineParser } from "../wire/framings.ts";

/** Credentials for a producer. */
export interface ProducerCredentials {
  readonly headers?: Readonly<Record<string, string>>;
  /** For sockets without headers; part of the request. */
  readonly token?: string | undefined;
}

/** A connector for Node. */
export function createConnector(address: ProducerAddress | StdioCommand, { headers = {}, token }: ProducerCredentials = {}): Connector {
  if ("kind" in address && address.kind === "http") return new SseConnector({ ...address, headers, fetch });
  const open = (signal: AbortSignal) => openChannel(address, headers, signal);
  if ("command" in address) return new ChannelConnector({ transport: "stdio", open });
  return new ChannelConnector({ transport: address.kind, open, ...(address.kind === "socket" ? { token } : {}) });
}

/** A channel for messages in both directions, as texts. Throws if nothing answers. */
export function openChannel(
  address: Exclude<ProducerAddress, { readonly kind: "http" }> | StdioCommand,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SubscriberChannel> {
  if ("command" in address) return openStdio(address);
  return address.kind === "websocket" ? openNodeWebSocket(address.url, headers, signal) : openLocalSocket(address.path, signal);
}

const PING_MS = 30_000;
const LONGEST_BYTES = 4 << 20;

/** Node's WebSocket: sends headers, and reads only as fast as messages are consumed. */
async function openNodeWebSocket(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SubscriberChannel> {
  const socket = new WebSocket(url, [SUBPROTOCOL], {
    headers,
    followRedirects: false,
    maxPayload: LONGEST_BYTES,
    handshakeTimeout: 15_000,
  });
  const texts = new TextQueue({ close: () => socket.pause(), open: () => socket.resume() });
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (!isBinary) texts.push(data.toString("utf8"));
  });
  let failure: Error | undefined;
  socket.on("error", (error: Error) => {
    failure = error;
  });
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const pings = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return;
    if (!isAlive) socket.terminate(); // half open: nobody is there any more
    isAlive = false;
    socket.ping();
  }, PING_MS);
  socket.on("close", (code: number) => {
    clearInterval(pings);
    texts.end(errorOfCloseCode(code));
  });
  const close = () => socket.close(CLOSED_BY_SUBSCRIBER);
  await new Promise<void>((resolve, reject) => {
    const give = () => {
      socket.terminate();
      reject(unreachableError(url));
    };
    socket.once("open", () => {
      signal.removeEventListener("abort", give);
      resolve();
    });
    socket.once("unexpected-response", (_request, { statusCode = 0 }) => reject(refused(url, statusCode)));
    socket.once("close", () => reject(failure === undefined ? unreachableError(url) : unanswered(url, failure)));
    signal.addEventListener("abort", give, { once: true });
    if (signal.aborted) give();
  });
  return {
    texts,
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) throw unreachableError(url);
      socket.send(text);
    },
    close,
  };
}

function refused(url: string, status: number): EarshotError {
  const code = status === 401 || status === 403 ? "PRODUCER_REFUSED" : "PRODUCER_UNREACHABLE";
  return new EarshotError({ code, message: `${url} answered with status ${status} instead of a WebSocket.` });
}

function unanswered(url: string, cause: Error): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${url} does not answer: ${cause.message}` }, { cause });
}

/** A Unix socket, or a named pipe of Windows: length-prefixed messages. */
async function openLocalSocket(path: string, signal: AbortSignal): Promise<SubscriberChannel> {
  const socket = connect(path);
  const texts = new TextQueue({ close: () => socket.pause(), open: () => socket.resume() });
  const parser = new LengthPrefixedParser();
  socket.on("data", (piece: Buffer) => {
    try {
      for (const text of parser.read(piece)) texts.push(text);
    } catch (error) {
      texts.end(error);
      socket.destroy();
    }
  });
  let failure: Error | undefined;
  socket.on("error", (error) => {
    failure = error;
  });
  socket.on("close", () => texts.end());
  await new Promise<void>((resolve, reject) => {
    const give = () => {
      socket.destroy();
      reject(unreachableError(path));
    };
    socket.once("connect", () => {
      signal.removeEventListener("abort", give);
      resolve();
    });
    socket.once("close", () => {
      const message = `${path} does not answer: ${failure?.message ?? "it was closed"}`;
      reject(new EarshotError({ code: "PRODUCER_UNREACHABLE", message }));
    });
    signal.addEventListener("abort", give, { once: true });
    if (signal.aborted) give();
  });
  return {
    texts,
    send: (text) => {
      if (!socket.writable) throw unreachableError(path);
      socket.write(encodeLengthPrefixed(text));
    },
    close: () => {
      socket.end();
      socket.destroySoon();
    },
  };
}

export interface StdioCommand {
  /** A program and its arguments, run without a shell. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Receives its standard error. */
  readonly onLog?: ((text: string) => void) | undefined;
  /** Called at its end with the exit code or signal. */
  readonly onExit?: ((code: number | null, signal: string | null) => void) | undefined;
}

/** Time for it to exit by itself after the request. */
const PATIENCE_MS = 3000;
const LONGEST_LOG = 4096;

/** Runs a producer and speaks JSON-RPC with it over its standard streams. */
async function openStdio(options: StdioCommand): Promise<SubscriberChannel> {
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

/** Closes its input, and kills it after a while. */
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
