import { writeFile } from "node:fs/promises";
import { formatCount } from "@earshot/narrate";
import { EarshotError, PROBLEMS, type ProtocolName, ruleOf } from "@earshot/protocol";
import type { CheckFileOptions } from "@earshot/recordings/check";
import { type Format, findInputs, RENDERERS, readBaseline, runCheck, totalBytes } from "@earshot/recordings/check";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createProgress } from "@earshot/terminal/progress";
import { createUsageError, requireOneOf } from "@earshot/terminal/usage";
import { VERSION } from "@earshot/terminal/version";
import { type CommandInput, command } from "../command.ts";

interface Arguments {
  readonly files: readonly string[];
  readonly format: Format;
  readonly out: string | undefined;
  readonly baseline: string | undefined;
  readonly options: Omit<CheckFileOptions, "baseline">;
}

const OPTIONS = {
  protocol: {
    type: "string",
    default: "auto",
    choices: ["aaep", "aep", "aop", "auto"],
    about: "the expected protocol; auto detects it line by line (default)",
  },
  level: { type: "string", choices: ["1", "2", "3"], about: "also list the clauses of this level that the recordings never exercise" },
  "require-coverage": { type: "boolean", default: false, about: "with --level: clauses that are never exercised count as failures" },
  strict: { type: "boolean", default: false, about: "warnings count as failures" },
  baseline: {
    type: "string",
    value: "FILE",
    about: 'accept known problems, each with a reason: {"accept":[{"rule":"aaep/size","reason":"..."}]}',
  },
  format: { type: "string", choices: ["text", "json", "junit", "sarif", "html"], about: "the format of the report (default: text)" },
  json: { type: "boolean", default: false, about: "the same as --format json" },
  out: { type: "string", value: "FILE", about: "write the report there; a summary line is still printed" },
} as const;

export const checkCommand = command(
  {
    name: "check",
    positionals: ["FILE…"],
    about: `Checks recordings of AAEP, AEP and AOP events: every event by itself, and how they fit together.
A FILE is JSONL, a JSON array or a single event, plain or .gz; a folder or a pattern names several; - is standard input.
A single event can be valid without being a complete session.
A conformance document (JSON with "cases") is checked case by case against what each case expects.

"check producer" and "check subscriber" drive a live AAEP peer; see their --help. To check a file with one of these names, write
./producer.`,
    options: OPTIONS,
    notes: `Exit code: 0 conforms (warnings allowed), 1 at least one error, 2 cannot be read or wrong usage.
"earshot check explain RULE" says what a rule means; "earshot check rules" lists them.`,
  },
  async (input, io: CommandIo): Promise<number> => {
    const args = readArguments(input);
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
      await writeReportFile(args.out, text);
      const errors = report.files.reduce((sum, file) => sum + file.counts.error, 0);
      const warnings = report.files.reduce((sum, file) => sum + file.counts.warning, 0);
      io.out(
        `${report.ok ? "Conforms" : "Does not conform"}: ${formatCount(errors, "error")}, ${formatCount(warnings, "warning")} in ${formatCount(report.files.length, "file")}. Report written to ${args.out}.\n`,
      );
    }
    return unreadable ? EXIT.unusable : report.ok ? EXIT.ok : EXIT.found;
  },
);

function readArguments({ values, positionals }: CommandInput<typeof OPTIONS>): Arguments {
  const protocol = requireOneOf("--protocol", values.protocol, ["auto", "aaep", "aep", "aop"] as const);
  const level =
    values.level === undefined ? undefined : (Number(requireOneOf("--level", values.level, ["1", "2", "3"] as const)) as 1 | 2 | 3);
  if (values["require-coverage"] && level === undefined)
    throw createUsageError("--require-coverage needs --level.", "Name the level to cover, for example --level 2.");
  if (values.json && values.format !== undefined && values.format !== "json")
    throw createUsageError("--json and --format contradict each other.", "Give one of the two.");
  return {
    files: positionals,
    format: values.json ? "json" : requireOneOf("--format", values.format ?? "text", ["text", "json", "junit", "sarif", "html"] as const),
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

export async function writeReportFile(path: string, text: string): Promise<void> {
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
