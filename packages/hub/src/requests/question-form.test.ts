import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import type { RequestAnswer } from "./answer.ts";
import type { RequestView } from "./api.ts";
import { type EngineBench, hookAsk, hookEventOf, openBench } from "./testing/engine-bench.ts";

const QUESTIONS = [
  {
    question: "Which database?",
    header: "Database",
    options: [{ label: "staging", description: "Yesterday's copy." }, { label: "production" }],
    multiSelect: false,
  },
  { question: "Which checks?", options: [{ label: "lint" }, { label: "types" }, { label: "tests" }], multiSelect: true },
];
const code = (expected: string) => expect.objectContaining({ problem: expect.objectContaining({ code: expected }) });

/** A hook's call of the tool with which a coding agent asks its person. */
function toolAsks(questions: readonly JsonObject[] = QUESTIONS): JsonObject {
  const event = hookEventOf({ tool: { name: "AskUserQuestion", type: "native" } });
  return { ...event, action: { ...(event["action"] as JsonObject), input: { questions } } };
}

/** A hook's form of an MCP server. */
function serverAsks(input: JsonObject): JsonObject {
  const { tool: _tool, ...event } = hookEventOf({ type: "question.asked", server: { name: "crm" } });
  const content = [{ type: "question", text: "Who is it about?" }];
  const { id } = event["action"] as { readonly id: string };
  return { ...event, content, action: { id, input } };
}

async function asked(bench: EngineBench, event: JsonObject, more: object = {}): Promise<RequestView> {
  bench.engine.control.present();
  const answer = await bench.hooks.ask(hookAsk(event, bench.clock.now, more), 0);
  expect(answer).toMatchObject({ waits: true });
  const [request] = await bench.engine.list({ limit: 1, before: Number.MAX_SAFE_INTEGER });
  if (request === undefined) throw new Error("There is no request.");
  return request;
}

const respond = (bench: EngineBench, { id, digest }: RequestView, response: RequestAnswer["response"]) =>
  bench.engine.answer(id, { by: "ann", digest, answer: { word: "respond", ...(response === undefined ? {} : { response }) } });

async function heard(bench: EngineBench, { id }: RequestView): Promise<JsonObject> {
  const told = await bench.hooks.poll(id, "producer", 0);
  if (told.waits) throw new Error("It waits.");
  return told.response as JsonObject;
}

describe("the list of questions of a coding agent", () => {
  it("is a question, not a permission, and is answered inside its own input", async () => {
    await using bench = await openBench();
    const request = await asked(bench, toolAsks());
    expect(request).toMatchObject({
      kind: "clarification",
      card: { terms: { answers: ["respond", "deny"], silence: { answer: { word: "abstain" } } } },
    });
    expect(request.card.asked.fields).toMatchObject([
      { name: "Which database?", kind: "choice", choices: [{ value: "staging", about: "Yesterday's copy." }, { value: "production" }] },
      { name: "Which checks?", kind: "choices", isOpen: true, isRequired: true },
    ]);
    await respond(bench, request, { "Which database?": "staging", "Which checks?": ["lint", "tests"] });
    expect(await heard(bench, request)).toMatchObject({
      control: {
        behavior: "allow",
        updated_input: { questions: QUESTIONS, answers: { "Which database?": "staging", "Which checks?": "lint, tests" } },
      },
      decision: { outcome: "approved", by: "ann" },
      extensions: { "x-response": { "Which database?": "staging", "Which checks?": ["lint", "tests"] } },
    });
  });

  it("takes a text of one's own, and several choices in one text; one question takes its value alone", async () => {
    await using bench = await openBench();
    const both = await asked(bench, toolAsks());
    await respond(bench, both, { "Which database?": "the one on my laptop", "Which checks?": "lint, types" });
    expect(await heard(bench, both)).toMatchObject({
      control: { updated_input: { answers: { "Which database?": "the one on my laptop", "Which checks?": "lint, types" } } },
    });
    const one = await asked(bench, toolAsks(QUESTIONS.slice(0, 1)));
    await respond(bench, one, "production");
    expect(await heard(bench, one)).toMatchObject({ control: { updated_input: { answers: { "Which database?": "production" } } } });
  });

  it.each([
    ["nothing", undefined],
    ["one of two", { "Which database?": "staging" }],
    ["something empty", { "Which database?": "", "Which checks?": ["lint"] }],
    ["no object", "staging"],
    ["something that was not asked", { "Which database?": "staging", "Which checks?": ["lint"], more: "x" }],
    ["a number", { "Which database?": 1, "Which checks?": ["lint"] }],
    ["one choice twice", { "Which database?": "staging", "Which checks?": ["lint", "lint"] }],
    ["no choice at all", { "Which database?": "staging", "Which checks?": [] }],
    ["a credential", { "Which database?": "ghp_0123456789abcdefghijABCDEFGHIJ456789", "Which checks?": ["lint"] }],
  ])("does not take %s for an answer", async (_name, response) => {
    await using bench = await openBench();
    const request = await asked(bench, toolAsks());
    await expect(respond(bench, request, response)).rejects.toEqual(code("ANSWER_INVALID"));
    await expect(bench.engine.answer(request.id, { by: "ann", digest: request.digest, answer: { word: "allow" } })).rejects.toEqual(
      code("ANSWER_INVALID"),
    );
  });

  it("is put again after a restart before its answer is told, and other questions are not answered by it", async () => {
    await using bench = await openBench();
    const event = toolAsks(QUESTIONS.slice(0, 1));
    const request = await asked(bench, event);
    await respond(bench, request, "staging");
    await bench.restart();
    expect(await bench.hooks.poll(request.id, "producer", 0)).toMatchObject({ waits: true, again: true });
    const action = {
      ...(event["action"] as JsonObject),
      input: { questions: [{ question: "Delete everything?", options: [{ label: "staging" }] }] },
    };
    await expect(bench.hooks.ask(hookAsk({ ...event, action }, bench.clock.now), 0)).rejects.toThrow();
    expect(await bench.hooks.ask(hookAsk(event, bench.clock.now), 0)).toMatchObject({
      response: { control: { updated_input: { answers: { "Which database?": "staging" } } } },
    });
  });

  it("is left to the agent's own dialog when nobody listens, also when its time is up", async () => {
    await using bench = await openBench();
    expect(await bench.hooks.ask(hookAsk(toolAsks(), bench.clock.now), 0)).toMatchObject({
      waits: false,
      response: { control: { behavior: "abstain" } },
    });
    const request = await asked(bench, toolAsks(), { longestMs: 8000 });
    await bench.pass(6000);
    expect(await heard(bench, request)).toMatchObject({ control: { behavior: "abstain" } });
  });
});

describe("the form of an MCP server", () => {
  const SCHEMA = {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "As in the passport" },
      seats: { type: "integer" },
      aisle: { type: "boolean" },
      meal: { type: "string", enum: ["v", "m"], enumNames: ["Vegetarian", "Meat"] },
      extras: { type: "array", items: { enum: ["bag", "bike"] } },
    },
    required: ["name", "meal"],
  };

  it("is answered field by field", async () => {
    await using bench = await openBench();
    const request = await asked(bench, serverAsks({ message: "Book a flight", requested_schema: SCHEMA }));
    expect(request.card.asked.said.map(({ text }) => text)).toEqual(["Who is it about?", "Book a flight"]);
    expect(request.card.asked.fields).toMatchObject([
      { name: "name", text: "Name: As in the passport", kind: "text", isRequired: true },
      { name: "seats", kind: "number", isRequired: false },
      { name: "aisle", kind: "confirm" },
      {
        name: "meal",
        kind: "choice",
        choices: [
          { value: "v", label: "Vegetarian" },
          { value: "m", label: "Meat" },
        ],
        isOpen: false,
      },
      { name: "extras", kind: "choices" },
    ]);
    await expect(respond(bench, request, { name: "Ana", meal: "fish" })).rejects.toEqual(code("ANSWER_INVALID"));
    await expect(respond(bench, request, { name: "Ana", meal: "v", seats: "2" })).rejects.toEqual(code("ANSWER_INVALID"));
    await respond(bench, request, { name: "Ana", meal: "v", seats: 2, aisle: true, extras: ["bag"] });
    const told = await heard(bench, request);
    expect(told).toMatchObject({
      control: { behavior: "allow" },
      extensions: { "x-response": { name: "Ana", meal: "v", seats: 2, aisle: true, extras: ["bag"] } },
    });
    expect(told["control"]).not.toHaveProperty("updated_input");
  });

  it("of one field is also told as one question with choices, for those who know no forms", async () => {
    await using bench = await openBench();
    const one = await asked(bench, serverAsks({ requested_schema: { properties: { sure: { type: "boolean" } }, required: ["sure"] } }));
    expect(one.card.asked).toMatchObject({ responds: ["yes_no"] });
    await respond(bench, one, true);
    expect(await heard(bench, one)).toMatchObject({ extensions: { "x-response": { sure: true } } });
    const choices = await asked(bench, serverAsks({ choices: ["red", { value: "b", label: "Blue" }] }));
    expect(choices.card.asked).toMatchObject({ responds: ["multiple_choice"], choices: [{ value: "red" }, { value: "b", label: "Blue" }] });
    await expect(respond(bench, choices, "green")).rejects.toEqual(code("ANSWER_INVALID"));
    await respond(bench, choices, "b");
    expect(await heard(bench, choices)).toMatchObject({ extensions: { "x-response": { answer: "b" } } });
  });

  it("that only names a page is answered with yes or no, and the page is never opened", async () => {
    await using bench = await openBench();
    const request = await asked(bench, serverAsks({ message: "Sign in", mode: "url", url: "https://crm.example/sign-in" }));
    expect(request.card.asked).toMatchObject({ responds: ["yes_no"], input: { url: "https://crm.example/sign-in" } });
    await respond(bench, request, true);
    expect(await heard(bench, request)).toMatchObject({ extensions: { "x-response": true } });
  });

  it("is declined by a no, and withdrawn when it was answered at the agent's own dialog", async () => {
    await using bench = await openBench();
    const first = await asked(bench, serverAsks({ requested_schema: SCHEMA }));
    await bench.engine.answer(first.id, { by: "ann", digest: first.digest, answer: { word: "deny" } });
    expect(await heard(bench, first)).toMatchObject({ control: { behavior: "deny" } });
    const event = serverAsks({ requested_schema: SCHEMA });
    const second = await asked(bench, event, { besideDialog: true });
    await bench.say([{ ...event, id: "evt_answered", type: "question.answered", content: [{ type: "answer", text: "Ana" }] }]);
    expect(await bench.engine.watch(second.id, 0)).toMatchObject({ state: "withdrawn", outcome: "answered" });
  });

  it("is bounded, and nonsense in it is left out", async () => {
    await using bench = await openBench();
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, { type: "string" }]));
    expect((await asked(bench, serverAsks({ requested_schema: { properties } }))).card.asked.fields).toHaveLength(20);
    const odd = { properties: { a: null, b: 3, c: { type: ["string"] } }, required: "all" } as unknown as JsonObject;
    expect((await asked(bench, serverAsks({ requested_schema: odd }))).card.asked.fields).toMatchObject([{ name: "c", kind: "text" }]);
    const plain = await asked(bench, serverAsks({ requested_schema: [] as unknown as JsonObject }));
    expect(plain.card.asked).not.toHaveProperty("fields");
    await respond(bench, plain, "Whatever.");
  });
});
