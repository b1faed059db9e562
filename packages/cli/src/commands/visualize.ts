import { resolve } from "node:path";
import { leanMemory } from "@earshot/recordings/lean-memory";
import { brokenInWords, buildTrace, FORMATS, type RecordingTrace, renderTrace, type TraceFormat } from "@earshot/recordings/visualize";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createProgress } from "@earshot/terminal/progress";
import { createUsageError, requireOneOf } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { findRecording } from "../story/find-recording.ts";
import { PROCESS_PORTS, type ViewPorts } from "../story/view-reader.ts";
import { writeReportFile } from "./check.ts";

interface Arguments {
  readonly name: string;
  readonly session: string | undefined;
  readonly format: TraceFormat | "json";
  readonly out: string | undefined;
  readonly list: boolean;
  readonly strict: boolean;
}

const OPTIONS = {
  format: {
    type: "string",
    choices: ["terminal", "svg", "mermaid", "html"],
    about: "default: by the ending of -o (.svg, .html, .mmd), else terminal",
  },
  out: { type: "string", short: "o", value: "FILE", about: "write it there; a summary line is still printed" },
  session: {
    type: "string",
    value: "ID",
    about: "only this session of the recording and its subagents; without FILE, a session of the hub",
  },
  list: { type: "boolean", default: false, about: "sentences instead of lanes, even in a terminal" },
  json: { type: "boolean", default: false, about: "the trace as JSON, for other programs" },
  strict: { type: "boolean", default: false, about: "errors and warnings count as failures" },
} as const;

export const visualizeCommand = command(
  {
    name: "visualize",
    positionals: ["[FILE|SESSION]"],
    about: `Draws what the agents in a recording did: states, tools side by side, requests and their answers, output and subagents over
time, and every broken rule at the event that breaks it. The rules are those of "earshot check".
FILE is a recording as "earshot check" takes it; - is standard input. Anything else is a session of the hub: its id, the
beginning of it, or its key.`,
    options: OPTIONS,
    notes: `In a pipe or a file, "terminal" is a list of plain sentences. SVG and HTML contain the same as text.

Exit code: 0 drawn, 1 drawn and with --strict a rule is broken, 2 cannot be read or wrong usage.`,
    examples: ["visualize run.jsonl", "visualize run.jsonl -o run.svg", "visualize sess_7c1e --format html -o sess.html"],
  },
  async (input, io: CommandIo, ports: ViewPorts = PROCESS_PORTS): Promise<number> => {
    const args = readArguments(input);
    const source = await findRecording(args.name, io, ports);
    if (args.out !== undefined && resolve(args.out) === resolve(args.name))
      throw createUsageError("The picture would overwrite the recording.", "Name another file after -o.");
    leanMemory();
    const progress = createProgress(io, source.sizeBytes, "Reading");
    const options = { title: source.title, ...(args.session === undefined ? {} : { session: args.session }) };
    const trace = await buildTrace(source.events, options, (bytes) => progress.at(source.title, bytes)).finally(progress.end);
    const toFile = args.out !== undefined;
    const text =
      args.format === "json"
        ? `${JSON.stringify(trace)}\n`
        : renderTrace(trace, args.format, {
            isWatched: io.terminal.out && !toFile && !args.list,
            width: io.terminal.out && !toFile ? io.terminal.width : 0,
            colour: io.terminal.colour && !toFile,
          });
    if (args.out === undefined) io.out(text);
    else {
      await writeReportFile(args.out, text);
      io.out(`${brokenInWords(trace.counts)} The trace is in ${args.out}.\n`);
    }
    return args.strict && isBroken(trace) ? EXIT.found : EXIT.ok;
  },
);

function isBroken({ counts }: RecordingTrace): boolean {
  return counts.error + counts.warning > 0;
}

function readArguments({ values, positionals }: CommandInput<typeof OPTIONS>): Arguments {
  const [name = values.session, ...more] = positionals;
  if (name === undefined || name === "" || more.length > 0)
    throw createUsageError("Name one recording or one session.", "earshot visualize recording.jsonl, or - for standard input.");
  if (values.json && values.format !== undefined)
    throw createUsageError("--json and --format contradict each other.", "Give one of the two.");
  return {
    name,
    // Without a file the session is read from the hub, so there is nothing to select.
    session: positionals.length === 0 ? undefined : values.session,
    format: values.json ? "json" : values.format === undefined ? formatOf(values.out) : requireOneOf("--format", values.format, FORMATS),
    out: values.out,
    list: values.list,
    strict: values.strict,
  };
}

function formatOf(out: string | undefined): TraceFormat {
  if (out === undefined) return "terminal";
  if (/\.svg$/i.test(out)) return "svg";
  if (/\.html?$/i.test(out)) return "html";
  return /\.(?:mmd|mermaid)$/i.test(out) ? "mermaid" : "terminal";
}
