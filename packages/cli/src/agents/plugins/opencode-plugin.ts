import { IMPORTS, PLUGIN_MARK, type PluginOptions, runnerText } from "./runner-text.ts";

/** Hooks that the plugin interface calls; all others come over the bus. */
const CALLED = new Set(["tool.execute.before", "tool.execute.after", "permission.ask"]);

/** For OpenCode, and for Kilo Code, which wants its plugin under another name. */
export function opencodePlugin(options: PluginOptions, kind: "opencode" | "kilo"): string {
  const told = options.hooks.filter((hook) => !CALLED.has(hook));
  return `${PLUGIN_MARK}
${IMPORTS}

${runnerText(options)}

const harmless = new Set(${JSON.stringify(options.harmless)});
const told = new Set(${JSON.stringify(told)});

export const ${kind === "kilo" ? "server" : "Earshot"} = async ({ client, directory, worktree }) => {
  const where = { directory, worktree };
  const abort = (id) => client?.session?.abort?.({ path: { id } })?.catch?.(() => {});
  return {
    "tool.execute.before": async (input, output) => {
      const payload = { hook: "tool.execute.before", input, output, ...where };
      if (harmless.has(input.tool)) return tell("tool.execute.before", payload, "observe");
      let answer;
      try {
        answer = await ask("tool.execute.before", payload);
      } catch (error) {
        throw new Error("Earshot could not be asked, so that nothing is run: " + error.message);
      }
      if (answer?.abort) abort(input.sessionID);
      if (answer?.throw !== undefined) throw new Error(answer.throw);
      if (answer?.args) {
        for (const key of Object.keys(output.args)) delete output.args[key];
        Object.assign(output.args, answer.args);
      }
    },
    "tool.execute.after": async (input, output) => {
      const answer = await ask("tool.execute.after", { hook: "tool.execute.after", input, output, ...where }, ${options.observeS}).catch(() => undefined);
      if (answer?.output !== undefined) output.output = answer.output;
      if (answer?.append !== undefined) output.output += "\\n" + answer.append;
      if (answer?.abort) abort(input.sessionID);
    },
    "permission.ask": async (permission, output) => {
      const answer = await ask("permission.ask", { hook: "permission.ask", permission, ...where }).catch(() => undefined);
      if (answer?.status !== undefined) output.status = answer.status;
      if (answer?.abort) abort(permission.sessionID);
    },
    event: async ({ event }) => {
      if (told.has(event.type)) tell(event.type, { ...event, ...where });
    },
  };
};
`;
}
