import { AAEP } from "@earshot/protocol";
import { expect } from "vitest";
import type { LiveReport } from "../live-report.ts";
import { createHttpPeer } from "../peer/http-peer.ts";
import { checkProducer } from "../producer/check-producer.ts";
import { DEFAULT_PATIENCE, DEFAULT_PROMPTS, type DrivePatience, readSituations } from "../situations.ts";
import { DEFECTS, type Defect } from "./defects.ts";
import { startSeededProducer } from "./seeded-producer.ts";

/** Short where something must not come; long where it must. */
const QUICK: DrivePatience = {
  ...DEFAULT_PATIENCE,
  answerMs: 20_000,
  quietMs: 150,
  criticalMs: 2500,
  rateMs: 1500,
  graceMs: 4000,
  fillMs: 120_000,
};
/** The wait for an event that never comes takes its full time: a few seconds, on a machine that may be busy. */
const IMPATIENT: DrivePatience = { ...QUICK, answerMs: 4000 };
const SITUATIONS = readSituations({ handoff: DEFAULT_PROMPTS.handoff, probe: { get: "/aaep/v1/world" } });

async function drive(defect: Defect | undefined, patience: DrivePatience, level: 1 | 2 | 3): Promise<LiveReport> {
  await using producer = await startSeededProducer(defect);
  const peer = createHttpPeer(producer.url, producer.headers);
  const strict = defect !== undefined && severityOf(defect) === "warning";
  return await checkProducer({ peer, level, situations: SITUATIONS, patience, strict, requiresAll: false });
}

const broken = ({ scenarios }: LiveReport, at: string) => [
  ...new Set(scenarios.flatMap(({ findings }) => findings.filter(({ severity }) => severity === at).map(({ rule }) => rule))),
];

/** The protocol's recommendations fail where warnings count. */
function severityOf(defect: Defect): string {
  return AAEP.rules[DEFECTS[defect]]?.severity ?? "error";
}

/** The first level whose scenarios must find the defect. */
function levelOf(defect: Defect): 1 | 2 | 3 {
  if (defect === "unnamed-subscription-honoured") return 3; // without a handshake there is no subscription to name
  const level = AAEP.rules[DEFECTS[defect]]?.level;
  return level === undefined || level === 0 ? 1 : level;
}

/** A producer without a defect passes every scenario up to a level. */
export async function expectToPass(level: 1 | 2 | 3): Promise<void> {
  const report = await drive(undefined, QUICK, level);
  expect(report.scenarios.flatMap(({ name, findings }) => findings.map(({ rule, message }) => `${name}: ${rule}: ${message}`))).toEqual([]);
  expect(report.scenarios.filter(({ outcome }) => outcome !== "passed").map(({ name, reason }) => `${name}: ${reason}`)).toEqual([]);
  expect(report.ok).toBe(true);
}

/** Checks a producer for each defect, 25 at a time, because a check mostly waits. Returns the promises by defect. */
export function checkDefects(defects: readonly Defect[]): ReadonlyMap<Defect, Promise<LiveReport>> {
  const reports = new Map<Defect, Promise<LiveReport>>();
  const turns = Array.from({ length: 25 }, () => Promise.resolve());
  for (const [index, defect] of defects.entries()) {
    const turn = index % turns.length;
    const report = (turns[turn] ?? Promise.resolve()).then(() => drive(defect, IMPATIENT, levelOf(defect)));
    reports.set(defect, report);
    turns[turn] = report.then(
      () => {},
      () => {},
    );
  }
  return reports;
}

export function expectToFail(defect: Defect, report: LiveReport | undefined): void {
  expect(report === undefined ? [] : broken(report, severityOf(defect))).toContain(DEFECTS[defect]);
  expect(report?.ok).toBe(false);
}
