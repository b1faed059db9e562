/** What consumers of AEP need, as the draft lists it, and the fields that answer each need. */
export interface Need {
  readonly name: string;
  readonly fields: readonly string[];
}

export const NEEDS: readonly Need[] = [
  { name: "Event identity", fields: ["id", "type", "time"] },
  { name: "Agent identity", fields: ["agent.slug", "agent.display_name", "agent.version"] },
  {
    name: "Session and workspace",
    fields: ["session.id", "session.conversation_id", "session.turn_id", "user.email", "workspace.cwd", "workspace.roots"],
  },
  { name: "Correlation", fields: ["action.id", "response.request_event_id", "response.action_id"] },
  { name: "Invocation", fields: ["action.type", "action.input", "tool.name"] },
  { name: "Catalog identity", fields: ["tool.id", "tool.type", "tool.schema", "server.name", "server.url"] },
  {
    name: "Control response",
    fields: ["control.behavior", "control.message", "control.updated_input", "control.additional_context", "decision.reason"],
  },
  { name: "Execution result", fields: ["action.status", "action.output", "action.error", "metrics.duration_ms"] },
  { name: "Beyond tools", fields: ["prompt.submitted", "model.thought", "context.compacted", "subagent.start", "session.end"] },
];

/** Fields of an event that are asked about for each hook: of any hook, of one about an action, of one about its outcome. */
export const HOOK_FIELDS = {
  any: [...fieldsOf("Event identity"), ...fieldsOf("Agent identity"), ...fieldsOf("Session and workspace")],
  action: ["action.id", ...fieldsOf("Invocation"), ...fieldsOf("Catalog identity")],
  outcome: fieldsOf("Execution result"),
} as const;

function fieldsOf(name: string): readonly string[] {
  return NEEDS.find((need) => need.name === name)?.fields ?? [];
}
