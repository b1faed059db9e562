import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type Child, pathOfUser, startChild } from "./child.ts";

/** Starts the official AOP collector if it has been built; otherwise prints a line and returns undefined. */
export async function startCollector(folder: string | undefined, dataFolder: string): Promise<Child | undefined> {
  if (folder === undefined || folder === "") {
    console.log("The official AOP collector is not compared: AOP_COLLECTOR_DIR does not name the folder of a built one.");
    return undefined;
  }
  const PATH = pathOfUser();
  const script = new URL("./servers/aop-collector.mjs", import.meta.url).pathname;
  const version = execFileSync("node", ["--version"], { env: { ...process.env, PATH }, encoding: "utf8" }).trim();
  console.log(`The official AOP collector in ${folder} runs on Node ${version}, the one on the user's PATH.`);
  // The collector kills the process that holds its port, so it gets a free one.
  const port = await freePort();
  return startChild({ command: ["node", script, folder, String(port), join(dataFolder, "collector.db")], env: { PATH } });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
