import { AAEP, AEP, AOP, type Protocol } from "@earshot/protocol";
import fc from "fast-check";
import { aaepRecordings } from "../packages/protocol/testing/aaep.ts";
import { AAEP_DEFECTS } from "../packages/protocol/testing/aaep-defects.ts";
import { AEP_DEFECTS, aepRecordings } from "../packages/protocol/testing/aep.ts";
import { AOP_DEFECTS, aopRecordings } from "../packages/protocol/testing/aop.ts";
import { createPick, type Defect, type Recording } from "../packages/protocol/testing/defect.ts";
import { judgeRecording } from "../packages/protocol/testing/judge-recording.ts";

/** Judges random recordings as they are and with one random defect. Prints false alarms and missed defects. */
const count = Number(process.argv[2] ?? 5000);
const errorsOf = (protocol: Protocol, recording: Recording) =>
  judgeRecording(protocol, recording).flatMap((one) => (one.severity === "error" ? [one.rule ?? ""] : []));

let wrong = 0;
function search(protocol: Protocol, recordings: fc.Arbitrary<Recording>, defects: readonly Defect[]): void {
  const pick = createPick(Date.now());
  let alarms = 0;
  let applied = 0;
  let missed = 0;
  for (const recording of fc.sample(recordings, { numRuns: count })) {
    if (errorsOf(protocol, recording).length > 0) alarms++;
    const defect = defects[pick(defects.length)];
    const broken = defect?.apply(recording, pick);
    if (defect === undefined || broken === undefined) continue;
    applied++;
    if (errorsOf(protocol, broken).some((rule) => defect.rules.includes(rule))) continue;
    missed++;
    console.log(`${protocol.name}, missed: ${defect.name}`);
  }
  wrong += alarms + missed;
  console.log(
    `${protocol.name}: ${alarms} false alarms in ${count} conforming recordings; ${missed} missed of ${applied} defects (${defects.length} kinds)`,
  );
}

search(AAEP, aaepRecordings, AAEP_DEFECTS);
search(AEP, aepRecordings, AEP_DEFECTS);
search(AOP, aopRecordings, AOP_DEFECTS);
process.exit(wrong === 0 ? 0 : 1);
