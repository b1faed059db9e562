import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProtocolName } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { Admission } from "./admission.ts";
import { createLifecycle } from "./lifecycle.ts";
import { receive } from "./receive.ts";

interface Fixture {
  readonly file: string;
  readonly protocol: ProtocolName;
  readonly expect: "valid" | "invalid";
  readonly rule?: string;
}

/** What a recording shows and a hub that hears sessions live cannot tell, or does not have to. */
const NOT_TOLD_LIVE: ReadonlySet<string> = new Set([
  // That something never comes is known when a recording ends; a stream may go on.
  "aaep/session-ends",
  "aaep/question-left-open",
  "aep/response-needs-request",
  "aop/ended-present",
  "aop/sequence-complete",
  "aop/started-first",
  "aop/tool-end-needs-start",
  "aop/spawned-child-speaks",
  // A handshake between a producer and somebody else is no part of a session; and without one, whether anybody could have
  // answered is not known.
  "aaep/accepted-answers-request",
  "aaep/coalesce-hint-negotiated",
  "aaep/filter-honored",
  "aaep/handshake-answered",
  "aaep/honored-not-looser",
  "aaep/rate-honored",
  "aaep/reply-capable",
  "aaep/reply-subscription",
  "aaep/signed-manifest",
  "aaep/subscription-known",
  "aaep/cancelled-token-dead",
  "aaep/confirmation-blocks",
  "aaep/irreversible-by-default",
  "aaep/timeout-default",
  // Across sessions: for whoever sees all of them.
  "aop/spawn-agrees",
  "aop/tree-has-no-cycle",
  // Masked before it is judged; the mark says so.
  "aaep/no-secrets",
  "aop/payload-without-secrets",
]);

const { fixtures } = JSON.parse(readFileSync("conformance/manifest.json", "utf8")) as { readonly fixtures: readonly Fixture[] };

/** Plays a recording into a ledger of its own. */
async function play({ file, protocol }: Fixture) {
  const folder = mkdtempSync(join(tmpdir(), "earshot-conformance-"));
  try {
    const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
    await using ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now });
    const lines = readFileSync(join("conformance", file), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    const pieces = lines.map((text, index) => ({ line: index + 1, text, sizeBytes: Buffer.byteLength(text) }));
    const ports = { ledger, admission: new Admission(), now: Date.now, redacts: () => true };
    const verdicts = await receive(pieces, { name: "local", verified: false, protocol }, ports);
    const refused = verdicts.flatMap((verdict) => (verdict.ok ? [] : [verdict.problem]));
    const flags = verdicts.flatMap((verdict) => (verdict.ok ? verdict.flags : []));
    return { refused, flags };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.each(["aaep", "aep", "aop"] as const)("the conformance recordings of %s, played into the hub", (protocol) => {
  const ofProtocol = fixtures.filter((fixture) => fixture.protocol === protocol);

  it("are stored without an error when they are valid", async () => {
    const valid = ofProtocol.filter((fixture) => fixture.expect === "valid");
    expect(valid.length).toBeGreaterThan(50);
    for (const fixture of valid) {
      const { refused, flags } = await play(fixture);
      expect([fixture.file, [...refused, ...flags.filter(({ severity }) => severity === "error")]]).toEqual([fixture.file, []]);
    }
  });

  it("are told with the rule they break when they are not", async () => {
    const silent = new Set<string>();
    for (const fixture of ofProtocol.filter((one) => one.expect === "invalid")) {
      const { refused, flags } = await play(fixture);
      const isTold = [...refused, ...flags].some(({ rule }) => rule === fixture.rule);
      if (!isTold && fixture.rule !== undefined) silent.add(fixture.rule);
    }
    expect([...silent].sort()).toEqual([...NOT_TOLD_LIVE].filter((rule) => rule.startsWith(`${protocol}/`)).sort());
  });
});
