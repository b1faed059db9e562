import type { Capabilities, JsonObject } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { LogFeed } from "./log-feed.ts";
import {
  createTestProducer,
  EventMaker,
  joinProducer,
  ManualTime,
  RecordingSink,
  runPendingTurns,
  slowFeed,
} from "./testing/test-producer.ts";

type Step =
  | { readonly do: "tool" | "state" | "confirmation"; readonly session: number }
  | { readonly do: "say"; readonly session: number; readonly words: string }
  | { readonly do: "wait"; readonly ms: number }
  /** As the transport does at times. */
  | { readonly do: "mark" }
  /** More at once than is kept for any subscriber. */
  | { readonly do: "flood"; readonly session: number }
  /** From now on the stream is full after each write, or accepts everything again. */
  | { readonly do: "stall" | "drain" }
  /** The connection breaks after this many events since the last time; the rest is lost. */
  | { readonly do: "cut"; readonly keeps: number };

const session = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("tool" as const, "state" as const, "confirmation" as const), session }),
  fc.record({ do: fc.constant("say" as const), session, words: fc.constantFrom("One. ", "two ", "and three, ", "Dr. Who", "\n\n", "ok") }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 50, 500, 3000) }),
  fc.record({ do: fc.constant("mark" as const) }),
  fc.record({ do: fc.constant("cut" as const), keeps: fc.nat(12) }),
);
const crowdedStep: fc.Arbitrary<Step> = fc.oneof(
  step,
  fc.record({ do: fc.constant("flood" as const), session }),
  fc.record({ do: fc.constantFrom("stall" as const, "drain" as const) }),
);
const terms: fc.Arbitrary<Capabilities> = fc.record(
  {
    max_events_per_second: fc.constantFrom(1, 3, 20),
    coalesce_boundaries: fc.constantFrom(["none" as const], ["word" as const], ["sentence" as const, "completion" as const]),
    cognitive_load: fc.constantFrom("medium" as const, "high" as const),
  },
  { requiredKeys: [] },
);

/** Everything one subscriber received on all its connections, each up to its cut. */
async function play(steps: readonly Step[], capabilities: Capabilities, pageSize: number) {
  const time = new ManualTime();
  const log = new LogFeed();
  const kit = createTestProducer({ time, feed: slowFeed(log, pageSize) });
  const make = new EventMaker();
  const whole: JsonObject[] = [];
  const said = new Map<string, string>();
  let { subscription, sink } = joinProducer(kit, capabilities);
  const got: JsonObject[] = [];
  let lastId: string | undefined;
  const keep = (count: number) => {
    const kept = sink.got.slice(0, count);
    got.push(...kept.map(({ text }) => JSON.parse(text) as JsonObject));
    lastId = sink.lastId(count) ?? lastId;
  };
  await runPendingTurns();
  for (const one of steps) {
    switch (one.do) {
      case "wait":
        await time.pass(one.ms);
        break;
      case "mark":
        subscription.mark();
        break;
      case "stall":
        sink.isSlow = true;
        break;
      case "drain":
        sink.isSlow = false;
        subscription.drained(sink);
        break;
      case "flood":
        for (let count = 0; count < 300; count++) {
          const event = make.tool(`sess_${one.session}`);
          log.append(event);
          whole.push(event);
        }
        break;
      case "cut": {
        keep(one.keeps);
        subscription.detach(sink);
        sink = new RecordingSink();
        if (lastId === undefined) throw new Error("nothing to resume from");
        subscription.attach(sink, { lastEventId: lastId });
        break;
      }
      case "say": {
        const name = `sess_${one.session}`;
        const before = said.get(name) ?? "";
        log.append(make.output(one.words, before.length, name));
        said.set(name, before + one.words);
        break;
      }
      default: {
        const name = `sess_${one.session}`;
        const event = one.do === "state" ? make.state("thinking", "deciding", name) : make[one.do](name);
        log.append(event);
        if (one.do !== "state") whole.push(event);
      }
    }
    await runPendingTurns();
  }
  for (const name of said.keys()) log.append(make.output("", said.get(name)?.length ?? 0, name, true));
  sink.isSlow = false;
  subscription.drained(sink);
  const waits = steps.filter((one) => one.do === "flood").length * 60 + 40;
  for (let count = 0; count < waits && !(kit.producer.isSettled && subscription.dueAt() === undefined); count++) await time.pass(5000);
  keep(sink.got.length);
  subscription.end("closed");
  kit.producer.close();
  return { got, whole, said, failures: kit.failures };
}

describe("a subscription that is cut and resumed", () => {
  it("misses nothing and keeps the order of each session, wherever the cuts are", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), terms, fc.constantFrom(1, 3, 100), isComplete), {
      numRuns: propertyRuns(),
    });
  });

  it("misses nothing of what is too much, nor when its stream takes nothing for a while", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(crowdedStep, { minLength: 5, maxLength: 30 }), terms, fc.constantFrom(100, 1000), isComplete),
      { numRuns: propertyRuns(1 / 5) },
    );
  });
});

async function isComplete(steps: readonly Step[], capabilities: Capabilities, pageSize: number): Promise<void> {
  const { got, whole, said, failures } = await play(steps, capabilities, pageSize);
  expect(failures).toEqual([]);
  const ids = new Set(got.map((event) => event["event_id"]));
  expect(whole.filter((event) => !ids.has(event["event_id"]))).toEqual([]);
  for (const [name, text] of said) expect(rebuild(got, name)).toBe(text);
  const sessions = new Map(whole.map((event) => [event["event_id"], event["session_id"]]));
  for (const name of new Set(sessions.values())) {
    const order = [...ids].filter((id) => sessions.get(id) === name);
    expect(order).toEqual([...order].sort());
  }
}

/** A session's output reassembled by chunk positions; a gap shows as a dot. */
function rebuild(got: readonly JsonObject[], name: string): string {
  const text: string[] = [];
  for (const { type, session_id, chunk, position } of got) {
    if (type !== "aaep:agent.output.streaming" || session_id !== name) continue;
    for (const [index, character] of [...String(chunk)].entries()) text[Number(position) + index] = character;
  }
  return Array.from(text, (character) => character ?? "·").join("");
}
