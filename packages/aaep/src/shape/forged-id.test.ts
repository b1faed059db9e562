import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { toHeard } from "../producer/to-heard.ts";
import { toTerms } from "../producer/to-terms.ts";
import { readMergedId, writeMergedId } from "./merged-id.ts";
import { createShaper } from "./shaper.ts";

const event = (eventId: string, type: string, fields: JsonObject): JsonObject => ({
  "@context": CORE_CONTEXT,
  type: `aaep:agent.${type}`,
  event_id: eventId,
  session_id: "sess_1",
  timestamp: "2026-07-01T09:00:00.000Z",
  producer: { agent_id: "writer" },
  ...fields,
});

const forged = writeMergedId(1, 900, 0, toTerms({}, {}).key, { upTo: 900, lanes: [] });
const told = (eventId: string, type: string, fields: JsonObject) => {
  const shaper = createShaper(toTerms({}, {}), 0);
  shaper.hear(toHeard(1, event(eventId, type, fields)), 0);
  return shaper.take(0, 10)[0];
};

describe("an id that an agent made up to lead elsewhere", () => {
  it("is not one to resume from", () => {
    const fields = { tool: "grep", summary_normal: "Searching." };
    expect(told("evt_plain", "tool.invoked", fields)).toMatchObject({ eventId: "evt_plain", resumable: true });
    expect(told(forged, "tool.invoked", fields)).toMatchObject({ eventId: forged, resumable: false });
  });

  it("is replaced where ids are made here anyway", () => {
    const fields = { chunk: "Done.", position: 0, complete: true, coalesce_hint: "completion" };
    expect(told("evt_plain", "output.streaming", fields)).toMatchObject({ eventId: "evt_plain", resumable: true });
    const { eventId = "", resumable } = told(forged, "output.streaming", fields) ?? {};
    expect(resumable).toBe(true);
    expect(readMergedId(eventId)?.resume).toEqual({ upTo: 1, lanes: [] });
  });
});
