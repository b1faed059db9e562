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
          "runs each registered hook line before an action, with a payload from the agent's documentation and rules that refuse everything, while the hub is up, hung, stopped, and replaced by another program. Shows what the agent would be told. It works on a copy: your hub, rules and files are not touched",
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

async function runDrill(cards: readonly AgentCard[], json: boolean, installation: Installation, io: Io): Promise<number> {
  if (installation.platform === "win32") throw usage("The drill needs a POSIX shell, which Windows has not.", "earshot doctor");
  const { drill, drillConclusion, drillLines, HUB_STATES, isGateBroken, registeredLines } = await import("../agents/drill.ts");
  const lines = registeredLines(installation, cards);
  if (lines.length === 0) {
    io.out(json ? "[]\n" : "No hooks before actions are registered, so there is nothing to drill. Register them: earshot init\n");
    return EXIT.found;
  }
  const results = [];
  for await (const result of drill(lines, installation)) {
    results.push(result);
    if (io.terminal.err) io.err(`\r${results.length} of ${lines.length * HUB_STATES.length} `);
  }
  if (io.terminal.err) io.err("\r");
  if (json) {
    const plain = results.map(({ line: { card, path, hook, command }, hub, run, refuses, leaks }) => ({
      agent: card.slug,
      path,
      hook,
      command,
      hub,
      refuses,
      leaks,
      ...run,
    }));
    io.out(`${JSON.stringify(plain, null, 2)}\n`);
  } else {
    io.out("The answers are what the hook prints; what the agent does with them, only the agent can show.\n\n");
    io.out(drillLines(results));
    io.out(drillConclusion(results));
  }
  return results.some(isGateBroken) ? EXIT.found : EXIT.ok;
}
