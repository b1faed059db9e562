import { readFileSync } from "node:fs";
import { compilePolicy, decideByPolicy, type PolicyInput, readPolicy } from "@earshot/policy";
import { everydayAsks, shellAsks, toolAsks } from "./policy/asks.ts";

/**
 * Prints how many decisions a policy makes in a second, beside JSON.parse of the same asks in the same run: for tools, and for
 * shell commands, each of which is taken apart. At least 50,000 a second are asked for.
 */
const count = Number(process.argv[2] ?? 50_000);
const reading = readPolicy({
  text: readFileSync(new URL("./policy/policy.yaml", import.meta.url), "utf8"),
  file: "policy.yaml",
  kind: "user",
});
if (!reading.ok) throw new Error(JSON.stringify(reading.troubles, null, 1));
const policy = compilePolicy(reading.policy, { places: { home: "/home/ann" } });
console.log(`${reading.policy.rules.length} rules; ${count.toLocaleString("en")} asks; Node ${process.version}; best of 5 runs each`);
report("tools", toolAsks(count));
report("everyday shell commands", everydayAsks(count));
report("the table of wrapped, quoted and hidden shell commands", shellAsks(count));

function report(name: string, asks: readonly PolicyInput[]): void {
  const texts = asks.map((asked) => JSON.stringify(asked));
  let answered = 0;
  const parsing = best(() => {
    for (const text of texts) JSON.parse(text);
  });
  const deciding = best(() => {
    answered = 0;
    for (const asked of asks) if (decideByPolicy(policy, asked).rule !== undefined) answered++;
  });
  const rate = (ms: number) => Math.round(asks.length / (ms / 1000)).toLocaleString("en");
  console.log(`${name}: ${rate(deciding)} decisions/s, ${((answered / asks.length) * 100).toFixed(0)} % by a rule`);
  console.log(`  JSON.parse of the same asks: ${rate(parsing)}/s; ratio ${(parsing / deciding).toFixed(2)}`);
}

function best(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
