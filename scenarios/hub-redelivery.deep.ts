import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, verify } from "./durability/kills.ts";
import { readBack } from "./durability/read-back.ts";
import { Speaker } from "./durability/speaker.ts";
import { protocolOf, utterance } from "./durability/utterance.ts";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

/** Reordering and repetition by a network and a retrying client, with kills in between. */
interface Course {
  readonly seed: number;
  readonly speakers: number;
  readonly events: number;
  /** Maximum deliveries per event. */
  readonly copies: number;
  readonly batch: number;
  readonly concurrency: number;
  readonly kills: number;
}

interface Delivery {
  readonly speaker: number;
  readonly number: number;
}

interface Answer {
  readonly position: number;
  readonly duplicate: boolean;
}

const home = mkdtempSync(join(tmpdir(), "earshot-redelivery-"));
let port = 0;
let hub: HubProcess;
const speakers: Speaker[] = [];

beforeAll(async () => {
  port = await freePort();
  hub = await startHub({ home, port });
});
afterAll(async () => {
  await hub.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
});

describe("events that come again, late, mixed up and all at once, also across a kill", () => {
  it("are stored exactly once, keep their first position, and are given back in order", async () => {
    const course = fc.record<Course>({
      seed: fc.nat(),
      speakers: fc.integer({ min: 1, max: 6 }),
      events: fc.integer({ min: 1, max: 40 }),
      copies: fc.integer({ min: 1, max: 4 }),
      batch: fc.integer({ min: 1, max: 20 }),
      concurrency: fc.integer({ min: 1, max: 8 }),
      kills: fc.integer({ min: 0, max: 1 }),
    });
    await fc.assert(fc.asyncProperty(course, follow), { numRuns: 10, endOnFailure: true });
    expect(await verify(hub)).toMatchObject({ ok: true });
  });
});

async function follow(course: Course): Promise<void> {
  const random = createRandom(course.seed);
  // Each course has its own senders among all of them.
  const own = Array.from({ length: course.speakers }, (_, index) => new Speaker(speakers.length + index, random));
  speakers.push(...own);
  const deliveries = shuffle(
    own.flatMap(({ name }) =>
      Array.from({ length: course.events }, (_, number) =>
        Array.from({ length: 1 + Math.floor(random() * course.copies) }, (): Delivery => ({ speaker: name, number })),
      ).flat(),
    ),
    random,
  );
  const requests = inGroups(deliveries, course.batch);
  const groups = inGroups(requests, course.concurrency);
  const killAt = course.kills === 0 ? -1 : Math.floor(random() * groups.length);
  const stored = new Set<string>();
  for (const [index, group] of groups.entries()) {
    const delivered = Promise.all(group.map((request) => deliver(request)));
    if (index === killAt) await hub.kill("SIGKILL");
    let answers = await delivered;
    if (index === killAt) {
      hub = await startHub({ home, port });
      answers = await Promise.all(group.map((request, place) => answers[place] ?? deliver(request)));
    }
    for (const [place, request] of group.entries()) {
      for (const [line, delivery] of request.entries()) note(delivery, answers[place]?.[line], stored);
    }
  }
  await expectInOrder(own, course.events);
}

/** Undefined without an answer, when the hub was killed. */
async function deliver(request: readonly Delivery[]): Promise<readonly Answer[] | undefined> {
  const body = request.map(({ speaker, number }) => utterance(speaker, number)).join("\n");
  try {
    const response = await hub.post("/v1/events?verdicts=all", body, "application/x-ndjson");
    const { verdicts } = (await response.json()) as { readonly verdicts: readonly Answer[] };
    return verdicts;
  } catch {
    return undefined; // sent again after the restart
  }
}

function note({ speaker, number }: Delivery, answer: Answer | undefined, stored: Set<string>): void {
  const known = speakers[speaker]?.positions;
  if (answer === undefined || known === undefined) throw new Error(`${speaker}.${number} was not answered.`);
  expect(known[number] ?? answer.position, `${speaker}.${number} keeps its position`).toBe(answer.position);
  known[number] = answer.position;
  if (answer.duplicate) return;
  expect(stored, `${speaker}.${number} is new once`).not.toContain(`${speaker}.${number}`);
  stored.add(`${speaker}.${number}`);
}

async function expectInOrder(own: readonly Speaker[], events: number): Promise<void> {
  const all = readBack(join(home, "ledger.db"), speakers);
  expect(all).toMatchObject({ lost: 0, misplaced: 0, duplicated: 0, unknown: 0, unacknowledged: 0, examples: [] });
  for (const { name, positions } of own) {
    const protocol = protocolOf(name);
    const session = protocol === "aaep" ? `sess_${name}x0` : `${protocol}-${name}-0`;
    const exported = (await (await hub.get(`/api/export?session=${session}&protocol=${protocol}`)).text()).trim().split("\n");
    const numbers = Array.from({ length: events }, (_, number) => number);
    // AOP events carry their order; others are in order of arrival.
    const expected = protocol === "aop" ? numbers : numbers.toSorted((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
    expect(exported).toEqual(expected.map((number) => utterance(name, number)));
  }
}

function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
