import { spawn } from "node:child_process";
import { once } from "node:events";
import { EARSHOT } from "../../tools/built-command.ts";

/** A served replay in its own process. */
export async function serveReplay(...words: readonly string[]) {
  const child = spawn(process.execPath, [EARSHOT, "replay", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const url = await new Promise<string>((found, failed) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const match = /serving the recording at ([^\s;]+)[;\n]/.exec(said);
      if (match?.[1] !== undefined) found(match[1]);
    });
    child.once("exit", () => failed(new Error(said)));
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, said }));
  return {
    url,
    ended,
    said: () => said,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
