import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CONFORMANCE_CASES, type PlayableCase } from "../../../protocol/testing/conformance.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { IntakeAdmission } from "./admission.ts";
import { createLifecycle } from "./lifecycle.ts";
import { receive } from "./receive.ts";

/** Findings that a live hub cannot or need not report. */
const NOT_TOLD_LIVE: ReadonlySet<string> = new Set([
  // Only the end of a recording shows that something never comes.
  "aaep/session-ends",
  "aaep/question-left-open",
  "aep/response-needs-request",
  "aop/ended-present",
  "aop/sequence-complete",
  "aop/started-first",
  "aop/tool-end-needs-start",
  "aop/spawned-child-speaks",
  // A handshake with another party is not part of a session; without one, it is unknown whether anyone could have answered.
  "aaep/accepted-answers-request",
  "aaep/coalesce-hint-negotiated",
  "aaep/filter-honored",
  "aaep/handshake-answered",
  "aaep/honored-not-looser",
  "aaep/language-honored",
  "aaep/rate-honored",
  "aaep/renegotiation-keeps",
  "aaep/reply-capable",
  "aaep/reply-subscription",
  "aaep/signed-manifest",
  "aaep/subscription-known",
  "aaep/verbosity-honored",
  "aaep/confirmation-blocks",
  "aaep/irreversible-by-default",
  "aaep/timeout-default",
  // Across sessions.
  "aop/spawn-agrees",
  "aop/tree-has-no-cycle",
  // Masked before judging; the mark replaces the finding.
  "aaep/no-secrets",
  "aep/no-secrets",
  "aop/payload-without-secrets",
]);

const lifecycle = createLifecycle({ strict: false });
const folder = mkdtempSync(join(tmpdir(), "earshot-conformance-"));
const ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now });
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Cases share ids, so each is a source of its own in one ledger. */
async function play({ id, protocol, lines }: PlayableCase) {
  const pieces = lines.map((text, index) => ({ line: index + 1, text, sizeBytes: Buffer.byteLength(text) }));
  const ports = { ledger, admission: new IntakeAdmission(), now: Date.now, redacts: () => true };
  const verdicts = await receive(pieces, { name: id, verified: false, protocol }, ports);
  const refused = verdicts.flatMap((verdict) => (verdict.ok ? [] : [verdict.problem]));
  const flags = verdicts.flatMap((verdict) => (verdict.ok ? verdict.flags : []));
  return { refused, flags };
}

describe.each(["aaep", "aep", "aop"] as const)("the conformance cases of %s, played into the hub", (protocol) => {
  const cases = CONFORMANCE_CASES.filter((one) => one.protocol === protocol);

  it("are stored without an error when they are valid", async () => {
    const valid = cases.filter((one) => one.valid);
    expect(valid.length).toBeGreaterThan(50);
    for (const one of valid) {
      const { refused, flags } = await play(one);
      expect([one.id, [...refused, ...flags.filter(({ severity }) => severity === "error")]]).toEqual([one.id, []]);
    }
  });

  it("are flagged or refused with the rule they break when they are not", async () => {
    const silent = new Set<string>();
    for (const one of cases.filter(({ valid }) => !valid)) {
      const { refused, flags } = await play(one);
      for (const { rule } of one.findings) if (![...refused, ...flags].some((told) => told.rule === rule)) silent.add(rule);
    }
    expect([...silent].sort()).toEqual([...NOT_TOLD_LIVE].filter((rule) => rule.startsWith(`${protocol}/`)).sort());
  });
});
