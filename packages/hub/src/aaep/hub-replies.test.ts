import type { Principal } from "@earshot/aaep";
import type { ClarificationReply, ConfirmationReply } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import {
  aaepEvent,
  BENCH_SECRET,
  BENCH_START_MS,
  confirmationRequested,
  type EngineBench,
  openBench,
} from "../requests/testing/engine-bench.ts";
import { HubReplies, isSessionStop, stopSubscribedSession } from "./hub-replies.ts";
import { replyTokenOf } from "./served-entries.ts";

const ANA: Principal = { id: "device 1", name: "Ana's phone", mayRead: true, mayReply: true };
const from = (principal = ANA) => ({ principal, subscriptionId: "sub_1" });

function repliesOf({ engine, ledger }: EngineBench): HubReplies {
  return new HubReplies(engine, ledger, BENCH_SECRET);
}

async function tokenOf({ ledger }: EngineBench): Promise<string> {
  const [request] = (await ledger.requests({ limit: 10 })).toReversed();
  return replyTokenOf(request?.id ?? "", BENCH_SECRET);
}

function confirm(reply_token: string, more: Partial<ConfirmationReply> = {}): ConfirmationReply {
  return {
    type: "confirmation.reply",
    reply_token,
    decision: "accept",
    subscription_id: "sub_1",
    timestamp: new Date(BENCH_START_MS).toISOString(),
    ...more,
  };
}

function clarify(reply_token: string, response: ClarificationReply["response"]): ClarificationReply {
  return {
    type: "clarification.reply",
    reply_token,
    response,
    subscription_id: "sub_1",
    timestamp: new Date(BENCH_START_MS).toISOString(),
  };
}

async function endOf({ engine }: EngineBench) {
  const [view] = (await engine.list({ limit: 10 })).toReversed();
  return view?.decision === null ? "open" : { by: view?.decision?.by, ...view?.decision?.answer, reason: view?.decision?.reason };
}

describe("a reply over AAEP", () => {
  it("answers the request that its token stands for, in the name of the credential, and once", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ session_id: "sess_0" }), confirmationRequested()]);
    const replies = repliesOf(bench);
    const reply = confirm(await tokenOf(bench), { decision_rationale: "It is old.", decided_by: "user:mallory" });
    expect(await replies.take(reply, from())).toBe(true);
    expect(await endOf(bench)).toEqual({ by: "Ana's phone", word: "accept", reason: "It is old." });
    expect(await replies.take({ ...reply, decision: "reject" }, from())).toBe(false);
    expect(await endOf(bench)).toMatchObject({ word: "accept" });
    expect(bench.engine.openCount).toBe(1);
    expect(bench.engine.control.isAttended).toBe(true);
  });

  it("with another action than was asked about is a no", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    await repliesOf(bench).take(confirm(await tokenOf(bench), { modified_action: { table: "other" } }), from());
    expect(await endOf(bench)).toMatchObject({ word: "reject" });
  });

  it.each([
    ["freetext", "eu-west"],
    ["yes_no", true],
    ["numeric", 4.5],
    ["multiple_choice", "a"],
  ] as const)("answers a question of the kind %s, and nothing that does not fit it", async (kind, response) => {
    await using bench = await openBench();
    const choices =
      kind === "multiple_choice"
        ? {
            choices: [
              { value: "a", label: "A" },
              { value: "b", label: "B" },
            ],
          }
        : {};
    const question = {
      urgency: "critical",
      question: "Which?",
      reply_token: "rpl_q",
      timeout_seconds: 60,
      accepted_response_kinds: [kind],
      ...choices,
    };
    await bench.say([aaepEvent("awaiting.clarification", question)]);
    const replies = repliesOf(bench);
    const token = await tokenOf(bench);
    const wrong = ["c", 1, false].filter((one) => typeof one !== typeof response || kind === "multiple_choice");
    for (const one of wrong) expect(await replies.take(clarify(token, one), from())).toBe(false);
    expect(await replies.take(confirm(token), from())).toBe(false);
    expect(await endOf(bench)).toBe("open");
    expect(await replies.take(clarify(token, response), from())).toBe(true);
    expect(await endOf(bench)).toMatchObject({ word: "respond", response });
  });

  it("does nothing from somebody who only reads, with a token that was made up or is the agent's own, or out of time", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ reply_token: "rpl_theirs" })]);
    const replies = repliesOf(bench);
    const token = await tokenOf(bench);
    expect(await replies.take(confirm(token), from({ ...ANA, mayReply: false }))).toBe(false);
    for (const other of ["rpl_theirs", "rpl_0", `${token}0`, token.toUpperCase()])
      expect(await replies.take(confirm(other), from())).toBe(false);
    for (const away of [-3_600_000, 3_600_000]) {
      expect(await replies.take(confirm(token, { timestamp: new Date(BENCH_START_MS + away).toISOString() }), from())).toBe(false);
    }
    expect(await endOf(bench)).toBe("open");
    expect(await bench.ledger.counts()).toMatchObject([{ what: "replies ignored", source: "Ana's phone", howMany: 7 }]);
    await bench.pass(300_000);
    expect(await replies.take(confirm(token), from())).toBe(false);
    expect(await endOf(bench)).toMatchObject({ word: "reject", by: "asker" });
  });
});

const STOP = { type: "earshot:session.stop", session_id: "sess_1", reason: "Enough." };

it("a session is stopped by an approver, and its questions are refused", async () => {
  await using bench = await openBench();
  await bench.say([confirmationRequested(), confirmationRequested({ session_id: "sess_2" })]);
  await stopSubscribedSession(STOP, { ...ANA, mayReply: false }, bench);
  expect(bench.engine.control.view().stopped).toEqual([]);
  await stopSubscribedSession(STOP, ANA, bench);
  expect(bench.engine.control.view().stopped).toMatchObject([{ session: "sess_1", by: "Ana's phone", reason: "Enough." }]);
  expect((await bench.engine.list({ limit: 10 })).map(({ session, state }) => [session, state])).toEqual([
    ["sess_1", "answered-by-person"],
    ["sess_2", "open"],
  ]);
});

it("of several sources that have a session of one id, all are stopped; what is not known, nobody's is", async () => {
  await using bench = await openBench();
  await bench.say([confirmationRequested()]);
  await bench.say([confirmationRequested()], "other");
  await stopSubscribedSession({ ...STOP, session_id: "sess_unknown" }, ANA, bench);
  expect(bench.engine.control.view().stopped).toEqual([]);
  await stopSubscribedSession(STOP, ANA, bench);
  expect(
    bench.engine.control
      .view()
      .stopped.map(({ source }) => source)
      .sort(),
  ).toEqual(["other", "producer"]);
});

it.each([{}, { type: "earshot:session.stop" }, { type: "user_input", session_id: "sess_1" }])(
  "other messages are not taken for it: %j",
  (message) => {
    expect(isSessionStop(message)).toBe(false);
  },
);
