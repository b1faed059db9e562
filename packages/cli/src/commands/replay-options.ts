import type { ReplayOptions, ServeReplayOptions } from "@earshot/recordings/replay";
import { createUsageError } from "@earshot/terminal/usage";
import type { CommandInput } from "../command.ts";
import { readDuration } from "../keeping/quantities.ts";

/** A longer pause is probably a clock change or an agent suspended overnight. */
const LONGEST_SILENCE = "1h";
const FASTEST = 1_000_000;

export const REPLAY_OPTIONS = {
  speed: { type: "string", value: "N|max", about: "N times as fast as recorded; max: as fast as the receiver accepts it (default 1)" },
  "max-gap": {
    type: "string",
    default: LONGEST_SILENCE,
    value: "TIME",
    about: "shorten longer silences to this: 5s, 2m; none keeps them all (default 1h)",
  },
  to: {
    type: "string",
    value: "URL",
    about: "send to another hub, an AOP collector, or any URL that accepts JSON lines; detected by asking it",
  },
  serve: { type: "string", value: "aaep|aop", about: "serve as an AAEP producer or an AOP collector instead of sending" },
  port: {
    type: "string",
    value: "N",
    about: "with --serve: the port (default: a free one, which is printed)",
  },
  wait: { type: "string", value: "N", about: "with --serve: begin when N clients listen; 0 begins at once (default 1)" },
  keep: { type: "boolean", default: false, about: "with --serve: keep serving after the end, until Ctrl-C" },
  "allow-origin": {
    type: "string",
    multiple: true,
    default: [],
    value: "TEXT",
    about: "with --serve: web pages of this origin may listen; may be repeated",
  },
  fresh: { type: "boolean", default: false, about: "both --fresh-ids and --fresh-times: the hub stores the events as new" },
  "fresh-ids": { type: "boolean", default: false, about: "replace every id, and every reference to it" },
  "fresh-times": { type: "boolean", default: false, about: "shift the times: the first event is now, the others keep their distance" },
  seed: { type: "string", value: "TEXT", about: "with --fresh-ids: the same new ids every time" },
  json: { type: "boolean", default: false, about: "print the result as JSON" },
} as const;

export function readReplayOptions({ values, positionals }: CommandInput<typeof REPLAY_OPTIONS>): ReplayOptions {
  const [file = ""] = positionals;
  if (values.to !== undefined && values.serve !== undefined)
    throw createUsageError("--to and --serve contradict each other.", "Give one of the two.");
  const freshIds = values.fresh || values["fresh-ids"];
  if (values.seed !== undefined && !freshIds)
    throw createUsageError("--seed makes fresh ids, and none were asked for.", "Add --fresh or --fresh-ids.");
  return {
    file,
    speed: readSpeed(values.speed ?? "1"),
    maxGapMs: values["max-gap"] === "none" ? Number.POSITIVE_INFINITY : readDuration(values["max-gap"], "--max-gap"),
    to: values.to,
    serve: readServing(values),
    freshIds,
    freshTimes: values.fresh || values["fresh-times"],
    seed: values.seed,
    json: values.json,
  };
}

function readSpeed(text: string): number | "max" {
  if (text === "max") return "max";
  const speed = /^\d{1,7}(?:\.\d{1,6})?x?$/.test(text) ? Number.parseFloat(text) : 0;
  if (speed > 0 && speed <= FASTEST) return speed;
  throw createUsageError(
    `--speed cannot be ${JSON.stringify(text)}.`,
    "Give how many times as fast as recorded, such as 10 or 0.5; or max.",
  );
}

interface ServingValues {
  readonly serve?: string | undefined;
  readonly port?: string | undefined;
  readonly wait?: string | undefined;
  readonly keep: boolean;
  readonly "allow-origin": readonly string[];
}

function readServing(values: ServingValues): ServeReplayOptions | undefined {
  const { serve, port, wait, keep, "allow-origin": origins } = values;
  if (serve === undefined) {
    const given = Object.entries({ port, wait }).find(([, value]) => value !== undefined)?.[0] ?? (keep ? "keep" : undefined);
    if (given !== undefined) throw createUsageError(`--${given} is for --serve.`, "Add --serve aaep or --serve aop.");
    return undefined;
  }
  if (serve !== "aaep" && serve !== "aop")
    throw createUsageError(`--serve cannot be ${JSON.stringify(serve)}.`, "Choose one of aaep, aop.");
  const waitFor = /^\d{1,3}$/.test(wait ?? "1") ? Number(wait ?? 1) : Number.NaN;
  if (Number.isNaN(waitFor))
    throw createUsageError(`--wait cannot be ${JSON.stringify(wait)}.`, "Give the number of listeners to wait for; 0 begins at once.");
  const at = /^\d{1,5}$/.test(port ?? "0") ? Number(port ?? 0) : Number.NaN;
  if (!(at <= 65_535)) throw createUsageError(`--port cannot be ${JSON.stringify(port)}.`, "Give a port: --port 8095");
  return { protocol: serve, port: at, waitFor, keep, origins };
}
