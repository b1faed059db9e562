import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "../../tools/chromium.ts";
import { createAsker } from "../dashboard/asker.ts";
import { openDashboard } from "../dashboard/open-dashboard.ts";
import { type Desktop, openDesktop } from "./desktop.ts";
import { createListener } from "./listener.ts";
import { missingPackages } from "./missing-packages.ts";
import { startOrca } from "./orca-process.ts";
import { play, prepare } from "./story.ts";
import { writeStep, writeTranscript } from "./transcript.ts";

/** Records what a real screen reader says about the dashboard: `node tools/install.cjs scenarios/orca/orca.ts --help`. */
const HELP = `Usage: node tools/install.cjs scenarios/orca/orca.ts [options]

Uses the dashboard by keyboard with Orca, on a screen that nobody sees, and writes down what was spoken.

  --keep FILE      where to (default docs/screen-readers/orca.txt; "-" keeps nothing)
  --debug FILE     what Orca itself writes about its reasons

Exit code 0 when everything was heard that should be, 1 when not, 2 when it cannot run here.
`;

const { values } = parseArgs({
  options: {
    keep: { type: "string", default: "docs/screen-readers/orca.txt" },
    debug: { type: "string" },
    help: { type: "boolean" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help === true) say(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const missing = missingPackages();
  if (missing.length > 0) {
    say(`This needs programs that are not here. On Debian: apt-get install --no-install-recommends ${missing.join(" ")}`);
    return 2;
  }
  await using desktop = await openDesktop();
  const orca = await startOrca(desktop, values.debug);
  const browser = await launchBrowser(desktop);
  const listener = createListener(desktop, orca, (step) => say(writeStep(step)));
  let failure: unknown;
  try {
    // The page closes with the browser, which may be gone; the hub must be stopped in any case.
    const dashboard = await openDashboard(browser, { context: { locale: "en-GB", viewport: null } });
    await using hub = dashboard.hub;
    await using asker = createAsker(hub);
    await prepare(dashboard);
    await orca.untilSilent(0); // what it reads while the browser is admitted is for another day
    await play(listener, { dashboard, asker });
  } catch (error) {
    failure = error;
  } finally {
    await browser.close();
  }
  if (failure === undefined && values.keep !== "-") {
    mkdirSync(dirname(values.keep), { recursive: true });
    writeFileSync(values.keep, writeTranscript(listener.scenes, about(desktop, browser.version())));
  }
  for (const one of listener.missed) say(`NOT HEARD: ${one}`);
  if (failure !== undefined) say(`BROKEN OFF: ${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}`);
  const isGood = failure === undefined && listener.missed.length === 0;
  if (isGood) say("Everything was heard that should be.");
  return isGood ? 0 : 1;
}

/** With a window, because Orca is not told about a headless browser. */
function launchBrowser({ env }: Desktop): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];
  const window = ["--window-position=0,0", "--window-size=1280,1000", "--force-renderer-accessibility"];
  const args = ["--no-sandbox", "--disable-gpu", ...quiet, ...window];
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }; // the desktop is there for those
  return chromium.launch({ executablePath: chromiumPath() ?? "chromium", headless: false, env: { ...env }, args, ...signals });
}

function about({ env }: Desktop, chromiumVersion: string): string {
  const version = execFileSync("orca", ["--version"], { env, encoding: "utf8" }).trim();
  return `What Orca ${version} said in Chromium ${chromiumVersion}, in its own default settings but for the echo of keys.
[Keys] in square brackets, (what happened by itself) in round ones; below each what was spoken then, an utterance on a line.
Written by node tools/install.cjs scenarios/orca/orca.ts.`;
}
