import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { EarshotError, PROBLEMS, type ProtocolName, ruleOf } from "@earshot/protocol";
import { readBaseline } from "../check/baseline.ts";
import type { CheckOptions } from "../check/check-file.ts";
import { findInputs } from "../check/inputs.ts";
import { createProgress } from "../check/progress.ts";
import { type Format, RENDERERS } from "../check/report/render.ts";
import { runCheck, totalBytes } from "../check/run.ts";
import { EXIT, type Io } from "../io.ts";
import { oneOf, usage } from "../usage.ts";
import { VERSION } from "../version.ts";

export const CHECK_HELP = `Usage: earshot check FILE... [options]
       earshot check producer URL|-- COMMAND [options]
       earshot check subscriber --listen ADDRESS [options]

Checks recordings of AAEP, AEP and AOP events: every event by itself, and how they fit together.
A FILE is JSONL, a JSON array or a single event, plain or .gz; a folder or a pattern names several; - is standard input.

"producer" and "subscriber" drive a live AAEP peer; --help after either tells more. A file of that name: ./producer.

Options:
  --protocol aaep|aep|aop|auto   which protocol to expect; auto tells it line by line (default)
  --level 1|2|3                  also list which clauses of this level the recordings never put to the test
  --require-coverage             with --level: clauses never put to the test count as failures
  --strict                       warnings count as failures
  --baseline FILE                accept known problems, each with a reason:
                                 {"accept":[{"rule":"aaep/size","reason":"..."}]}
  --format text|json|junit|sarif|html
  --json                         the same as --format json
  --out FILE                     write the report there; a summary line is still printed
  --help

Exit code: 0 conforms (warnings allowed), 1 at least one error, 2 cannot be read or wrong usage.
"earshot explain RULE" says what a rule means; "earshot rules" lists them.
`;

type LiveCheck = (argv: readonly string[], io: Io) => Promise<number>;

/** Loaded when asked for: a recording is checked without them. */
const LIVE: Readonly<Record<string, (() => Promise<LiveCheck>) | undefined>> = {
  producer: async () => (await import("../check-live/check-producer-command.ts")).checkProducerCommand,
  subscriber: async () => (await import("../check-live/check-subscriber-command.ts")).checkSubscriberCommand,
};

interface Arguments {
  readonly files: readonly string[];
  readonly format: Format;
  readonly out: string | undefined;
  readonly baseline: string | undefined;
  readonly options: Omit<CheckOptions, "baseline">;
}

export async function check(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv;
  const live = LIVE[first ?? ""];
  if (live !== undefined) return (await live())(rest, io);
  const args = readArguments(argv);
  if (args === "help") {
    io.out(CHECK_HELP);
    return EXIT.ok;
  }
  const files = await findInputs(args.files);
  const baseline = args.baseline === undefined ? [] : await readBaseline(args.baseline);
  const progress = createProgress(io, files.includes("-") ? undefined : await totalBytes(files));
  const { report, unreadable } = await runCheck(files, io.stdin, { ...args.options, baseline }, progress.at);
  progress.end();

  const toFile = args.out !== undefined;
  const text = RENDERERS[args.format](report, {
    ruleOf,
    kindOf: (code) => PROBLEMS[code],
    version: VERSION,
    colour: !toFile && args.format === "text" && io.terminal.colour,
    width: toFile || args.format !== "text" ? 0 : io.terminal.width,
  });
  if (args.out === undefined) io.out(text);
  else {
    await writeReport(args.out, text);
    const errors = report.files.reduce((sum, file) => sum + file.counts.error, 0);
    const warnings = report.files.reduce((sum, file) => sum + file.counts.warning, 0);
    io.out(
      `${report.ok ? "Conforms" : "Does not conform"}: ${count(errors, "error")}, ${count(warnings, "warning")} in ${count(report.files.length, "file")}. Report written to ${args.out}.\n`,
    );
  }
  return unreadable ? EXIT.unusable : report.ok ? EXIT.ok : EXIT.found;
}

function readArguments(argv: readonly string[]): Arguments | "help" {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      protocol: { type: "string", default: "auto" },
      level: { type: "string" },
      "require-coverage": { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      baseline: { type: "string" },
      format: { type: "string" },
      json: { type: "boolean", default: false },
      out: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (positionals.length === 0) throw usage("No file to check.", "earshot check recording.jsonl, or - for standard input.");
  const protocol = oneOf("--protocol", values.protocol, ["auto", "aaep", "aep", "aop"] as const);
  const level = values.level === undefined ? undefined : (Number(oneOf("--level", values.level, ["1", "2", "3"] as const)) as 1 | 2 | 3);
  if (values["require-coverage"] && level === undefined)
    throw usage("--require-coverage needs --level.", "Say which level is to be covered, for example --level 2.");
  if (values.json && values.format !== undefined && values.format !== "json")
    throw usage("--json and --format contradict each other.", "Give one of the two.");
  return {
    files: positionals,
    format: values.json ? "json" : oneOf("--format", values.format ?? "text", ["text", "json", "junit", "sarif", "html"] as const),
    out: values.out,
    baseline: values.baseline,
    options: {
      protocol: protocol as ProtocolName | "auto",
      level,
      strict: values.strict,
      requireCoverage: values["require-coverage"],
    },
  };
}

export async function writeReport(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new EarshotError(
      {
        code: "WRONG_USAGE",
        message: `The report cannot be written to ${path}.`,
        hint: "Check that the folder exists and may be written to.",
      },
      { cause },
    );
  }
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
