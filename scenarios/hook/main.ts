import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { ALL_HOSTS } from "../../packages/cli/src/agents/testing/hosts/play-host.ts";
import { COMES_TO } from "./comes-to.ts";
import { DESTRUCTIVE, HARMLESS } from "./commands.ts";
import { openHookBench } from "./hook-bench.ts";

/** The long versions of the tests: `node tools/install.cjs scenarios/hook/main.ts --help`. */
const HELP = `Usage: node tools/install.cjs scenarios/hook/main.ts [options]

  --runs N         hooks while both cores are busy (default 1000)
  --deadline S     how long the simulated agent waits for each (default 30)
  --only WHAT      stopped, or busy
`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    deadline: { type: "string", default: "30" },
    only: { type: "string" },
    help: { type: "boolean" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
let isGood = true;

/** With the hub stopped and the guard preset, for each agent. */
async function withoutHub(): Promise<void> {
  await using bench = await openHookBench({ policy: "extends: guard\n" });
  await bench.hub().kill("SIGTERM");
  for (const host of ALL_HOSTS) {
    const count = { blocked: 0, ran: 0 };
    for (const command of HARMLESS) {
      bench.forbidStarting();
      if (["blocked", "asked"].includes((await bench.call(host, command)).tool)) count.blocked++;
    }
    for (const command of DESTRUCTIVE) {
      bench.forbidStarting();
      const { tool } = await bench.call(host, command);
      // An agent that cannot be told to ask prompts by itself without an answer.
      if (tool === "ran" || tool === "failed" || (tool === "left" && COMES_TO[host.name]?.ask !== "left")) count.ran++;
    }
    isGood &&= count.blocked === 0 && count.ran === 0;
    say(
      `${host.name.padEnd(16)} ${count.blocked} of ${HARMLESS.length} harmless blocked, ${count.ran} of ${DESTRUCTIVE.length} destructive run`,
    );
  }
}

/** With the hub up and the machine busy. */
async function whileBusy(): Promise<void> {
  const [runs, seconds] = [Number(values.runs), Number(values.deadline)];
  await using bench = await openHookBench({ policy: "extends: guard\n" });
  const busy = Array.from({ length: 2 }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  const times: number[] = [];
  let wrong = 0;
  try {
    for (let run = 0; run < runs; run++) {
      const host = ALL_HOSTS[run % ALL_HOSTS.length];
      if (host === undefined) throw new Error("There are no hosts.");
      const isHarmless = run % 2 === 0;
      const command = (isHarmless ? HARMLESS[run % HARMLESS.length] : DESTRUCTIVE[run % DESTRUCTIVE.length]) ?? "ls";
      const { tool, tookMs } = await bench.call(host, command, seconds);
      times.push(tookMs);
      if (isHarmless ? tool !== "left" : tool !== COMES_TO[host.name]?.ask) wrong++;
    }
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
  times.sort((one, other) => one - other);
  const late = times.filter((time) => time > seconds * 1000).length;
  const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0);
  say(
    `${late} of ${runs} past ${seconds} s with both cores busy, ${wrong} with another answer; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
  );
  isGood &&= late === 0 && wrong === 0;
}

if (values.help === true) say(HELP);
else {
  if (values.only !== "busy") await withoutHub();
  if (values.only !== "stopped") await whileBusy();
  process.exitCode = isGood ? 0 : 1;
}
