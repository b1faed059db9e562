import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AccountView } from "@earshot/hub";
import { hubHomeOf } from "@earshot/hub/home";
import { createPinVerifier } from "@earshot/hub/pin-key";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { changeAtHub, type HubAccess, requestFromHub } from "./hub-client.ts";
import { openOwnHub } from "./own-hub.ts";
import { askLine, hasKeyboard } from "./terminal/ask.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartGreetingOptions {
  readonly opens: boolean;
  readonly signal?: AbortSignal;
  /** The greeting of a hub in this process; other hubs are asked. */
  readonly greeting?: StartGreeting;
}

export interface StartGreeting extends Pick<AccountView, "hasApprover"> {
  readonly url: string;
  /** Unseen alarms. */
  readonly alarms: readonly Pick<AccountView["alarms"][number], "at" | "message">[];
}

/**
 * Greets the user of `earshot start`: the dashboard's address, or the way to become the first approver. Without a person at a terminal
 * it asks nothing, opens nothing and prints no code.
 */
export async function printGreeting(io: CommandIo, env: Environment, { opens, signal, greeting }: StartGreetingOptions): Promise<void> {
  // A hub that called itself would load all of Node's `fetch` at a busy moment.
  const { url, hasApprover, alarms } = greeting ?? (await askGreeting(await openOwnHub(env)));
  for (const { at, message } of alarms) io.out(`Alarm, ${plainText(at)}: ${plainText(message)}\n`);
  const isWatched = io.terminal.out;
  const opensBrowser = opens && isWatched && canOpenBrowser();
  if (hasApprover) {
    if (opensBrowser) openBrowser(`${url}/ui/`);
    return;
  }
  if (!isWatched) io.out("No approver is set up. Run `earshot start` in a terminal to set one up.\n");
  else if (opensBrowser) await openStartLink(await openOwnHub(env), io, env);
  else {
    // Over SSH, in WSL or in a container the link is opened in a browser elsewhere; the PIN is for users without one.
    await printStartLink(await openOwnHub(env), io);
    if (hasKeyboard(io)) await offerPin(await openOwnHub(env), io, signal);
  }
}

async function askGreeting(hub: HubAccess): Promise<StartGreeting> {
  return { ...((await (await requestFromHub(hub, "/api/me")).json()) as AccountView), url: hub.url };
}

/** Through a private file: other users can see process arguments, and hence the code. */
async function openStartLink(hub: HubAccess, io: CommandIo, env: Environment): Promise<void> {
  const link = await printStartLink(hub, io);
  const path = join(hubHomeOf(env).folder, "open.html");
  writeFileSync(path, `<!doctype html><meta charset="utf-8"><title>Earshot</title><meta http-equiv="refresh" content="0;url=${link}">\n`, {
    mode: 0o600,
  });
  openBrowser(pathToFileURL(path).href);
  setTimeout(() => rmSync(path, { force: true }), LINK_MS).unref();
}

const LINK_MS = 60_000;

async function printStartLink(hub: HubAccess, io: CommandIo): Promise<string> {
  const { link } = await changeAtHub<{ readonly link: string }>(hub, "POST", "/api/start-code", {});
  io.out(
    `\nThis link makes a browser the first approver. It works once and expires after 60 seconds. For a new link, run \`earshot start\` again:\n  ${link}\n\n`,
  );
  return link;
}

async function offerPin(hub: HubAccess, io: CommandIo, signal: AbortSignal | undefined): Promise<void> {
  const options = { hidden: true, ...(signal === undefined ? {} : { signal }) };
  io.err("No approver is set up. Set a PIN now to approve requests in this terminal and to pair browsers and phones.\n");
  for (;;) {
    const pin = await askLine(io, "New PIN, at least 6 characters (not shown; Enter to do it later): ", options);
    if (pin === undefined || pin === "") {
      io.err("No PIN was set. `earshot start` asks again.\n");
      return;
    }
    if ((await askLine(io, "The same again: ", options)) !== pin) {
      io.err("The two PINs differ. Try again.\n");
      continue;
    }
    try {
      await changeAtHub(hub, "POST", "/api/first-pin", { pin: await createPinVerifier(pin) });
      io.err("Set. `earshot device add` admits a browser or phone.\n");
      return;
    } catch (error) {
      if (!EarshotError.is(error) || error.problem.code !== "PIN_UNSUITABLE") throw error;
      io.err(`${plainText(error.problem.message)}\n`);
    }
  }
}

/** Whether a browser can be opened. */
export function canOpenBrowser(): boolean {
  return process.platform !== "linux" || (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** Best effort: the caller has printed the URL as well. Never with a code in it, because every user can see process arguments. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open", url] : process.platform === "win32" ? ["cmd", "/c", "start", "", url] : ["xdg-open", url];
  if (!canOpenBrowser()) return;
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.once("error", () => {}); // no browser to be opened: the address was printed
  child.unref();
}
