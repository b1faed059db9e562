import type { Announcer, Sources } from "@earshot/announcer";
import type { SessionView } from "@earshot/hub";
import { agentName } from "@earshot/narrate";
import type { HubAccess } from "../hub-client.ts";
import type { Io } from "../io.ts";
import { ViewReader } from "../story/view-reader.ts";

const MOST = 50;

/** Those that were there before anybody listened, as if they had been heard to begin. */
export async function hearRunning(hub: HubAccess, io: Io, { announcer, sources, at }: RunningPorts): Promise<void> {
  const query = { status: "running,waiting,stalled", limit: MOST };
  const { items } = await new ViewReader(hub, io).collect<SessionView>("/api/sessions", query);
  for (const { protocol, id, agent, workspace, parent } of items) {
    const activity = {
      kind: "session.opened",
      resumed: true,
      protocol,
      type: "session",
      session: id,
      agent,
      agentName: agentName(agent),
      ...(workspace === undefined ? {} : { workspace }),
      ...(parent === undefined ? {} : { parent: { session: parent.id } }),
    } as const;
    sources.hear(activity);
    announcer.hear(activity, at);
  }
}

export interface RunningPorts {
  readonly announcer: Announcer;
  readonly sources: Sources;
  readonly at: number;
}
