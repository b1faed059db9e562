import type { CommandIo } from "@earshot/terminal/io";
import { main } from "./main.ts";
import { escapeUnseen } from "./terminal/escape-unseen.ts";

/** The only module that uses the process's streams, arguments and exit code. */
export async function runProcess(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  const [command = "start"] = process.argv.slice(2);
  // The reader may close the output (`| head`), which is no error. A hub continues.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (command !== "start") process.exit(error.code === "EPIPE" ? 0 : 2);
  });
  // Lost messages are ignored: a hub whose terminal has gone continues.
  stderr.on("error", () => {});
  const noColour = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const io: CommandIo = {
    stdin,
    out: (text) => stdout.write(stdout.isTTY === true ? escapeUnseen(text) : text),
    err: (text) => stderr.write(text),
    terminal: {
      out: stdout.isTTY === true,
      err: stderr.isTTY === true,
      colour: stdout.isTTY === true && !noColour,
      width: stdout.isTTY === true ? Math.max(40, Math.min(stdout.columns || 80, 120)) : 0,
    },
  };
  process.exitCode = await main(process.argv.slice(2), io);
}
