import { act } from "../../../../narrate/src/testing/acts.ts";
import { createAnnouncer } from "../create-announcer.ts";
import { listen } from "./listen.ts";

export const LATER = 3_600_000;
export const CLAUDE = { session: "other", agent: "claude", agentName: "Claude", workspace: "/home/ana/web" };

/** Two live sessions, so that sources are named. */
export function withCompany(options: Parameters<typeof createAnnouncer>[0] = {}) {
  const announcer = createAnnouncer(options);
  announcer.hear(act("session.opened", CLAUDE), 0);
  announcer.hear(act("session.opened", { goal: "Fix the login" }), 0);
  listen(announcer, 0, 60_000);
  return announcer;
}

export const ask = (token: string, members = {}) =>
  act("request.asked", { request: "confirmation", token, prompt: `Delete ${token}`, consequence: "It is gone", ...members });
