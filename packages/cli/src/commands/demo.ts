import { readFileSync } from "node:fs";
import { hubHomeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { playDemo } from "../demo/play.ts";
import { openHub } from "../hub-client.ts";

export const demoCommand = command(
  {
    name: "demo",
    positionals: [],
    about: `Plays a story of about 40 seconds into the running hub: a coding agent, a team of research agents and an invoice desk, in three
protocols. One of them wants to do something risky and waits for you: answer in the dashboard or with earshot inbox. The demo
runs no command and contacts no other machine.`,
    options: {
      speed: { type: "string", default: "1", value: "N", about: "play N times as fast (default: 1)" },
    },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const speed = Number(values.speed);
    if (!(speed >= 0.1 && speed <= 1000))
      throw createUsageError(`--speed cannot be ${JSON.stringify(values.speed)}.`, "Give a number from 0.1 to 1000.");
    const { url } = await openHub(process.env);
    const stop = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
    const began = performance.now();
    io.out(`Playing into the hub at ${url}. Watch it at ${url}/ui/, or in another terminal with earshot tail.\n`);
    const tell = (line: string) => {
      const seconds = Math.floor((performance.now() - began) / 1000);
      io.out(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}  ${line}\n`);
    };
    try {
      await playDemo({ url, token: producerToken(), speed, run: Date.now().toString(36), print: tell, signal: stop.signal });
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      io.out("Stopped. The events that were sent stay in the ledger.\n");
      return EXIT.ok;
    }
    io.out("The demo is over. earshot sessions lists the five sessions, earshot tail --alerts the alerts that the hub raised.\n");
    return EXIT.ok;
  },
);

function producerToken(): string {
  try {
    return readFileSync(hubHomeOf(process.env).producerToken, "utf8").trim();
  } catch (cause) {
    const problem = { code: "NOT_AUTHORISED", message: "The producer's credential of this user cannot be read." } as const;
    throw new EarshotError(problem, { cause });
  }
}
