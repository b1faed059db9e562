import { parseArgs } from "node:util";
import { setControl } from "../inbox/control-command.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const STOP_SESSION_HELP = `Usage: earshot stop-session SESSION [--reason TEXT]

Stops an agent: whatever this session asks from now on is answered with stop, or with no where that cannot be said, and so is
what it has asked already. It stays so until: earshot resume-session SESSION

  --reason TEXT      why; recorded
  --source NAME      which session is meant, when several sources use the same id
  --protocol NAME    aaep, aep or aop, for the same purpose
  --json             print how things are set as JSON

It asks for your PIN. An agent that does not ask before it acts cannot be stopped this way.
`;

export const RESUME_SESSION_HELP = `Usage: earshot resume-session SESSION

Lets a session go on that was stopped. What it asked meanwhile stays answered as it was.

  --source NAME      which session is meant, when several sources use the same id
  --protocol NAME    aaep, aep or aop, for the same purpose
  --json             print how things are set as JSON

It asks for your PIN.
`;

export function stopSession(argv: readonly string[], io: Io): Promise<number> {
  return change(argv, io, { help: STOP_SESSION_HELP, action: "stop", done: (session) => `Session ${session} is stopped.` });
}

export function resumeSession(argv: readonly string[], io: Io): Promise<number> {
  return change(argv, io, { help: RESUME_SESSION_HELP, action: "lift", done: (session) => `Session ${session} may go on.` });
}

interface Change {
  readonly help: string;
  readonly action: "stop" | "lift";
  readonly done: (session: string) => string;
}

async function change(argv: readonly string[], io: Io, { help, action, done }: Change): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      reason: { type: "string" },
      source: { type: "string" },
      protocol: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(help);
    return EXIT.ok;
  }
  const [session, ...rest] = positionals;
  if (session === undefined || rest.length > 0) throw usage("Name one session.", "earshot sessions lists them; or see earshot inbox.");
  const { source, protocol, reason, json } = values;
  const query = new URLSearchParams({ ...(source === undefined ? {} : { source }), ...(protocol === undefined ? {} : { protocol }) });
  const body = action === "stop" && reason !== undefined ? { reason } : {};
  return setControl(`/api/sessions/${encodeURIComponent(session)}/${action}?${query}`, body, io, { json, done: done(plainText(session)) });
}
