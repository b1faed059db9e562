import type { AgentCard } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import type { NotifyView } from "@earshot/hub";
import { describeTestNote } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { createDoctorSources } from "../agents/doctor/doctor-sources.ts";
import { type DoctorSources, examine } from "../agents/doctor/examine.ts";
import type { DoctorFinding } from "../agents/doctor/finding.ts";
import { type Installation, namedCards, thisInstallation } from "../agents/installation.ts";
import { command } from "../command.ts";
import { changeAtHub, findHub } from "../hub-client.ts";

export const doctorCommand = command(
  {
    name: "doctor",
    positionals: ["[AGENT…]"],
    about: `Checks that the hub answers and that the coding agents' hooks are in order, and says how to fix what is not. The exit code is 1 if
something needs fixing.`,
    options: {
      drill: {
        type: "boolean",
        default: false,
        about:
          "runs each registered hook line before an action, with a payload from the agent's documentation and rules that refuse everything, while the hub is up, hung, stopped, and replaced by another program. Shows the answer that the agent would get. It works on a copy: your hub, rules and files are not touched",
      },
      notify: {
        type: "boolean",
        default: false,
        about:
          "shows a test notification on the desktop and names the program that showed it. The hub notifies when an agent waits for you: agent, project and kind, never the command. `notify: false` in config.yaml switches it off",
      },
      agent: { type: "string", multiple: true, default: [], value: "NAME", about: "only this agent; may be given several times" },
      json: { type: "boolean", default: false, about: "as JSON" },
    },
    exclusive: [["drill", "notify"]],
  },
  async (
    { values, positionals },
    io: CommandIo,
    installation: Installation = thisInstallation(),
    senses: DoctorSources = createDoctorSources(installation.env),
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

function findingLines(findings: readonly DoctorFinding[]): string {
  const marks = { trouble: "!!", note: " i", fine: "ok" } as const;
  const lines = findings.map(({ level, agent, message, advice }) => {
    const about = agent === undefined ? "" : `${agent}: `;
    return `${marks[level]} ${plainText(`${about}${message}`)}\n${advice === undefined ? "" : `   ${plainText(advice)}\n`}`;
  });
  const troubles = findings.filter(({ level }) => level === "trouble").length;
  return `${lines.join("")}${troubles === 0 ? "All is well.\n" : `${troubles} thing${troubles === 1 ? "" : "s"} to do.\n`}`;
}

async function runDrill(cards: readonly AgentCard[], json: boolean, installation: Installation, io: CommandIo): Promise<number> {
  if (installation.platform === "win32")
    throw createUsageError("The drill needs a POSIX shell, which Windows does not have.", "earshot doctor");
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

/** `earshot doctor --notify`: shows a test notification like the hub, and reports how. */
async function testNotification(json: boolean, io: CommandIo): Promise<number> {
  const hub = await findHub(process.env);
  const byHub = hub === undefined ? undefined : await changeAtHub<NotifyView>(hub, "POST", "/api/notify/test", {});
  const view = byHub ?? (await tryHere());
  const isShown = view.way !== null && view.why === null;
  if (json) io.out(`${JSON.stringify({ ...view, by: byHub === undefined ? "terminal" : "hub", shown: isShown }, null, 2)}\n`);
  else for (const line of await describe(view, byHub !== undefined)) io.out(`${plainText(line)}\n`);
  return isShown ? EXIT.ok : EXIT.found;
}

/** How a hub started here would notify. */
async function tryHere(): Promise<NotifyView> {
  const { findDesktop } = await import("@earshot/hub");
  const found = findDesktop(process.env);
  if ("why" in found) return { way: null, withdraws: false, why: found.why };
  const { name: way, withdraws } = found.desktop;
  try {
    await found.desktop.show(describeTestNote());
    return { way, withdraws, why: null };
  } catch (error) {
    return { way, withdraws, why: error instanceof Error ? error.message : String(error) };
  }
}

async function describe({ way, withdraws, why }: NotifyView, isHub: boolean): Promise<readonly string[]> {
  const who = isHub ? "The hub" : "No hub is running. One that is started here";
  if (way === null) {
    const { findDesktop } = await import("@earshot/hub");
    const hint =
      isHub && "desktop" in findDesktop(process.env) ? ["From this terminal there is a way: earshot hub restart, here, may help."] : [];
    return [`${who} ${isHub ? "does" : "would"} not notify the desktop. ${why ?? ""}`, ...hint];
  }
  const how = `${who} ${isHub ? "notifies" : "would notify"} the desktop: ${way}.`;
  if (why !== null) return [how, `The test could not be shown: ${why}`];
  return [
    how,
    "A test was shown just now. If you saw nothing, look at the desktop's own settings: it may be in a mode without notifications.",
    withdraws ? "What is answered is taken away again." : "What is answered stays until you close it: this desktop takes nothing back.",
  ];
}
