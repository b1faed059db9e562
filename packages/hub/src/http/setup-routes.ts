import { createHash } from "node:crypto";
import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { idParameters, listOf, orNull } from "../api-schema.ts";
import { defineRoute } from "./validation.ts";

const agentSetupSchema = Type.Object({
  agent: Type.String({ description: "its slug" }),
  foundBy: orNull(Type.String(), { description: "the program or folder that shows that it is installed" }),
  version: orNull(Type.String()),
  files: listOf(Type.String(), { description: "the settings files with Earshot's hooks" }),
});
/** An agent on the hub's machine: whether it is installed and connected. */
export type AgentSetup = Static<typeof agentSetupSchema>;

const agentListSchema = Type.Object({
  agents: listOf(agentSetupSchema),
  canConnect: Type.Boolean({ description: "whether the hub may write the agents' settings: not if it runs under an account of its own" }),
  isDemoPlaying: Type.Boolean(),
});
export type AgentList = Static<typeof agentListSchema>;

const setupTextSchema = Type.Object({
  text: Type.String({ description: "as `earshot init` prints it; after writing, without what was shown before" }),
  digest: Type.String({ description: "of the text; connecting sends it back" }),
  isDone: Type.Boolean({ description: "whether everything was written and proven" }),
});
export type SetupText = Static<typeof setupTextSchema>;

/** The work of `earshot init` and `earshot demo`. Supplied by the CLI, which has them. */
export interface SetupPorts {
  readonly list: () => Promise<readonly AgentSetup[]>;
  /** Runs `earshot init` for one agent, or only shows what it would write. */
  readonly init: (agent: string, how: "preview" | "write") => Promise<{ readonly text: string; readonly isDone: boolean }>;
  /** Plays the demo in a process of its own; fulfills at its end. */
  readonly playDemo: (signal: AbortSignal) => Promise<void>;
}

/** Connects agents and plays the demo from a page. Only an approver may: it writes settings and starts programs. */
export function registerSetup(app: FastifyInstance, setup: SetupPorts | undefined, signal: AbortSignal): void {
  let demo: Promise<void> | undefined;
  const ports = (): SetupPorts => {
    if (setup !== undefined) return setup;
    throw new EarshotError({
      code: "NOT_PERMITTED",
      message: "This hub runs under an account of its own and cannot write your agents' settings.",
      hint: "Run `earshot init` in a terminal.",
    });
  };
  const preview = async (agent: string) => {
    const { text, isDone } = await ports().init(agent, "preview");
    return { text, digest: createHash("sha256").update(text).digest("base64url"), isDone };
  };
  const text = { 200: setupTextSchema };

  app.get("/api/agents", defineRoute("viewer", "the coding agents on this machine", { response: { 200: agentListSchema } }), async () => ({
    agents: [...((await setup?.list()) ?? [])],
    canConnect: setup !== undefined,
    isDemoPlaying: demo !== undefined,
  }));

  app.post(
    "/api/agents/:id/preview",
    defineRoute("approver", "shows what connecting an agent would write", { params: idParameters, response: text }),
    async ({ params }) => preview(params.id),
  );

  app.post(
    "/api/agents/:id/connect",
    defineRoute("approver", "writes the hooks of an agent, as they were shown", {
      params: idParameters,
      body: Type.Object({ digest: Type.String() }),
      response: text,
    }),
    async ({ params, body }) => {
      const shown = await preview(params.id);
      const { digest } = shown;
      if (digest !== body.digest)
        throw new EarshotError({
          code: "DIGEST_DIFFERS",
          message: "The agent's settings changed after they were shown. Look at them again.",
        });
      const { text: written, isDone } = await ports().init(params.id, "write");
      return { text: withoutCommonLines(shown.text, written), digest, isDone };
    },
  );

  app.post(
    "/api/demo",
    defineRoute("approver", "plays the demo", { response: { 200: Type.Object({ ok: Type.Literal(true) }) } }),
    async () => {
      demo ??= ports()
        .playDemo(signal)
        .finally(() => {
          demo = undefined;
        });
      demo.catch(() => {}); // its own sessions show how far it came
      return { ok: true } as const;
    },
  );
}

/** The lines of a text after those that it begins with like another. */
function withoutCommonLines(before: string, text: string): string {
  const [known, lines] = [before.split("\n"), text.split("\n")];
  const first = lines.findIndex((line, index) => line !== known[index]);
  return lines.slice(Math.max(first, 0)).join("\n");
}
