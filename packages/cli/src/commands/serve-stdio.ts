import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { EarshotError } from "@earshot/protocol/problem";
import { type HubAccess, openHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { StdioBridge } from "../serve-stdio/stdio-bridge.ts";

export const SERVE_STDIO_HELP = `Usage: earshot serve-stdio [--token-file FILE]

An AAEP producer on standard input and output, for a subscriber that starts it as a child process: JSON-RPC 2.0, one object per
line (aaep.subscribe, aaep.renegotiate, aaep.reply, aaep.close, aaep.ping; aaep.event and aaep.close come back). It passes on what
the running hub serves, and goes on where it stopped when the hub is started again.

  --token-file FILE   a credential for it, made with "earshot token create NAME --role approver". Without one it only reads,
                      and replies do nothing. Whoever can read the file can decide: keep it where no agent can.
`;

export async function serveStdio(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { "token-file": { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    io.out(SERVE_STDIO_HELP);
    return EXIT.ok;
  }
  const file = values["token-file"];
  const shown = file === undefined ? undefined : { authorization: `Bearer ${readToken(file)}` };
  const open = async (): Promise<HubAccess> => {
    const hub = await openHub(process.env);
    return shown === undefined ? hub : { ...hub, headers: shown };
  };
  await open(); // whoever starts this hears at once that there is no hub
  const bridge = new StdioBridge({
    open,
    write: (line) => io.out(`${line}\n`),
    wait: (ms, signal) => pause(ms, undefined, { signal }).catch(() => {}), // woken by the signal, which is looked at next
    onGone: () => io.err("earshot: the hub is gone; waiting for it to come back\n"),
    onBack: () => io.err("earshot: the hub is back\n"),
  });
  for await (const line of linesOf(io)) await bridge.receive(line);
  await bridge.close();
  return EXIT.ok;
}

const LONGEST_LINE = 1 << 20;

/** A line that has no end is no message. */
async function* linesOf({ stdin }: Io): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new EarshotError({ code: "TOO_LARGE", message: "A line is longer than a message may be." });
    for (const line of lines) if (line.trim() !== "") yield line;
  }
}

function readToken(path: string): string {
  try {
    const token = readFileSync(path, "utf8").trim();
    if (/^[\w-]{16,256}$/.test(token)) return token;
  } catch (error) {
    throw new EarshotError(
      { code: "WRONG_USAGE", message: `${path} cannot be read.`, hint: "--token-file names a file with a token in it." },
      { cause: error },
    );
  }
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `There is no token in ${path}.`,
    hint: "It is printed by `earshot token create`.",
  });
}
