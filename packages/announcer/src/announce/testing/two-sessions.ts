import { sampleActivity } from "../../../../narrate/src/testing/acts.ts";
import { createAnnouncer } from "../create-announcer.ts";
import { speakUntil } from "./speak-until.ts";

export const LATER = 3_600_000;
export const CLAUDE = { session: "other", agent: "claude", agentName: "Claude", workspace: "/home/ana/web" };

/** Two live sessions, so that sources are named. */
export function withTwoSessions(options: Parameters<typeof createAnnouncer>[0] = {}) {
  const announcer = createAnnouncer(options);
  announcer.handle(sampleActivity("session.opened", CLAUDE), 0);
  announcer.handle(sampleActivity("session.opened", { goal: "Fix the login" }), 0);
  speakUntil(announcer, 0, 60_000);
  return announcer;
}

export const askingActivity = (token: string, members = {}) =>
  sampleActivity("request.asked", { request: "confirmation", token, prompt: `Delete ${token}`, consequence: "It is gone", ...members });
