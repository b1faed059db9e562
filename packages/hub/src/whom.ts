import type { JsonValue } from "@earshot/protocol";

/** An agent that something is about: as it calls itself, and the folder it works in, as it was said. */
export interface Whom {
  readonly agent: string;
  readonly workspace?: JsonValue | undefined;
}
