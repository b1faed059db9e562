import type { JsonValue } from "@earshot/protocol";

/** The agent something concerns: its own name, and its reported folder. */
export interface AgentAndFolder {
  readonly agent: string;
  readonly workspace?: JsonValue | undefined;
}
