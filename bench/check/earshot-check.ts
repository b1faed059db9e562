import { runCheck } from "../../packages/cli/src/check/run.ts";

const path = process.argv[2] ?? "";
const began = performance.now();
const { report } = await runCheck([{ file: path, open: () => path }], { protocol: "auto", strict: false, requireCoverage: false });
const ms = performance.now() - began;
const [file] = report.files;
console.log(
  JSON.stringify({
    events: (file?.events ?? 0) + (file?.messages ?? 0),
    ms,
    maxRssMb: process.resourceUsage().maxRSS / 1024,
    ok: report.ok,
    counts: file?.counts,
    first: file?.problems.slice(0, 5),
  }),
);
