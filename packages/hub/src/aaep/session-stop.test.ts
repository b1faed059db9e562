import type { Principal } from "@earshot/aaep";
import { expect, it } from "vitest";
import { confirmation, openBench } from "../requests/testing/engine-bench.ts";
import { isSessionStop, stopSession } from "./session-stop.ts";

const ANA: Principal = { id: "device 1", name: "Ana's phone", mayRead: true, mayReply: true };
const STOP = { type: "earshot:session.stop", session_id: "sess_1", reason: "Enough." };

it("a session is stopped by whoever may decide, and what it asks is refused", async () => {
  await using bench = await openBench();
  await bench.say([confirmation(), confirmation({ session_id: "sess_2" })]);
  await stopSession(STOP, { ...ANA, mayReply: false }, bench);
  expect(bench.engine.control.view().stopped).toEqual([]);
  await stopSession(STOP, ANA, bench);
  expect(bench.engine.control.view().stopped).toMatchObject([{ session: "sess_1", by: "Ana's phone", reason: "Enough." }]);
  expect((await bench.engine.list({ limit: 10 })).map(({ session, state }) => [session, state])).toEqual([
    ["sess_1", "answered-by-person"],
    ["sess_2", "open"],
  ]);
});

it("of several sources that have a session of one id, all are stopped; what is not known, nobody's is", async () => {
  await using bench = await openBench();
  await bench.say([confirmation()]);
  await bench.say([confirmation()], "other");
  await stopSession({ ...STOP, session_id: "sess_unknown" }, ANA, bench);
  expect(bench.engine.control.view().stopped).toEqual([]);
  await stopSession(STOP, ANA, bench);
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
