import type { Policy, PolicyRule } from "@earshot/policy/hook";

const RESTRICTING: ReadonlySet<PolicyRule["answer"]> = new Set(["ask", "defer", "deny", "stop"]);
/** Criteria that a tool which only reads files never matches. */
const OTHERS = ["command", "inspectable", "skill", "server", "reversible"] as const;

/** Dangers that reading a file may have. */
const READING_DANGERS: ReadonlySet<string> = new Set(["any", "secret-read"]);

/**
 * Whether a rule may restrict tools that only read. If so, their hooks have to wait for an answer. `tools` are the agents' names for
 * these tools.
 */
export function holdsReads({ rules }: Policy, tools: readonly string[]): boolean {
  return rules.some(({ answer, match }) => RESTRICTING.has(answer) && mayFitReading(match, tools));
}

function mayFitReading(match: PolicyRule["match"], tools: readonly string[]): boolean {
  if (OTHERS.some((name) => match[name] !== undefined)) return false;
  const { moment, access, toolType, tool, risk, danger } = match;
  if (danger !== undefined && !danger.some((id) => READING_DANGERS.has(id))) return false;
  if (moment !== undefined && !moment.includes("action")) return false;
  if (access !== undefined && !access.includes("read")) return false;
  if (toolType !== undefined && !toolType.includes("native")) return false;
  if (risk !== undefined && !risk.includes("low")) return false;
  return tool === undefined || tool.some((pattern) => typeof pattern !== "string" || tools.some((name) => fitsGlob(pattern, name)));
}

function fitsGlob(glob: string, name: string): boolean {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "i").test(name);
}
