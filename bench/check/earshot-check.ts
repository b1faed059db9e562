import { runCheck } from "../../packages/recordings/src/check/run.ts";

const paths = process.argv.slice(2);
const began = performance.now();
const { report } = await runCheck(paths, process.stdin, {
  protocol: "auto",
  level: undefined,
  strict: false,
  requireCoverage: false,
  baseline: [],
});
const ms = performance.now() - began;
const sum = (pick: (file: (typeof report.files)[number]) => number) => report.files.reduce((total, file) => total + pick(file), 0);
console.log(
  JSON.stringify({
    events: sum((file) => file.events + file.messages),
    ms,
    maxRssMb: process.resourceUsage().maxRSS / 1024,
    ok: report.ok,
    errors: sum((file) => file.counts.error),
    first: report.files.flatMap((file) => file.problems).slice(0, 5),
  }),
);
