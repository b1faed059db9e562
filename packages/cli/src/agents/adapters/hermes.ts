import type { Adapter } from "../adapter.ts";

export const hermes: Adapter = {
  slug: "hermes",
  name: "Hermes",
  names: ["hermes-agent"],
  programs: ["hermes"],
  folders: ["~/.hermes"],
  user: { folder: "~/.hermes", variable: "HERMES_HOME", file: "config.yaml", format: { kind: "yaml", key: "hooks" } },
  hooks: [
    "on_session_start",
    "on_session_finalize",
    "pre_llm_call",
    "pre_tool_call",
    "post_tool_call",
    "pre_approval_request",
    "post_approval_response",
    "on_session_end",
    "subagent_start",
    "subagent_stop",
    "api_request_error",
  ],
  leftOut: {},
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: 300, observeS: 10 },
  failing: "runs",
  afterwards: { trust: "Hermes asks once, at its terminal, whether each hook may run.", restart: "Restart Hermes if it runs." },
  limits: ["Hermes waits five minutes at most, and lets a tool run when its hook fails.", "Not tried with Hermes itself."],
};
