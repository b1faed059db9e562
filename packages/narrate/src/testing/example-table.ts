import type { Activity } from "@earshot/protocol/activities";
import { introduce } from "../sentences/introduce.ts";
import { LANGUAGES, wordsForLanguage } from "../sentences/languages.ts";
import type { Verbosity } from "../sentences/words.ts";
import { sampleActivity } from "./acts.ts";
import { SAMPLES } from "./samples.ts";

/** A document table with the spoken form of every sample in every language. */
export function exampleTable(): string {
  const rows = SAMPLES.map((activity) => row([`\`${activity.kind}\``, ...LANGUAGES.map((language) => said(activity, "normal", language))]));
  return table(["kind", ...LANGUAGES], rows);
}

const LENGTHS: readonly Activity[] = [
  sampleActivity("tool.started", { tool: "Edit", input: { file_path: "/home/ana/shop/src/cart.ts", new_string: "a\nb" } }),
  sampleActivity("tool.started", { tool: "Bash", input: { command: "npm test" }, why: "See whether the fix holds" }),
  sampleActivity("session.closed", {
    outcome: "completed",
    result: "The total is right",
    durationMs: 190_000,
    calls: 12,
    costUsd: { value: 0.09, counts: "total" },
    tokens: { counts: "total", total: 21_000 },
  }),
];

/** The same at every verbosity. */
export function verbosityTable(): string {
  const rows = LENGTHS.flatMap((activity) =>
    (["terse", "normal", "detailed"] as const).map((verbosity) =>
      row([`\`${verbosity}\``, ...LANGUAGES.map((one) => said(activity, verbosity, one))]),
    ),
  );
  return table(["verbosity", ...LANGUAGES], rows);
}

function said(activity: Activity, verbosity: Verbosity, language: string): string {
  const words = wordsForLanguage(language)(activity, verbosity, language);
  if (words === undefined) return "*(nothing)*";
  return introduce(words, "Codex in shop")
    .map(({ text }) => text)
    .join(" ");
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [row(heads), `|${heads.map(() => "---").join("|")}|`, ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
