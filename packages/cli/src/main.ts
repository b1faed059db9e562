import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol/problem";
import { EXIT, type Io } from "./io.ts";
import { plainText } from "./terminal/plain-text.ts";
import { VERSION } from "./version.ts";

type Command = (argv: readonly string[], io: Io) => Promise<number>;

/** Loaded when asked for, so that each command starts with its own code only. */
const COMMANDS: Readonly<Record<string, { readonly does: string; readonly load: () => Promise<Command> }>> = {
  start: {
    does: "run the hub, which hears agents on this machine",
    load: async () => (await import("./commands/start.ts")).start,
  },
  stop: { does: "stop the hub, and say where it stopped", load: async () => (await import("./commands/stop.ts")).stop },
  restart: { does: "start the hub again, losing nothing", load: async () => (await import("./commands/restart.ts")).restart },
  service: { does: "have the hub start when you log in", load: async () => (await import("./commands/service.ts")).service },
  demo: { does: "play a story into the hub, to see what it does", load: async () => (await import("./commands/demo.ts")).demo },
  init: { does: "have the coding agents here run Earshot's hook", load: async () => (await import("./commands/init.ts")).init },
  remove: { does: "take the hooks out again, byte for byte", load: async () => (await import("./commands/remove.ts")).remove },
  doctor: { does: "check hub and hooks, or break them on purpose", load: async () => (await import("./commands/doctor.ts")).doctor },
  uninstall: { does: "remove Earshot from this machine", load: async () => (await import("./commands/uninstall.ts")).uninstall },
  config: { does: "check and show the settings", load: async () => (await import("./commands/config.ts")).config },
  pair: { does: "admit a browser or phone; list, revoke", load: async () => (await import("./commands/pair.ts")).pair },
  token: { does: "credentials for other programs", load: async () => (await import("./commands/token.ts")).token },
  "reset-approver": {
    does: "remove every approver, when all are lost",
    load: async () => (await import("./commands/reset-approver.ts")).resetApprover,
  },
  attach: { does: "have the hub listen to an AAEP producer", load: async () => (await import("./commands/attach.ts")).attach },
  detach: { does: "have it listen to that no more", load: async () => (await import("./commands/attach-detach.ts")).detach },
  inbox: {
    does: "what waits for an answer, live; decide with keys",
    load: async () => (await import("./commands/inbox.ts")).inbox,
  },
  allow: { does: "say yes to a request", load: async () => (await import("./commands/allow.ts")).allow },
  deny: { does: "say no to a request", load: async () => (await import("./commands/deny.ts")).deny },
  answer: { does: "answer a question", load: async () => (await import("./commands/answer.ts")).answer },
  away: { does: "let questions wait for you while you are away", load: async () => (await import("./commands/away.ts")).away },
  notify: { does: "try whether your desktop is notified", load: async () => (await import("./commands/notify.ts")).notify },
  pause: { does: "leave everything to the agents for a while", load: async () => (await import("./commands/pause.ts")).pause },
  "stop-session": {
    does: "stop an agent: answer all it asks with stop",
    load: async () => (await import("./commands/stop-session.ts")).stopSession,
  },
  "resume-session": {
    does: "let a stopped session go on",
    load: async () => (await import("./commands/stop-session.ts")).resumeSession,
  },
  policy: {
    does: "check, try, explain, suggest and accept rules",
    load: async () => (await import("./commands/policy.ts")).policy,
  },
  tail: { does: "follow what agents say, as it comes in", load: async () => (await import("./commands/tail.ts")).tail },
  listen: { does: "hear what agents do, and answer by key", load: async () => (await import("./commands/listen.ts")).listen },
  sessions: { does: "list the sessions: who runs, waits, failed", load: async () => (await import("./commands/sessions.ts")).sessions },
  show: { does: "tell what happened in a session", load: async () => (await import("./commands/show.ts")).show },
  search: { does: "find what was said", load: async () => (await import("./commands/search.ts")).search },
  costs: { does: "add up what agents say they spent", load: async () => (await import("./commands/costs.ts")).costs },
  alerts: { does: "list what looked wrong: loops, failures, silence", load: async () => (await import("./commands/alerts.ts")).alerts },
  "serve-stdio": {
    does: "be an AAEP producer on stdin and stdout, for the running hub",
    load: async () => (await import("./commands/serve-stdio.ts")).serveStdio,
  },
  capture: {
    does: "record what a producer, collector, hub or command says",
    load: async () => (await import("./commands/capture.ts")).capture,
  },
  export: { does: "print a session as JSON lines", load: async () => (await import("./commands/export.ts")).exportSession },
  refused: { does: "list what the hub refused, and why", load: async () => (await import("./commands/refused.ts")).refused },
  import: {
    does: "take in an AOP collector's database, or recordings",
    load: async () => (await import("./commands/import.ts")).importFiles,
  },
  replay: { does: "play a recording again: to a hub, or as a producer", load: async () => (await import("./commands/replay.ts")).replay },
  prune: { does: "remove what is old, and give its room back", load: async () => (await import("./commands/prune.ts")).prune },
  backup: {
    does: "copy the ledger, while the hub runs, and verify the copy",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  erase: { does: "remove the text of one entry beyond recovery", load: async () => (await import("./commands/erase.ts")).erase },
  verify: { does: "check that nothing stored was changed", load: async () => (await import("./commands/verify.ts")).verify },
  map: { does: "show what a coding agent's hook payload means in AEP", load: async () => (await import("./commands/map.ts")).map },
  hook: { does: "what coding agents run; see `earshot init`", load: async () => (await import("./commands/hook.ts")).hook },
  visualize: {
    does: "draw what the agents in a recording or session did",
    load: async () => (await import("./commands/visualize.ts")).visualize,
  },
  check: { does: "check recordings, or drive a live AAEP peer", load: async () => (await import("./commands/check.ts")).check },
  diff: { does: "tell where two runs of a task part ways", load: async () => (await import("./commands/diff.ts")).diff },
  explain: { does: "say what a rule or a problem code means", load: async () => (await import("./commands/explain.ts")).explain },
  rules: { does: "list the rules of the three protocols", load: async () => (await import("./commands/rules.ts")).rules },
};

const HELP = `Usage: earshot COMMAND [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { does }]) => `  ${name.padEnd(15)} ${does}`)
  .join("\n")}

earshot COMMAND --help tells more. earshot --version prints the version.
`;

export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name = "start", ...rest] = argv;
  if (name === "--help" || name === "-h" || name === "help") {
    io.out(HELP);
    return EXIT.ok;
  }
  if (name === "--version" || name === "-v") {
    io.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    tell(io, { code: "WRONG_USAGE", message: `There is no command ${JSON.stringify(name)}.` });
    return EXIT.unusable;
  }
  try {
    const run = await command.load();
    return await run(rest, io);
  } catch (error) {
    // An agent would take any other exit code of its hook for an answer.
    if (name === "hook") return EXIT.ok;
    return fail(error, io);
  }
}

function fail(error: unknown, io: Io): number {
  if (EarshotError.is(error)) {
    tell(io, error.problem);
    return EXIT.unusable;
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof Error && code.startsWith("ERR_PARSE_ARGS")) {
    tell(io, { code: "WRONG_USAGE", message: error.message.split(". ")[0] ?? "The options were not understood." });
    return EXIT.unusable;
  }
  tell(io, { code: "INTERNAL", message: error instanceof Error ? `${error.name}: ${error.message}` : "An unknown failure." });
  return EXIT.unusable;
}

function tell(io: Io, problem: Problem): void {
  io.err(`earshot: ${plainText(problem.message)}\n${plainText(problem.hint ?? PROBLEMS[problem.code].help)}\n`);
}
