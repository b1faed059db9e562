import { command, type Input } from "../command.ts";
import { setControl } from "../inbox/control-command.ts";
import type { Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";

const WHICH = {
  source: { type: "string", value: "NAME", about: "which session is meant, when several sources use the same id" },
  protocol: { type: "string", choices: ["aaep", "aep", "aop"], about: "for the same purpose" },
  json: { type: "boolean", default: false, about: "print how things are set as JSON" },
} as const;

export const stopSession = command(
  {
    name: "session stop",
    positionals: ["SESSION"],
    about: `Stops an agent: whatever this session asks from now on is answered with stop, or with no where that cannot be said, and so is
what it has asked already. It stays so until: earshot session resume SESSION`,
    options: { reason: { type: "string", about: "why; recorded" }, ...WHICH },
    notes: "It asks for your PIN. An agent that does not ask before it acts cannot be stopped this way.",
  },
  async ({ values, positionals: [session = ""] }, io: Io): Promise<number> =>
    change(session, values, io, {
      action: "stop",
      body: values.reason === undefined ? {} : { reason: values.reason },
      done: `Session ${plainText(session)} is stopped.`,
    }),
);

export const resumeSession = command(
  {
    name: "session resume",
    positionals: ["SESSION"],
    about: "Lets a session go on that was stopped. What it asked meanwhile stays answered as it was.",
    options: WHICH,
    notes: "It asks for your PIN.",
  },
  async ({ values, positionals: [session = ""] }, io: Io): Promise<number> =>
    change(session, values, io, { action: "lift", body: {}, done: `Session ${plainText(session)} may go on.` }),
);

interface Change {
  readonly action: "stop" | "lift";
  readonly body: object;
  readonly done: string;
}

function change(session: string, { source, protocol, json }: Input<typeof WHICH>["values"], io: Io, { action, body, done }: Change) {
  const query = new URLSearchParams({ ...(source === undefined ? {} : { source }), ...(protocol === undefined ? {} : { protocol }) });
  return setControl(`/api/sessions/${encodeURIComponent(session)}/${action}?${query}`, body, io, { json, done });
}
