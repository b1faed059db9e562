import type { AgentCard } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import { examine, type Senses } from "../agents/doctor/examine.ts";
import type { Finding } from "../agents/doctor/finding.ts";
import { createSenses } from "../agents/doctor/senses.ts";
import { testNotification } from "../agents/doctor/test-notification.ts";
import { type Installation, namedCards, thisInstallation } from "../agents/installation.ts";
import { command } from "../command.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const doctor = command(
  {
    name: "doctor",
    positionals: ["[AGENT…]"],
    about: `Says whether the hub answers and the coding agents' hooks are as they should be, and what to do where they are not. The exit code is
1 when something needs to be done.`,
    options: {
      drill: {
        type: "boolean",
        default: false,
        about:
          "breaks the gate on purpose, in nine ways for each agent, and says whether the tool ran, was blocked or was asked about. Agents are played by a program that follows their documents; nothing of yours is touched.",
      },
      notify: {
        type: "boolean",
        default: false,
        about:
          "shows a test notification on the desktop, in the way the hub would, and says how. The hub notifies when an agent waits for you: agent, project and kind, never the command. `notify: false` in config.yaml switches it off",
      },
      agent: { type: "string", multiple: true, default: [], value: "NAME", about: "only this agent; may be given several times" },
      json: { type: "boolean", default: false, about: "as JSON" },
    },
    exclusive: [["drill", "notify"]],
  },
  async (
    { values, positionals },
    io: Io,
    installation: Installation = thisInstallation(),
    senses: Senses = createSenses(installation.env),
  ): Promise<number> => {
    if (values.notify) return testNotification(values.json, io);
    const names = [...values.agent, ...positionals];
    const cards = names.length === 0 ? agentCards() : namedCards(names);
    if (values.drill) return runDrill(cards, values.json, installation, io);
    const wanted = new Set(cards.map(({ name }) => name));
    const findings = (await examine(installation, senses)).filter(({ agent }) => agent === undefined || wanted.has(agent));
    io.out(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findingLines(findings));
    return findings.some(({ level }) => level === "trouble") ? EXIT.found : EXIT.ok;
  },
);

function findingLines(findings: readonly Finding[]): string {
  const marks = { trouble: "!!", note: " i", fine: "ok" } as const;
  const lines = findings.map(({ level, agent, message, advice }) => {
    const about = agent === undefined ? "" : `${agent}: `;
    return `${marks[level]} ${plainText(`${about}${message}`)}\n${advice === undefined ? "" : `   ${plainText(advice)}\n`}`;
  });
  const troubles = findings.filter(({ level }) => level === "trouble").length;
  return `${lines.join("")}${troubles === 0 ? "All is well.\n" : `${troubles} thing${troubles === 1 ? "" : "s"} to do.\n`}`;
}

async function runDrill(cards: readonly AgentCard[], json: boolean, { platform }: Installation, io: Io): Promise<number> {
  if (platform === "win32") throw usage("The drill needs a POSIX shell, which Windows has not.", "earshot doctor");
  const { drill, drillConclusion, drillLines, isGateBroken } = await import("../agents/drill.ts");
  const results = [];
  for await (const result of drill(cards)) {
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
    io.out(drillConclusion(results));
  }
  return broken.length === 0 ? EXIT.ok : EXIT.found;
}
