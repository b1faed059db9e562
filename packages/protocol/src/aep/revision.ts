/** The implemented draft, which may still change, and the date it was last read. */
export const AEP_REVISION = {
  specification: "https://agentapprove.com/standards/agent-event-protocol",
  version: "0.1",
  status: "public review draft",
  changes: [
    {
      date: "2026-11-15",
      change:
        "First reading of the public page of draft 0.1: the envelope, the objects, the 21 types in five families, the eight behaviours of a response and the twelve display styles.",
    },
    {
      date: "2026-11-15",
      change:
        "Members and closed vocabularies of the objects taken from public validators of July 2026: `action.type`, `action.status`, `tool.type`, `skill.source`, content and attachment types, `decision.outcome`, `session.parent`. A `tool_call` names its tool, a `skill_use` its skill, an `mcp` tool its server.",
    },
    {
      date: "2026-11-15",
      change: "`notification.sent`, `question.asked` and `question.answered` read as in a public receiver of August 2026.",
    },
    {
      date: "2026-11-15",
      change:
        "Eight type names are not in the draft's public text and are our reading of its family descriptions: `agent.start`, `agent.stop`, `agent.error`, `model.response`, `model.delta`, `model.plan`, `subagent.stop`, `workspace.changed`. Other likely spellings are read as aliases.",
    },
    {
      date: "2026-11-15",
      change:
        "The schemas ask for `tool` beside every `tool_call` and for `skill` beside every `skill_use`, whatever the type of the event; for `action` with `type` and `id` in `action.*` types that are not in the vocabulary; and for text in `agent.error`. They accept a pre-release or build tail of `aep_version`. An event of the four action types that was valid before still is.",
    },
  ],
} as const;
