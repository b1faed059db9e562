import type { Input } from "../command.ts";
import { readDuration } from "../keeping/quantities.ts";
import { usage } from "../usage.ts";
import type { AddressKind } from "./find-source.ts";

export type CaptureArguments = ReturnType<typeof readArguments>;

const HINT = "earshot capture URL, --session ID, --all, or -- COMMAND; and -o FILE";

export const CAPTURE_OPTIONS = {
  session: { type: "string", value: "ID", about: "this session of the running hub or of URL. Stops when the session ends" },
  all: { type: "boolean", default: false, about: "everything that the running hub hears" },
  out: { type: "string", short: "o", value: "FILE", about: "write there; without it, or with -, print" },
  redact: { type: "boolean", default: false, about: "mask secrets of known shapes before they are written" },
  for: { type: "string", value: "30s", about: "stop after this time: s, m, h, d" },
  "until-ended": { type: "boolean", default: false, about: "stop when every session that was captured has ended" },
  follow: { type: "boolean", default: false, about: "with --session: continue after the session ends" },
  "no-follow": { type: "boolean", default: false, about: "capture what is recorded so far and stop; for hubs and collectors" },
  "from-now": {
    type: "boolean",
    default: false,
    about: "leave out earlier events; for hubs and collectors. AAEP producers only send new events",
  },
  as: { type: "string", choices: ["aaep", "aop", "hub"], about: "what URL is, if detection fails" },
  speaks: {
    type: "string",
    value: "aaep",
    about: "COMMAND is an AAEP producer that speaks JSON-RPC and waits for a request. Without it, COMMAND prints events",
  },
  header: {
    type: "string",
    multiple: true,
    default: [],
    value: "TEXT",
    about: 'sent with every request: "Authorization: Bearer …". @FILE reads such lines from a file. May be repeated',
  },
  "signed-by": {
    type: "string",
    multiple: true,
    default: [],
    value: "FILE",
    about: "listen only to an AAEP producer whose manifest this public key has signed: PEM or JWK. May be repeated",
  },
} as const;

/** What `earshot capture` is told. Throws where that makes no sense. */
export function readArguments({ values, positionals, command: words }: Input<typeof CAPTURE_OPTIONS>) {
  const command = words ?? [];
  const [url, ...more] = positionals;
  const { session, as: kind, speaks = "lines" } = values;
  if (words !== undefined && command.length === 0)
    throw usage("There is no command after --.", "earshot capture -o run.jsonl -- node agent.js");
  const isNamed = url !== undefined || words !== undefined;
  if (more.length > 0 || (url !== undefined && words !== undefined))
    throw usage("Name one source: an address, or a command after --.", HINT);
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
  if (words !== undefined && (values["no-follow"] || values["from-now"]))
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
