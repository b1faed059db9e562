import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startDemoAgent } from "./demo-agent.ts";

/** Runs the agent as a process. */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    stdio: { type: "boolean", default: false },
    token: { type: "string" },
    journal: { type: "string" },
    "suite-workaround": { type: "boolean", default: false },
  },
});
const { stdio, token, journal } = values;
const agent = await startDemoAgent({
  serve: { ...(stdio ? { stdio } : { port: Number(values.port) }), ...(token === undefined ? {} : { token }) },
  acknowledges: values["suite-workaround"],
  journal: (line) => {
    if (journal !== undefined) appendFileSync(journal, `${line}\n`);
  },
});
const stop = () => void agent[Symbol.asyncDispose]().then(() => process.exit(0));
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
if (stdio) process.stdin.once("end", stop);
else console.log(`The demo agent serves ${agent.endpoint.url}`);
