import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../http/testing/test-hub.ts";
import { hookEventNow } from "../requests/testing/asked-now.ts";

const POLICY = "rules:\n  - { name: own-address, match: { danger: earshot-decides }, answer: deny }\n";
let place: TestHub;

beforeAll(async () => {
  place = await openTestHub((home) => writeFileSync(home.policy, POLICY));
});
afterAll(() => place.close());

async function behaviorFor(command: string): Promise<unknown> {
  const { body } = await place.send<{ readonly response: { readonly control: object } }>(
    "/aep/v1/hooks?wait=0",
    place.producer,
    hookEventNow(command),
  );
  return body.response.control;
}

it("recognizes a request to the hub on a port other than the default", async () => {
  const { port } = new URL(place.hub.url);
  expect(port).not.toBe("4747");
  for (const host of ["127.0.0.1", "localhost"]) {
    const address = `http://${host}:${port}/api/requests/req_1/answer`;
    expect(await behaviorFor(`curl -X POST ${address}`)).toMatchObject({ behavior: "deny" });
  }
});

it("leaves a request to another local server alone", async () => {
  expect(await behaviorFor("curl -X POST http://127.0.0.1:3000/api/requests/req_1/answer")).toMatchObject({ behavior: "abstain" });
});
