import { describe, expect, it } from "vitest";
import { sampleDecision, sampleRequest } from "../inbox/testing/sample-request.ts";
import { ReadRequests } from "./read-requests.ts";

const one = sampleRequest({ view: { id: "req_1" } });
const two = sampleRequest({ view: { id: "req_2" } });

function told(): ReadRequests {
  const requests = new ReadRequests();
  requests.retain([one, two]);
  requests.begin(one, 0);
  requests.markRead(one);
  return requests;
}

describe("requests that were told", () => {
  it("a number answers the one that was told last, as it was told", () => {
    const requests = told();
    requests.note({ ...one, leftMs: 1 });
    expect(requests.reading).toBe(one);
    expect([requests.isRead(one), requests.isRead(two)]).toEqual([true, false]);
  });

  it.each([
    ["decided", (requests: ReadRequests) => requests.note({ ...one, decision: sampleDecision({ word: "deny" }) })],
    ["not open any more", (requests: ReadRequests) => requests.retain([two])],
  ])("no number answers one that is %s, and the next is due", (_name, end) => {
    const requests = told();
    end(requests);
    expect([requests.reading, requests.find("req_1"), requests.isNextDue]).toEqual([undefined, undefined, true]);
    expect(requests.answering.request).toBeNull();
  });

  it("one that is asked otherwise than it was told has to be heard again", () => {
    const requests = told();
    const changed = { ...one, digest: "another" };
    requests.note(changed);
    expect(requests.reading?.digest).toBe(one.digest);
    requests.begin(changed, 10_000);
    expect(requests.answering.isSpoken).toBe(false);
    expect(requests.reading).toBe(changed);
  });

  it("keeps no more than it can", () => {
    const requests = told();
    for (let index = 0; index < 600; index++) requests.note(sampleRequest({ view: { id: `req_x${index}` } }));
    expect([requests.find("req_1"), requests.reading]).toEqual([undefined, undefined]);
    expect(requests.find("req_x599")).toBeDefined();
  });
});
