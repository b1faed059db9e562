import type { JsonValue, ProtocolName } from "@earshot/protocol";
import { countCodePoints } from "@earshot/protocol/code-points";
import { type Rewritten, rewriteJsonStrings } from "./redact-strings.ts";

/** How much of the events is stored: everything; the beginning of each text; or the structure without texts. */
export const CAPTURE_LEVELS = ["full", "summary", "minimal"] as const;
export type CaptureLevel = (typeof CAPTURE_LEVELS)[number];

/** Code points of a text that `summary` keeps. */
const SUMMARY_LENGTH = 280;
const NAME_LENGTH = 120;
const CODE = /^[\w.:/+@-]{0,64}$/;
const ALREADY_REPLACED = /^\(\d+ characters not kept\)$/;
const ALREADY_REPLACED_URI = /^earshot:\d+-characters-not-kept$/;
const ALREADY_CUT = / … \(\d+ characters not kept\)$/;

/**
 * The reduced event, or undefined if all of it is kept. The result is an event of the same type: ids, types, states, names, times,
 * numbers and booleans are unchanged.
 */
export function reduceToLevel(text: string, value: JsonValue, level: CaptureLevel, protocol: ProtocolName): Rewritten | undefined {
  if (level === "full") return undefined;
  const structure = STRUCTURE[protocol];
  const shorten = level === "summary" ? cut : replace;
  return rewriteJsonStrings(text, value, {
    value: (said, pointer) => shorten(said, memberKindOf(structure, pointer)),
    key: (said) => said,
  });
}

function cut(said: string, kind: MemberKind | undefined): string {
  // Fewer units are fewer code points, which decides nearly every string.
  if (said.length <= SUMMARY_LENGTH || kind === "kept" || kind === "uri") return said;
  const length = countCodePoints(said);
  if (length <= SUMMARY_LENGTH) return said;
  const end = unitsOf(said, SUMMARY_LENGTH);
  const rest = said.slice(end);
  if (ALREADY_CUT.exec(rest)?.index === 0) return said;
  return `${said.slice(0, end)} … (${length - SUMMARY_LENGTH} characters not kept)`;
}

function replace(said: string, kind: MemberKind | undefined): string {
  if (said === "" || kind === "kept" || ALREADY_REPLACED.test(said)) return said;
  if (kind === "code" && CODE.test(said)) return said;
  if (kind === "name" && countCodePoints(said) <= NAME_LENGTH) return said;
  const length = countCodePoints(said);
  if (kind === "uri") return ALREADY_REPLACED_URI.test(said) ? said : `earshot:${length}-characters-not-kept`;
  return `(${length} characters not kept)`;
}

/** UTF-16 units of the first `count` code points. */
function unitsOf(text: string, count: number): number {
  let units = 0;
  for (let index = 0; index < count; index++) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/**
 * The role of a member for the structure of a session.
 *
 * - `kept`: joins events or has a required form. Kept at any length.
 *
 * - `code`: a value from a short list, a version, a state. Kept if it looks like one.
 *
 * - `name`: of a tool, an agent, a model. Kept if short.
 *
 * - `uri`: has a required form but free content.
 *
 * Other members are text.
 */
export type MemberKind = "kept" | "code" | "name" | "uri";

const members = (kind: MemberKind, ...pointers: readonly string[]): readonly (readonly [string, MemberKind])[] =>
  pointers.map((pointer) => [pointer, kind]);

/** Pointers with `*` for any index, and a final `**` for everything inside. */
export const STRUCTURE: Readonly<Record<ProtocolName, ReadonlyMap<string, MemberKind>>> = {
  aaep: new Map([
    ...members("kept", "/@context", "/@context/*", "/type", "/event_id", "/session_id", "/timestamp", "/aaep_version"),
    ...members("kept", "/verbosity", "/urgency", "/producer/agent_id", "/localization_hints/**"),
    ...members("kept", "/reply_token", "/tool_call_id", "/output_id", "/tool", "/from_state", "/to_state", "/content_type", "/language"),
    ...members("kept", "/error_code", "/cancellation_reason", "/tools_available/*", "/allowed_replies/*", "/choices/*/value"),
    ...members(
      "kept",
      "/subscription_id",
      "/subscriber_id",
      "/agent_id",
      "/capabilities/**",
      "/honored_capabilities/**",
      "/signed_manifest",
    ),
    ...members("kept", "/aaep_versions_supported/*", "/languages_supported/*", "/extensions_supported/*", "/extra_context/tool_call_id"),
    ...members("code", "/status", "/error_category", "/cancelled_by", "/risk_level", "/reversibility", "/default_decision", "/decision"),
    ...members("code", "/target_kind", "/urgency_for_handoff", "/coalesce_hint", "/accepted_response_kinds/*", "/reason_code"),
    ...members("code", "/default_verbosity", "/transports_supported/*", "/event_types_emitted/*", "/subscriber_version", "/agent_version"),
    ...members("name", "/producer/agent_version", "/producer/agent_name", "/producer/model", "/correlation_id", "/extra_context/tool"),
    ...members("name", "/requested_by", "/decided_by", "/agent_name", "/subscriber_name"),
    ...members("uri", "/producer/manifest_uri", "/manifest_uri", "/subscriber_manifest_uri", "/alternative_manifest_uri"),
    ...members("uri", "/result_uri", "/error_uri", "/target_uri"),
  ]),
  aep: new Map([
    ...members("kept", "/aep_version", "/id", "/type", "/time", "/agent/slug", "/request_event_id", "/action_id", "/action/id"),
    ...members("kept", "/session/id", "/session/conversation_id", "/session/turn_id", "/session/root_conversation_id", "/decision/time"),
    ...members("kept", "/session/parent/conversation_id", "/session/parent/spawning_action_id"),
    ...members("code", "/session/permission_mode", "/session/parent/relation", "/action/type", "/action/status", "/action/error/code"),
    ...members("code", "/tool/type", "/tool/version", "/server/version", "/server/transport", "/skill/source", "/skill/version"),
    ...members("code", "/content/*/type", "/content/*/style", "/attachments/*/type", "/attachments/*/mime_type"),
    ...members("code", "/decision/outcome", "/lifecycle/source", "/lifecycle/trigger", "/control/behavior"),
    ...members("name", "/hook", "/agent/display_name", "/agent/version", "/agent/instance_id", "/agent/surface", "/user/id"),
    ...members("name", "/model/id", "/model/provider", "/model/display_name", "/model/effort", "/decision/by", "/decision/policy_id"),
    ...members("name", "/tool/name", "/tool/id", "/tool/display_name", "/tool/original_name", "/server/name", "/server/id"),
    ...members("name", "/server/title", "/skill/name", "/skill/id"),
  ]),
  aop: new Map([
    ...members("kept", "/spec", "/session_id", "/parent_session_id", "/agent_id", "/timestamp", "/type"),
    ...members("kept", "/payload/tool_call_id", "/payload/child_session_id", "/payload/child_agent_id"),
    ...members("code", "/payload/status", "/payload/outcome", "/payload/confidence", "/payload/operation", "/payload/action"),
    ...members("code", "/payload/method", "/payload/agent_version", "/payload/llm"),
    ...members("name", "/agent_version", "/payload/tool_name", "/payload/tool", "/payload/service"),
  ]),
};

/** The role of a string by its place in the event. */
export function memberKindOf(structure: ReadonlyMap<string, MemberKind>, pointer: string): MemberKind | undefined {
  const exact = structure.get(pointer) ?? structure.get(pointer.replace(/\/\d+(?=\/|$)/g, "/*"));
  if (exact !== undefined) return exact;
  const first = pointer.indexOf("/", 1);
  return first < 0 ? undefined : structure.get(`${pointer.slice(0, first)}/**`);
}
