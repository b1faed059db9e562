import { leanMemory } from "@earshot/recordings/lean-memory";
import { runReplay, summaryLines } from "@earshot/recordings/replay";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { command } from "../command.ts";
import { findHub } from "../hub-client.ts";
import { REPLAY_OPTIONS, readReplayOptions } from "./replay-options.ts";

/** Everything outside the command: the hub and the stop signal. */
export interface ReplayPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export const replayCommand = command(
  {
    name: "replay",
    positionals: ["FILE"],
    usage: ["FILE --serve aaep|aop [options]"],
    about: `Plays a recording again: the same events in the same order, with the same pauses between them. FILE is JSON lines, a JSON array or
one event, compressed with gzip or not; - is standard input. It is played into your hub, unless --to or --serve says otherwise.

A replay decides nothing. Questions in it do not appear in your inbox, and answers in it settle no request.`,
    options: REPLAY_OPTIONS,
    notes: `Exit code 0: everything was accepted. 1: something was refused or is not an event. 2: the replay failed.`,
  },
  async (input, io: CommandIo, ports: ReplayPorts = ofThisProcess()): Promise<number> => {
    const options = readReplayOptions(input);
    leanMemory();
    const summary = await runReplay(options, io, { signal: ports.signal, findHub: () => findHub(ports.env) });
    if (options.json) io.out(`${JSON.stringify(summary, null, 2)}\n`);
    else io.err(`${summaryLines(summary).join("\n")}\n`);
    return summary.refused + summary.damaged > 0 ? EXIT.found : EXIT.ok;
  },
);

function ofThisProcess(): ReplayPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return { env: process.env, signal: stop.signal };
}
