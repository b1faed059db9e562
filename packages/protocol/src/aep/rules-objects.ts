import { type Rule, rule } from "../rule.ts";

/** The objects inside an event: the types of their members and their closed vocabularies. */
export const OBJECT_RULES = {
  "aep/agent-object": rule(
    ["error", "event", 1, "Objects in detail", ["*/agent"]],
    "The members of `agent` have the right types.",
    "`display_name`, `version`, `instance_id` and `surface` are strings.",
  ),
  "aep/session-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/session"]],
    "`session` is an object whose members have the right types.",
    "All members of `session` are strings, except the object `parent`; `id` is not empty.",
  ),
  "aep/user-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/user"]],
    "`user` is an object whose members have the right types.",
    "`id`, `email`, `login` and `display_name` are strings.",
  ),
  "aep/workspace-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/workspace"]],
    "`workspace` is an object whose members have the right types.",
    "`cwd` and `project_path` are strings, `roots` is a list of strings.",
  ),
  "aep/model-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/model"]],
    "`model` is an object whose members have the right types.",
    "`id`, `provider`, `display_name` and `effort` are strings.",
  ),
  "aep/action-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/action"]],
    "`action` is an object whose members have the right types.",
    "`id` and `rationale` are strings, `error` is an object with `code` and `message`, `input` and `output` may be anything.",
  ),
  "aep/tool-object": rule(
    ["error", "event", 1, "Objects in detail", ["*/tool"]],
    "`tool` is an object with `name` and `type`, and its members have the right types.",
    "A tool has a `name` and a `type`; `schema` and `icon` are objects; everything else is a string.",
  ),
  "aep/server-object": rule(
    ["error", "event", 1, "Objects in detail", ["*/server"]],
    "`server` is an object whose members have the right types.",
    "All members of `server` are strings, except the object `icon`.",
  ),
  "aep/skill-object": rule(
    ["error", "event", 1, "Objects in detail", ["*/skill"]],
    "`skill` is an object with a `name`, and its members have the right types.",
    "A skill has a `name`; all of its members are strings.",
  ),
  "aep/content-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/content"]],
    "`content` is a list of parts whose members have the right types.",
    "Each part is an object: `type`, `text` and `style` are strings, `truncated` is true or false, `original_length` is a number.",
  ),
  "aep/attachments-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/attachments"]],
    "`attachments` is a list of objects whose members have the right types.",
    "Sizes and durations are numbers, everything else is a string.",
  ),
  "aep/decision-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/decision", "response"]],
    "`decision` is an object with an `outcome`, and its members have the right types.",
    "A decision has an `outcome`; `response_time_ms` is a number, `time` an RFC 3339 instant, everything else a string.",
  ),
  "aep/metrics-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/metrics"]],
    "`metrics` is an object whose values are numbers.",
    "Write numbers without quotes and without units; the unit belongs into the name, as in `duration_ms`.",
  ),
  "aep/lifecycle-object": rule(
    ["error", "event", 2, "Objects in detail", ["*/lifecycle"]],
    "`lifecycle` is an object whose members have the right types.",
    "`source`, `reason` and `trigger` are strings.",
  ),
  "aep/action-type": rule(
    ["error", "event", 2, "Objects in detail", ["*/action"]],
    "`action.type` is `tool_call`, `skill_use`, `subagent_spawn` or `other`.",
    "Use one of the four kinds; `other` fits what none of them describes.",
  ),
  "aep/action-status": rule(
    ["error", "event", 2, "Objects in detail", ["action.completed", "action.failed"]],
    "`action.status` is `success`, `failure`, `timeout` or `cancelled`.",
    "Map the agent's own status to one of the four.",
  ),
  "aep/tool-type": rule(
    ["error", "event", 2, "Objects in detail", ["*/tool"]],
    "`tool.type` is `native`, `mcp`, `connector`, `extension` or `other`.",
    "Use one of the five kinds; `custom` is read as `other`.",
  ),
  "aep/skill-source": rule(
    ["error", "event", 2, "Objects in detail", ["*/skill"]],
    "`skill.source` is `user`, `project`, `builtin` or `marketplace`.",
    "Use one of the four sources, or leave the member out.",
  ),
  "aep/content-type": rule(
    ["error", "event", 2, "Objects in detail", ["*/content"]],
    "The `type` of a content part is one of the seven.",
    "Use `prompt`, `thought`, `response`, `plan`, `notification`, `question` or `answer`.",
  ),
  "aep/attachment-type": rule(
    ["error", "event", 2, "Objects in detail", ["*/attachments"]],
    "The `type` of an attachment is `image`, `video`, `audio` or `file`.",
    "Use `file` for what is neither image, video nor audio.",
  ),
  "aep/decision-outcome": rule(
    ["error", "event", 2, "Objects in detail", ["*/decision", "response"]],
    "`decision.outcome` is `approved`, `denied` or `info`.",
    "Use `info` where nothing was approved or denied.",
  ),
  "aep/parent-relation": rule(
    ["error", "event", 2, "Objects in detail", ["*/session"]],
    "`session.parent.relation` is `subagent`, `fork`, `resume` or `continuation`.",
    "Use one of the four relations, or leave the member out.",
  ),
} satisfies Record<string, Rule>;
