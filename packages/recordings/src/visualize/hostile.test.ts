import { UNSEEN } from "@earshot/terminal/plain-text";
import { beforeAll, describe, expect, it } from "vitest";
import { FORMATS, renderTrace } from "./render-trace.ts";
import { aaepSession, traceOf } from "./testing/recording.ts";
import { isWellFormed } from "./testing/well-formed.ts";
import type { RecordingTrace } from "./trace.ts";

const HOSTILE = [
  "</title></desc><script>alert(1)</script><img src=x onerror=alert(1)>",
  "\u001b[31mred\u001b]0;title\u0007\u009b31m",
  "\u202etxt.exe\u2066 \u200b",
  'section x : crit, milestone, 1, 2\n    click a href "javascript:alert(1)"\n---\n%%{init: {}}%% ```',
  "]]> <!-- & &amp; \" ' ` <![CDATA[",
  "\ud800 lone \uffff \u0000",
  "W".repeat(100_000),
  "e\u0301".repeat(500),
];

/** A trace in which every displayed text is hostile. */
async function hostileTrace(): Promise<RecordingTrace> {
  const events = HOSTILE.flatMap((text, index) => {
    const say = aaepSession(`sess_${index} ${text}`, `agent ${text}`);
    return [
      say("session.started", { summary_normal: text, request_text: text }),
      say("state.changed", { from_state: "idle", to_state: text }),
      say("tool.invoked", { tool: text, tool_call_id: text }),
      say("tool.completed", { tool: text, tool_call_id: `${text}2`, status: "error", error_message: text }),
      say("awaiting.confirmation", { action: text, reply_token: text, urgency: "critical" }),
      { type: "confirmation.reply", reply_token: text, decision: text, decided_by: text },
      say("output.streaming", { output_id: text, chunk: text, position: 0, complete: true }),
      say(text, {}),
      { ...say("session.completed"), event_id: text },
    ];
  });
  return traceOf(events, { title: HOSTILE.join(" ").slice(0, 400) });
}

describe("hostile text", () => {
  const unseen = new RegExp(UNSEEN, "v");
  let trace: RecordingTrace;
  beforeAll(async () => {
    trace = await hostileTrace();
  });

  for (const format of FORMATS) {
    for (const isWatched of [true, false]) {
      it(`cannot act in ${format}${isWatched ? ", watched" : ""}`, () => {
        const text = renderTrace(trace, format, { isWatched, width: 80, colour: false });
        expect(text.replaceAll("\n", "")).not.toMatch(unseen);
        expect(text.isWellFormed()).toBe(true);
        expect(text.length).toBeLessThan(1_000_000);
      });
    }
  }

  it("stays text in the picture and in the page", () => {
    const svg = renderTrace(trace, "svg", { isWatched: false, width: 0, colour: false });
    expect(isWellFormed(svg)).toBe(true);
    const html = renderTrace(trace, "html", { isWatched: false, width: 0, colour: false });
    for (const text of [svg, html]) {
      expect(text).not.toMatch(/<script|<img|<a [^>]*javascript:|<[a-z]+[^>]*\son\w+=/i);
      expect(text).toContain("&lt;script&gt;");
    }
    expect(html).toContain("default-src 'none'");
  });

  it("makes no statement of its own in Mermaid", () => {
    const lines = renderTrace(trace, "mermaid", { isWatched: false, width: 0, colour: false }).trimEnd().split("\n");
    expect(lines.slice(0, 4).map((line) => line.replace(/^title: ".*"$/, "title"))).toEqual(["---", "title", "---", "gantt"]);
    for (const line of lines.slice(4)) {
      expect(line).toMatch(
        /^ {4}(?:accTitle: |accDescr: |dateFormat x$|axisFormat %|section [^:;#%]+$|[^:;#,%"`]+ :(?:(?:done|active|crit|milestone), )*\d+, \d+$)/,
      );
    }
  });
});
