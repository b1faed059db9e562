import { parseArgs } from "node:util";
import { readDuration } from "../keeping/quantities.ts";
import { usage } from "../usage.ts";
import type { AddressKind } from "./find-source.ts";

export type CaptureArguments = ReturnType<typeof readArguments>;

const HINT = "earshot capture URL, --session ID, --all, or -- COMMAND; and -o FILE";

/** What `earshot capture` is told. Throws where that makes no sense. */
export function readArguments(argv: readonly string[]) {
  const end = argv.indexOf("--");
  const command = end < 0 ? [] : argv.slice(end + 1);
  const { values, positionals } = parseArgs({
    args: end < 0 ? [...argv] : argv.slice(0, end),
    allowPositionals: true,
    options: {
      session: { type: "string" },
      all: { type: "boolean", default: false },
      out: { type: "string", short: "o" },
      redact: { type: "boolean", default: false },
      for: { type: "string" },
      "until-ended": { type: "boolean", default: false },
      follow: { type: "boolean", default: false },
      "no-follow": { type: "boolean", default: false },
      "from-now": { type: "boolean", default: false },
      as: { type: "string" },
      speaks: { type: "string" },
      header: { type: "string", multiple: true, default: [] },
      "signed-by": { type: "string", multiple: true, default: [] },
    },
  });
  const [url, ...more] = positionals;
  const { session, as: kind, speaks = "lines" } = values;
  if (end >= 0 && command.length === 0) throw usage("There is no command after --.", "earshot capture -o run.jsonl -- node agent.js");
  const isNamed = url !== undefined || end >= 0;
  if (more.length > 0 || (url !== undefined && end >= 0)) throw usage("Name one source: an address, or a command after --.", HINT);
  if (!isNamed && !values.all && session === undefined) throw usage("Say what to capture.", HINT);
  if (values.all && (isNamed || session !== undefined)) throw usage("--all is about the running hub, and about all of its sessions.", HINT);
  if (session === "") throw usage("The name of the session is empty.", "`earshot sessions` lists them.");
  if (kind !== undefined && kind !== "aaep" && kind !== "aop" && kind !== "hub")
    throw usage(`--as cannot be ${JSON.stringify(kind)}.`, "Choose one of aaep, aop, hub.");
  if (kind !== undefined && url === undefined) throw usage("--as says what an address is.", HINT);
  if (speaks !== "lines" && speaks !== "aaep") throw usage(`--speaks cannot be ${JSON.stringify(speaks)}.`, "Choose one of lines, aaep.");
  if (values.follow && values["no-follow"]) throw usage("--follow and --no-follow contradict each other.", "Give one of the two.");
  if (values.follow && values["until-ended"]) throw usage("--follow and --until-ended contradict each other.", "Give one of the two.");
  if (values["no-follow"] && values["from-now"]) throw usage("--no-follow with --from-now would capture nothing.", "Give one of the two.");
  if (end >= 0 && (values["no-follow"] || values["from-now"]))
    throw usage("A command has no history: --no-follow and --from-now are for hubs and collectors.", HINT);
  return {
    command,
    url,
    session,
    kind: kind as AddressKind | undefined,
    speaks: speaks as "lines" | "aaep",
    into: values.out === undefined || values.out === "-" ? undefined : values.out,
    redacts: values.redact,
    forMs: values.for === undefined ? undefined : readDuration(values.for, "--for"),
    untilEnded: values["until-ended"] || (session !== undefined && !values.follow),
    follows: !values["no-follow"],
    begin: values["from-now"] ? ("now" as const) : ("start" as const),
    headers: values.header,
    keyFiles: values["signed-by"],
  };
}
