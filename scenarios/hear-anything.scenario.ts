import { describe, expect, it } from "vitest";
import { AgentFiles } from "../packages/agents/src/files/agent-files.ts";
import { AGENT_FOLDERS, errorsIn } from "../packages/agents/src/testing/agent-folders.ts";
import { leafPathsOf, replaceMember } from "../packages/agents/src/testing/leaves.ts";
import { mapHookPayload } from "../packages/hub/src/hooks/map-hook-payload.ts";
import { BEHAVIORS } from "../packages/protocol/src/aep/types.ts";
import { isObject, type JsonObject, type JsonValue } from "../packages/protocol/src/json.ts";

const FILES = new AgentFiles();
const NOW = Date.UTC(2026, 8, 1);

async function hear(registered: string, payload: JsonValue, hook: string) {
  let count = 0;
  if (!isObject(payload)) return undefined;
  return mapHookPayload(FILES, { registered, payload, hook, now: NOW, ids: () => `evt_${++count}` });
}

const response = (behavior: (typeof BEHAVIORS)[number], more: object = {}) => ({
  aep_version: "0.1" as const,
  id: "rsp_1",
  request_event_id: "evt_1",
  time: "2026-09-01T00:00:00.000Z",
  control: { behavior, message: "Not here.", ...more },
  decision: { outcome: "info" as const },
});

describe("what any agent sends, as the hub hears it", () => {
  for (const { slug, samples } of AGENT_FOLDERS) {
    it(`${slug}: is heard and answered, whatever is missing, of another kind, or huge`, async () => {
      const isOwn: boolean[] = [];
      for (const { payload, hook } of samples) {
        isOwn.push((await hear(slug, payload, hook))?.slug === slug);
        for (const leaf of leafPathsOf(payload)) {
          for (const instead of [undefined, null, 7, [], { a: 1 }, "x".repeat(100_000)]) {
            const heard = await hear(slug, replaceMember(payload, leaf, instead), hook);
            for (const { event } of heard?.events ?? []) expect(errorsIn(event)).toEqual([]);
          }
        }
      }
      // The registered agent counts unless the payload contradicts it; these samples do not.
      expect(isOwn).toEqual(samples.map(() => true));
    });

    it(`${slug}: is told every answer in a way that a process can say it`, async () => {
      for (const { payload, hook } of samples) {
        const heard = await hear(slug, payload, hook);
        if (heard === undefined) continue;
        for (const behavior of BEHAVIORS) {
          for (const more of [
            {},
            { updated_input: { command: "ls" } },
            { additional_context: "Mind the gap." },
          ] satisfies readonly JsonObject[]) {
            const { exitCode, stdout } = heard.render(response(behavior, more), { headless: false, input: { command: "rm x" } });
            expect(exitCode === 0 || exitCode === 2).toBe(true);
            if (stdout.trim().startsWith("{")) expect(isObject(JSON.parse(stdout))).toBe(true);
          }
        }
      }
    });
  }
});
