import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { Readable } from "node:stream";
import { agentCards } from "@earshot/agents/files";
import type { AgentSetup, SetupPorts } from "@earshot/hub";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { EARSHOT_FILE } from "../start-detached.ts";
import { locateAgent, readVersion } from "./detect.ts";
import { type Installation, installPlaceFor } from "./installation.ts";
import { Record } from "./record.ts";

/** `earshot init` and `earshot demo` for the dashboard: the same code and the same words as in a terminal. */
export function createSetup(installation: Installation): SetupPorts {
  const versions = new Map<string, Promise<string | undefined>>();
  /** An update is another file, or a newer one. */
  const versionAt = (program: string) => {
    const key = `${program} ${statSync(program, { throwIfNoEntry: false })?.mtimeMs}`;
    const known = versions.get(key) ?? readVersion(program);
    versions.set(key, known);
    return known;
  };
  return {
    list: async () => {
      const place = installPlaceFor(installation, "user");
      const { files } = new Record(place.earshotHome);
      return Promise.all(
        agentCards().map(async (card): Promise<AgentSetup> => {
          const { by, program } = locateAgent(card, place);
          return {
            agent: card.slug,
            foundBy: by ?? null,
            version: program === undefined ? null : ((await versionAt(program)) ?? null),
            files: files.flatMap(({ agent, path }) => (agent === card.slug ? [path] : [])),
          };
        }),
      );
    },
    init: async (agent, how) => {
      const { initCommand } = await import("../commands/init.ts");
      const { io, text } = collect();
      const code = await initCommand(["--agent", agent, how === "preview" ? "--dry-run" : "--yes"], io, installation);
      return { text: text(), isDone: code === EXIT.ok };
    },
    playDemo: async (signal) => {
      const env = { ...installation.env, EARSHOT_URL: "" };
      const child = spawn(process.execPath, ["--disable-sigusr1", EARSHOT_FILE, "demo"], { env, stdio: "ignore", signal });
      await once(child, "close");
    },
  };
}

/** Streams without a person: nothing is asked. */
function collect(): { readonly io: CommandIo; readonly text: () => string } {
  let text = "";
  const write = (piece: string) => {
    text += piece;
  };
  const terminal = { out: false, err: false, colour: false, width: 100 };
  return { io: { stdin: Readable.from([]), out: write, err: write, terminal }, text: () => text };
}
