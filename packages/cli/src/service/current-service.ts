import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { homeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { EARSHOT_FILE } from "../start-detached.ts";
import { type Service, serviceFor } from "./service.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The service of this user on this system, run by the Node and the command that run now. */
export function currentService(env: Environment): Service {
  const given = env["EARSHOT_HOME"];
  const folder = resolve(homeOf(env).folder);
  const launch = {
    node: process.execPath,
    command: EARSHOT_FILE,
    home: given === undefined || given === "" ? undefined : folder,
    output: join(folder, "hub-output.log"),
  };
  const place = { platform: process.platform, env, userHome: homedir(), hubHome: folder, userId: process.getuid?.() ?? 0 };
  const service = serviceFor(launch, place);
  if (service !== undefined) return service;
  const message = `There is no way here to start something at login on ${process.platform}.`;
  throw new EarshotError({ code: "WRONG_USAGE", message, hint: `Have your system run: ${launch.node} ${launch.command} start --no-open` });
}
