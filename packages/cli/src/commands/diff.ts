import { resolve } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import { toTerminalJson, totalBytes } from "@earshot/recordings/check";
import type { ExcludedParts } from "@earshot/recordings/diff";
import {
  compareRuns,
  describeVerdict,
  IGNORABLE_NAMES,
  isAlike,
  readRecordedRun,
  renderDiffText,
  toDiffJson,
  toExcludedParts,
} from "@earshot/recordings/diff";
import { leanMemory } from "@earshot/recordings/lean-memory";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createProgress } from "@earshot/terminal/progress";
import type { Layout } from "@earshot/terminal/saying";
import { createStyle } from "@earshot/terminal/style";
import { createUsageError, requireOneOf } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { findRecording } from "../story/find-recording.ts";
import { readSeveral } from "../story/options.ts";
import { PROCESS_PORTS, type ViewPorts } from "../story/view-reader.ts";
import { writeReportFile } from "./check.ts";

const USUAL_CONTEXT = 3;
/** Recordings above this size are read in smaller parts, to save half a gigabyte of memory. */
const LEAN_FROM_BYTES = 32e6;

const OPTIONS = {
  context: { type: "string", value: "N", about: "alike steps shown around what differs (default: 3)" },
  all: { type: "boolean", default: false, about: "show every step" },
  ignore: {
    type: "string",
    multiple: true,
    value: "WHAT",
    about:
      "leave out, separated by commas: output, thoughts, goals, plans, states, notifications, memory, events, results (of calls), wording (compare actions only)",
  },
  format: { type: "string", choices: ["text", "json"], about: "(default: by the name after -o, else text)" },
  json: { type: "boolean", default: false, about: "the same as --format json" },
  out: { type: "string", short: "o", value: "FILE", about: "write it there; the verdict is still printed" },
} as const;

export const diffCommand = command(
  {
    name: "diff",
    positionals: ["A", "B"],
    about: `Shows where two runs of the same task diverge. Steps are aligned by meaning, not by ids or times: calls from request to outcome,
questions with their answers, whole outputs. A and B may use different protocols.
A and B are recordings, sessions of the hub with their subagents, or - for standard input.`,
    options: OPTIONS,
    notes: `Each line begins with a sign: = alike, ~ changed or other details, - only in A, + only in B.
Exit code: 0 alike, 1 they differ, 2 cannot be read or wrong usage.`,
    examples: [
      "diff monday.jsonl tuesday.jsonl",
      "diff sess_7c1e sess_9b02 --ignore wording",
      "diff before.jsonl.gz after.jsonl.gz --json -o diff.json",
    ],
  },
  async (input, io: CommandIo, ports: ViewPorts = PROCESS_PORTS): Promise<number> => {
    const options = readArguments(input);
    const { names, ignored, out } = options;
    const sizeBytes = await totalBytes(names);
    if (sizeBytes > LEAN_FROM_BYTES) leanMemory();
    const progress = createProgress(io, sizeBytes, "Reading");
    const open = (name: string) => openNamed(name, io, ports, toExcludedParts(ignored), progress.at);
    const comparison = await (async () => compareRuns(await open(names[0]), await open(names[1])))().finally(progress.end);
    const render = (layout: Layout) =>
      options.format === "json" ? [toTerminalJson(toDiffJson(comparison, options))] : renderDiffText(comparison, options, layout);
    if (out === undefined) {
      for (const piece of render({ width: io.terminal.width, style: createStyle(io.terminal.colour), full: false })) io.out(piece);
    } else {
      await writeReportFile(out, [...render({ width: 0, style: createStyle(false), full: false })].join(""));
      io.out(`${plainText(describeVerdict(comparison))}\nWritten to ${plainText(out)}.\n`);
    }
    if (isAlike(comparison)) return EXIT.ok;
    // An incomplete comparison does not show that runs are alike.
    return comparison.parting === undefined && comparison.counts.details === 0 ? EXIT.unusable : EXIT.found;
  },
);

/** The run of a name: `-` is standard input, an existing file is a recording, anything else a session of the hub with its subagents. */
async function openNamed(
  name: string,
  io: CommandIo,
  ports: ViewPorts,
  unwanted: ExcludedParts,
  onBytes: (name: string, bytes: number) => void,
) {
  const source = await findRecording(name, io, ports).catch((cause: unknown) => {
    if (!EarshotError.is(cause) || cause.problem.code !== "HUB_NOT_FOUND") throw cause;
    const message = `There is no file ${JSON.stringify(name)}, and no hub answers that might know a session of that name.`;
    throw new EarshotError({ code: "HUB_NOT_FOUND", message }, { cause });
  });
  return readRecordedRun(source, unwanted, (bytes) => onBytes(name, bytes));
}

function readArguments({ values, positionals }: CommandInput<typeof OPTIONS>) {
  const [a, b, ...more] = positionals;
  if (a === undefined || b === undefined || more.length > 0)
    throw createUsageError("Name two runs to compare.", "earshot diff before.jsonl after.jsonl");
  if (a === "-" && b === "-")
    throw createUsageError("Standard input can be one of the two runs, not both.", "Give a file or a session for the other one.");
  if (values.json && values.format !== undefined && values.format !== "json")
    throw createUsageError("--json and --format contradict each other.", "Give one of the two.");
  if (values.all && values.context !== undefined)
    throw createUsageError("--all and --context contradict each other.", "Give one of the two.");
  const ignored = (values.ignore ?? []).flatMap((text) => readSeveral(text, "--ignore", IGNORABLE_NAMES)?.split(",") ?? []);
  const format = values.json ? "json" : requireOneOf("--format", values.format ?? formatOf(values.out), ["text", "json"] as const);
  if (values.out !== undefined && [a, b].some((name) => resolve(name) === resolve(values.out ?? "")))
    throw createUsageError("The comparison would overwrite one of the runs.", "Name another file after -o.");
  return {
    names: [a, b] as const,
    ignored,
    format,
    context: values.all ? Number.POSITIVE_INFINITY : readContext(values.context),
    out: values.out,
  };
}

function formatOf(out = ""): "text" | "json" {
  return /\.json$/i.test(out) ? "json" : "text";
}

function readContext(text: string | undefined): number {
  if (text === undefined) return USUAL_CONTEXT;
  if (!/^\d{1,6}$/.test(text))
    throw createUsageError(`--context cannot be ${JSON.stringify(text)}.`, "Give how many steps: a whole number from 0 on.");
  return Number(text);
}
