import { parseArgs } from "node:util";
import type { Adapter } from "../agents/adapter.ts";
import { ADAPTERS } from "../agents/adapters.ts";
import { examine, type Senses } from "../agents/doctor/examine.ts";
import type { Finding } from "../agents/doctor/finding.ts";
import { createSenses } from "../agents/doctor/senses.ts";
import { type Installation, namedAdapters, thisInstallation } from "../agents/installation.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const DOCTOR_HELP = `Usage: earshot doctor [--json]
       earshot doctor --drill [--agent NAME]... [--json]

Says whether the hub answers and the coding agents' hooks are as they should be, and what to do where they are not. The exit code is
1 when something needs to be done.

  --drill        breaks the gate on purpose, in nine ways for each agent, and says whether the tool ran, was blocked or was asked about.
                 Agents are played by a program that follows their documents; nothing of yours is touched.
  --agent NAME   only this agent; may be given several times
  --json         as JSON
`;

export async function doctor(
  argv: readonly string[],
  io: Io,
  installation: Installation = thisInstallation(),
  senses: Senses = createSenses(installation.env),
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      drill: { type: "boolean", default: false },
      agent: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(DOCTOR_HELP);
    return EXIT.ok;
  }
  const names = [...values.agent, ...positionals];
  const adapters = names.length === 0 ? ADAPTERS : namedAdapters(names);
  if (values.drill) return runDrill(adapters, values.json, installation, io);
  const wanted = new Set(adapters.map(({ name }) => name));
  const findings = (await examine(installation, senses)).filter(({ agent }) => agent === undefined || wanted.has(agent));
  io.out(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findingLines(findings));
  return findings.some(({ level }) => level === "trouble") ? EXIT.found : EXIT.ok;
}

function findingLines(findings: readonly Finding[]): string {
  const marks = { trouble: "!!", note: " i", fine: "ok" } as const;
  const lines = findings.map(({ level, agent, message, advice }) => {
    const about = agent === undefined ? "" : `${agent}: `;
    return `${marks[level]} ${plainText(`${about}${message}`)}\n${advice === undefined ? "" : `   ${plainText(advice)}\n`}`;
  });
  const troubles = findings.filter(({ level }) => level === "trouble").length;
  return `${lines.join("")}${troubles === 0 ? "All is well.\n" : `${troubles} thing${troubles === 1 ? "" : "s"} to do.\n`}`;
}

async function runDrill(adapters: readonly Adapter[], json: boolean, { platform }: Installation, io: Io): Promise<number> {
  if (platform === "win32") throw usage("The drill needs a POSIX shell, which Windows has not.", "earshot doctor");
  const { drill } = await import("../agents/drill/drill.ts");
  const { drillLines, isGateBroken } = await import("../agents/drill/drill-lines.ts");
  const results = [];
  for await (const result of drill(adapters)) {
    results.push(result);
    if (io.terminal.err) io.err(`\r${results.length} tried `);
  }
  if (io.terminal.err) io.err("\r");
  const broken = results.filter(isGateBroken);
  if (json) {
    const plain = results.map(({ agent, host, fault, verdict }) => ({ agent: agent.slug, host, fault: fault.name, ...verdict }));
    io.out(`${JSON.stringify(plain, null, 2)}\n`);
  } else {
    io.out("Each agent is played by a program that follows its documents; what the agent itself does, only the agent can show.\n\n");
    io.out(drillLines(results));
    io.out(
      broken.length === 0
        ? "\nWhat the rules refuse did not run, with the hub or without it.\n"
        : `\n${broken.length} ran although the rules refuse it.\n`,
    );
  }
  return broken.length === 0 ? EXIT.ok : EXIT.found;
}
