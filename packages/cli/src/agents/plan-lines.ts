import { textDifference } from "../policy/text-difference.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { RemovalPlan } from "./carry-out.ts";
import type { FilePlan } from "./plan.ts";

/** What would become of a file, line by line. */
export function planLines(plan: FilePlan): string {
  const path = plainText(plan.target.path);
  if (plan.kind === "same") return `  ${path}: as it should be\n`;
  if (plan.kind === "refused") return `  ${path}: left alone, since ${plainText(plan.why)}\n`;
  return `  ${path}${plan.before === null ? " (new)" : ""}\n${differenceLines(plan.before ?? "", plan.after)}`;
}

export function removalLines(path: string, plan: RemovalPlan): string {
  const what: Readonly<{ [kind: string]: string }> = {
    restored: "back to what it was, byte for byte",
    deleted: "removed, since Earshot made it",
    edited: "somebody else changed it since; only Earshot's entries go",
    refused: `left alone, since ${plainText(plan.why ?? "")}`,
  };
  const lines = plan.kind === "edited" || plan.kind === "restored" ? differenceLines(plan.before ?? "", plan.after ?? "") : "";
  return `  ${plainText(path)}: ${what[plan.kind] ?? "nothing of Earshot's is in it"}\n${lines}`;
}

function differenceLines(before: string, after: string): string {
  return textDifference(before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n"))
    .map((line) => `    ${indented(line)}\n`)
    .join("");
}

/** Blanks are counted where they could push something out of sight; an indentation is shown as what it is. */
function indented(line: string): string {
  return line.replace(/^([-+ ] )\[(\d+) spaces\]/, (whole, mark: string, count: string) =>
    Number(count) <= 40 ? `${mark}${" ".repeat(Number(count))}` : whole,
  );
}
