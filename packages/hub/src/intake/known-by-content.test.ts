import { expect, it } from "vitest";
import { readSubmission } from "./submission.ts";

const OPTIONS = { receivedAt: 0, redacts: () => false };
const REPLY = JSON.stringify({
  type: "confirmation.reply",
  reply_token: "rpl_1",
  decision: "accept",
  subscription_id: "sub_1",
  timestamp: "2026-01-01T00:00:00.000Z",
});
const RESPONSE = JSON.stringify({
  aep_version: "0.1",
  id: "r1",
  request_event_id: "e1",
  time: "2026-01-01T00:00:00Z",
  control: { behavior: "allow" },
  decision: { outcome: "approved" },
});

function identityOf(text: string, how: { byContent?: boolean; messagesByContent?: boolean }) {
  const read = readSubmission(text, text.length, { name: "local", verified: false, ...how }, OPTIONS);
  if (!read.ok) throw new Error(read.problem.message);
  return { identity: read.submission.identity, isHistory: read.submission.isHistory };
}

it("knows messages without an id by what they say, where that is asked for, and takes nothing for history because of it", () => {
  expect(identityOf(REPLY, {})).toEqual({ identity: null, isHistory: undefined });
  const known = identityOf(REPLY, { messagesByContent: true });
  expect(known).toEqual({ identity: expect.stringMatching(/^content /), isHistory: undefined });
  expect(identityOf(REPLY, { byContent: true })).toEqual({ identity: known.identity, isHistory: true });
  expect(identityOf(RESPONSE, { messagesByContent: true })).toEqual(identityOf(RESPONSE, {}));
});
