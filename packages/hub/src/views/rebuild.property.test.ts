import { copyFileSync, existsSync, rmSync } from "node:fs";
import { isProtocolName, type JsonObject, PROTOCOLS, type ProtocolName, recogniseProtocol } from "@earshot/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aaepRecordings } from "../../../protocol/testing/aaep.ts";
import { AAEP_DEFECTS } from "../../../protocol/testing/aaep-defects.ts";
import { AEP_DEFECTS, aepRecordings } from "../../../protocol/testing/aep.ts";
import { AOP_DEFECTS, aopRecordings } from "../../../protocol/testing/aop.ts";
import type { Recording } from "../../../protocol/testing/defect.ts";
import { disturb } from "../../../protocol/testing/disturb.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { OpenViews } from "./open-views.ts";
import { dumpViews, openViewsHere, openViewsLedger, type ViewsLedger } from "./testing/open-ledger.ts";

/** Events that are removed, repeated or reordered. */
interface Saying {
  readonly does: "say";
  readonly recording: Recording;
  readonly order: "as it is" | "backwards" | "twice";
  readonly source: string;
}

type Step =
  | Saying
  | { readonly does: "restart" | "forget" | "remember"; readonly after: number }
  | { readonly does: "cut" | "erase"; readonly which: number; readonly share: number; readonly stops: boolean };

const examples = Object.values(PROTOCOLS).flatMap(({ rules }) =>
  Object.values(rules).flatMap((rule) => Object.values(rule.examples()).flatMap((example) => ("told" in example ? [] : [example]))),
);
const recordings = fc.oneof(
  disturb(aopRecordings, AOP_DEFECTS),
  disturb(aepRecordings, AEP_DEFECTS),
  disturb(aaepRecordings, AAEP_DEFECTS),
  fc.constantFrom(...examples),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("say" as const),
      recording: recordings,
      order: fc.constantFrom("as it is", "as it is", "backwards", "twice"),
      source: fc.constantFrom("local", "local", "other"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("restart", "forget", "remember"), after: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom("cut", "erase"),
      which: fc.nat(50),
      share: fc.constantFrom(0.3, 0.7, 1),
      stops: fc.boolean(),
    }),
  },
);

test("after any history of all protocols, with cuts, erasures and stops, the views are what a rebuild makes of the ledger", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      using folder = temporaryTestFolder();
      const path = folder.file("views.db");
      await using speaker = openViewsLedger(folder.file("ledger.db"));
      const lines: string[] = [];
      const log = (line: string) => lines.push(line);
      let views = await openViewsHere(speaker, path, { log });
      for (const one of steps) {
        if (one.does === "say") await say(speaker, one);
        else if ("share" in one) {
          if (await remove(speaker, views, one)) views = await openViewsHere(speaker, path, { log });
        } else {
          // Stops partway. A power cut may lose the last moments, so an older file is found.
          for (let turns = one.after; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
          await views.close();
          if (one.does === "remember" && existsSync(path)) copyFileSync(path, folder.file("older.db"));
          if (one.does === "forget" && existsSync(folder.file("older.db"))) copyFileSync(folder.file("older.db"), path);
          views = await openViewsHere(speaker, path, { log });
        }
        // A removal is durable in both files, so no older file is found afterwards.
        if (one.does === "cut" || one.does === "erase") rmSync(folder.file("older.db"), { force: true });
      }
      await views.caughtUp(await speaker.ledger.head());
      await views.close();
      const rebuilt = await openViewsHere(speaker, folder.file("rebuilt.db"));
      await rebuilt.caughtUp(await speaker.ledger.head());
      await rebuilt.close();
      expect(dumpViews(path)).toEqual(dumpViews(folder.file("rebuilt.db")));
      expect(lines).toEqual([]); // nothing was mended behind our back
    }),
    { numRuns: 40 },
  );
});

async function say(speaker: ViewsLedger, { recording, order, source }: Saying): Promise<void> {
  const said = order === "backwards" ? recording.toReversed() : order === "twice" ? [...recording, ...recording] : recording;
  for (const event of said) {
    const protocol = protocolOf(event);
    if (protocol !== undefined) await speaker.say([event], source, protocol);
  }
}

function protocolOf(event: JsonObject): ProtocolName | undefined {
  const name = recogniseProtocol(event)?.name;
  return name !== undefined && isProtocolName(name) ? name : undefined;
}

/** Returns whether the views stopped meanwhile. */
async function remove(
  { ledger }: ViewsLedger,
  views: OpenViews,
  { does, which, share, stops }: Extract<Step, { share: number }>,
): Promise<boolean> {
  const { entries } = await ledger.read({ after: 0, limit: 1000 });
  const entry = entries[which % Math.max(entries.length, 1)];
  if (entry === undefined || entry.session === "") return false;
  const session = (await ledger.findSessions(entry.session, entry.protocol)).find(({ key }) => key === entry.sessionKey);
  if (session === undefined) return false;
  const { cut, erase } = ledger;
  if (stops) {
    await views.caughtUp(0); // an earlier one that was interrupted is finished
    // The views stop after the ledger's part of the removal and before their own.
    ledger.cut = async (...asked) => {
      const removed = await cut.apply(ledger, asked);
      await views.close();
      return removed;
    };
    ledger.erase = async (...asked) => {
      const removed = await erase.apply(ledger, asked);
      await views.close();
      return removed;
    };
  }
  try {
    if (does === "erase") await views.erase(entry.position);
    else await views.cut(session, "deleted", share === 1 ? undefined : Math.floor((await ledger.head()) * share));
  } finally {
    ledger.cut = cut;
    ledger.erase = erase;
  }
  return stops;
}
