import Type from "typebox";
import { afterAll, describe, expect, it } from "vitest";
import { TestDevice } from "../access/testing/test-device.ts";
import { openApiOf, type RouteInfo } from "./openapi.ts";
import { expectDescribed } from "./testing/described-answers.ts";
import { openTestHub } from "./testing/test-hub.ts";

const own = await openTestHub();
const { admin, hub, viewer } = own;
afterAll(own.close);

/** The address says it all. */
const WITHOUT_BODY =
  /^\/api\/(?:start-code|notify\/test|reset-approver|pairings\/:id\/refuse|agents\/:id\/preview|demo|alarms\/:id\/seen)$/;

/** Sends a request and checks the answer against its description. */
async function send(method: string, path: string, body?: object, headers = admin): Promise<Readonly<Record<string, unknown>>> {
  const more = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(hub.url + path, { method, headers, ...more });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  expect([path, response.status]).toEqual([path, 200]);
  expectDescribed(hub.routes, method, path, response.status, answer);
  return answer;
}

describe("GET /openapi.json", () => {
  it("describes every parameter in a path, every body, and every answer in JSON", () => {
    const bare = hub.routes.flatMap(({ method, url, answers, schema }) => {
      const parameters = [...url.matchAll(/:(\w+)/g)].filter(([, name = ""]) => schema.params?.properties?.[name] === undefined);
      const body = method === "POST" && schema.body === undefined && !WITHOUT_BODY.test(url) ? ["body"] : [];
      const answer = answers === "application/json" && schema.response === undefined ? ["answer"] : [];
      return [...parameters.map(([, name]) => name), ...body, ...answer].map((what) => `${method} ${url}: ${what}`);
    });
    expect(bare).toEqual([]);
  });

  it("gives parameters and bodies their types, and schemas with a title a name", async () => {
    const { paths, components } = (await send("GET", "/openapi.json")) as unknown as {
      readonly paths: Record<string, Record<string, { parameters: object[]; requestBody: unknown; responses: Record<string, unknown> }>>;
      readonly components: { readonly schemas: Record<string, unknown> };
    };
    expect(paths["/api/requests"]?.["get"]?.parameters).toContainEqual({
      name: "limit",
      in: "query",
      schema: { type: "integer", minimum: 0, maximum: 200, default: 50 },
    });
    expect(paths["/api/entries/{position}"]?.["get"]?.parameters).toEqual([
      { name: "position", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
    ]);
    expect(paths["/api/requests/{id}/answer"]?.["post"]).toMatchObject({
      requestBody: { content: { "application/json": { schema: { type: "object", required: ["digest", "answer"] } } } },
      responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Request" } } } } },
    });
    expect(components.schemas).toMatchObject({ Request: { type: "object" }, Problem: { type: "object" } });
    expect(JSON.stringify(paths)).not.toContain("ANSWER_INVALID");
  });

  it("finds titles inside of other schemas", () => {
    const inner = Type.Object({ id: Type.String() }, { title: "Inner" });
    const route = {
      method: "GET",
      url: "/x",
      access: "viewer",
      takes: [],
      summary: "",
      answers: "application/json",
      schema: { response: { 200: Type.Array(inner) } },
    };
    expect(openApiOf([route as RouteInfo], "1")).toMatchObject({
      paths: {
        "/x": {
          get: { responses: { 200: { content: { "application/json": { schema: { items: { $ref: "#/components/schemas/Inner" } } } } } } },
        },
      },
      components: { schemas: { Inner: { properties: { id: { type: "string" } } } } },
    });
  });
});

describe("answers about the hub and about who may do what", () => {
  it("are as they are described", async () => {
    for (const path of [
      "status",
      "me",
      "tokens",
      "devices",
      "pairings",
      "ticket",
      "refused",
      "notify",
      "control",
      "policy",
      "attachments",
    ]) {
      await send("GET", `/api/${path}`);
    }
    for (const path of ["/health?challenge=x", "/hooks/proof?nonce=x", "/api/requests", "/api/requests/news", "/api/policy/rules"]) {
      await send("GET", path);
    }
    const token = await send("POST", "/api/tokens", { name: "reader", role: "viewer", expiresInMs: 60_000 });
    await send("DELETE", `/api/tokens/${String(token["id"])}`);
    const offer = await send("POST", "/api/pairings", { role: "viewer" }, viewer);
    const claim = await send("POST", "/api/pair/claim", { code: offer["code"], key: new TestDevice().key, name: "a phone" });
    await send("GET", `/api/pairings/${String(offer["id"])}`);
    await send("POST", `/api/pairings/${String(offer["id"])}/confirm`, { match: claim["match"] });
    await send("POST", "/api/pair/state", { claim: claim["claim"] });
    await send("GET", "/api/devices");
    await send("POST", "/api/reset-approver", {}, viewer);
    await send("GET", "/api/me");
    await send("DELETE", "/api/reset-approver");
    await send("GET", "/api/erase?position=1");
  });
});
