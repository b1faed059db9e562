/** How a field is shown when nobody says otherwise: such a hint need not travel with every event. */
export function defaultStyle(path: string): string {
  if (path === "action.input" || path === "action.output") return "indented_json";
  if (path.startsWith("workspace.")) return "path";
  if (path.endsWith("url")) return "url";
  if (path.startsWith("metrics.") && path.endsWith("_ms")) return "duration";
  if (path === "time") return "timestamp";
  return path === "action.status" || path === "decision.outcome" ? "badge" : "plain_text";
}
