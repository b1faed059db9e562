import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import fc from "fast-check";
import type { FeedEvent } from "../../feed.ts";
import { compileTerms } from "../../producer/compile-terms.ts";
import { toFeedEvent } from "../../producer/to-feed-event.ts";
import type { Terms } from "../../terms.ts";

/** Text in several scripts with many false sentence ends. */
const TEXTS = [
  "Dr. Smith paid 3.50 dollars, e.g. for tea. Was it worth it? Yes... it was!\n\nA new paragraph. ",
  "Das kostet z.B. 3.000 Euro. Am 3. Oktober ist frei. ",
  "你好。世界很大！我们走吧？「好。」他说。",
  "นี่คือประโยคแรกที่ยาวพอสมควร นี่คืออีกประโยคหนึ่งที่ยาวพอกัน ",
  "👩‍👩‍👧‍👦 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿 went home. e\u0301\u0301 zalgo. 𝔘𝔫𝔦 ",
  "1. First thing\n2. Second thing\n\n- a list\n",
  "const x = { a: 1.5 };\nreturn x.y.z;\n",
  "مرحبا بالعالم. كيف حالك؟ ",
  "no end at all just words and words and words ",
  "",
  " ",
  "\n",
];

/** Split anywhere, even inside graphemes, as producers do. */
const pieces = fc
  .tuple(fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 4 }), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }))
  .map(([texts, sizes]) => {
    const points = [...texts.join("")];
    const chunks: string[] = [];
    for (let from = 0, turn = 0; from < points.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      chunks.push(points.slice(from, from + size).join(""));
      from += size;
    }
    return chunks;
  });

type Act =
  | { readonly kind: "say"; readonly output: number; readonly count: number }
  | { readonly kind: "progress" | "state" | "tool" | "ask" | "aside" };

interface Plan {
  readonly outputs: readonly {
    readonly pieces: readonly string[];
    readonly unit: "points" | "units";
    readonly hint: string | undefined;
    readonly turns: number;
  }[];
  readonly acts: readonly Act[];
  readonly ending: "completed" | "errored";
  /** Every how many state changes one differs. */
  readonly oddity: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  outputs: fc.array(
    fc.record({
      pieces,
      unit: fc.constantFrom("points" as const, "units" as const),
      hint: fc.constantFrom("none", undefined, "none", "word"),
      /** The language changes after this many chunks. */
      turns: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  acts: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant("say" as const), output: fc.nat(2), count: fc.integer({ min: 1, max: 6 }) }) },
      { weight: 4, arbitrary: fc.constantFrom("progress" as const, "state" as const).map((kind) => ({ kind })) },
      { weight: 1, arbitrary: fc.constantFrom("tool" as const, "ask" as const, "aside" as const).map((kind) => ({ kind })) },
    ),
    { maxLength: 40 },
  ),
  ending: fc.constantFrom("completed" as const, "errored" as const),
  oddity: fc.integer({ min: 2, max: 9 }),
});

const EPOCH = Date.UTC(2026, 6, 1, 9);

/** One conforming session as events without ids and times. */
function play({ outputs, acts, ending, oddity }: Plan, index: number): JsonObject[] {
  const events: JsonObject[] = [];
  const said = outputs.map(() => ({ place: 0, position: 0 }));
  let state = "idle";
  let percent = 0;
  let calls = 0;
  let asks = 0;
  let changes = 0;
  const emit = (type: string, fields: JsonObject) => events.push({ type: `aaep:agent.${type}`, ...fields });
  const change = (to: string, summary?: string) => {
    if (to === state) return;
    const words =
      summary === undefined ? {} : { summary_normal: summary, summary_terse: "Short.", summary_detailed: `${summary} In full.` };
    // Some changes have a further member.
    const extra =
      ++changes % oddity === 0 ? { "@context": [CORE_CONTEXT, "https://acme.example/opsx/v1"], extensions: { opsx: { changes } } } : {};
    emit("state.changed", { from_state: state, to_state: to, urgency: "background", ...words, ...extra });
    state = to;
  };
  const say = (turnOf: number, count: number) => {
    const output = outputs[turnOf % outputs.length];
    const at = said[turnOf % outputs.length];
    if (output === undefined || at === undefined) return;
    for (let turn = 0; turn < count && at.place < output.pieces.length; turn++, at.place++) {
      const chunk = output.pieces[at.place] ?? "";
      emit("output.streaming", {
        chunk,
        position: at.position,
        complete: at.place === output.pieces.length - 1,
        output_id: `out_${turnOf % outputs.length}`,
        ...(output.hint === undefined ? {} : { coalesce_hint: output.hint }),
        ...(at.place >= output.turns ? { language: "de" } : {}),
      });
      at.position += output.unit === "units" ? chunk.length : [...chunk].length;
    }
  };
  emit("session.started", { summary_normal: "Working on it." });
  change("thinking");
  for (const act of acts) {
    if (act.kind === "say") {
      change("writing_output");
      say(act.output, act.count);
    } else if (act.kind === "progress") {
      percent = Math.min(100, percent + 3);
      emit("progress.updated", { urgency: "background", progress: { percent } });
    } else if (act.kind === "state") {
      change(state === "thinking" ? "deciding" : "thinking", "Thinking it over.");
    } else if (act.kind === "tool") {
      change("calling_tool");
      const call = { tool: "grep", tool_call_id: `call_${calls++}` };
      emit("tool.invoked", { ...call, summary_normal: "Searching.", irreversible: false });
      emit("tool.completed", { ...call, status: "success", summary_normal: "Found." });
    } else if (act.kind === "ask") {
      change("awaiting_input");
      const token = `rpl_${index}t${++asks}`;
      emit("awaiting.clarification", { urgency: "critical", question: "Which?", reply_token: token, timeout_seconds: 60 });
      change("thinking", "You answered.");
    } else {
      emit("progress.updated", { urgency: "background", progress: { description: "Still at it." } });
    }
  }
  change("writing_output");
  outputs.forEach((_, turnOf) => {
    say(turnOf, Number.POSITIVE_INFINITY);
  });
  if (ending === "completed") emit("session.completed", { summary_normal: "Done." });
  else emit("session.errored", { urgency: "critical", error_category: "unknown", summary_normal: "Failed." });
  return events;
}

/** Several concurrent sessions in the order of a feed whose positions have gaps. */
export const arbitraryStreams: fc.Arbitrary<readonly FeedEvent[]> = fc
  .tuple(fc.array(plan, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(), { minLength: 1, maxLength: 30 }))
  .map(([plans, order]) => {
    const queues = plans.map(play);
    const heard: FeedEvent[] = [];
    for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
      const waiting = queues.map((queue, session) => ({ queue, session })).filter(({ queue }) => queue.length > 0);
      const chosen = waiting[(order[turn % order.length] ?? 0) % waiting.length];
      const fields = chosen?.queue.shift();
      if (chosen === undefined || fields === undefined) continue;
      const position = turn * 2 + 1;
      heard.push(
        toFeedEvent(position, {
          "@context": CORE_CONTEXT,
          aaep_version: "1.0.0",
          event_id: `evt_${chosen.session}x${position}`,
          session_id: `sess_${chosen.session}`,
          timestamp: new Date(EPOCH + position * 7).toISOString(),
          producer: { agent_id: "writer" },
          localization_hints: { primary_language: "en-US" },
          ...fields,
        }),
      );
    }
    return heard;
  });

const boundary = fc.constantFrom("none" as const, "word" as const, "sentence" as const, "paragraph" as const, "completion" as const);

export const arbitraryTerms: fc.Arbitrary<Terms> = fc
  .record(
    {
      max_events_per_second: fc.constantFrom(1, 2, 3, 10, 50, 1000),
      preferred_verbosity: fc.constantFrom("terse" as const, "normal" as const, "detailed" as const),
      coalesce_boundaries: fc.uniqueArray(boundary, { minLength: 1, maxLength: 3 }),
      cognitive_load: fc.constantFrom("low" as const, "medium" as const, "high" as const),
      pace_wpm: fc.constantFrom(50, 200, 1000),
    },
    { requiredKeys: [] },
  )
  .map((capabilities) => compileTerms(capabilities, capabilities));
