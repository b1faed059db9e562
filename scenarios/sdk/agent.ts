import { readdirSync } from "node:fs";
import { join } from "node:path";
import { aop } from "@earshot/sdk";

/** An agent as a process: reports this many thoughts and ends as told. Prints its session id first. */
const [ending = "", count = "10", everyMs = "0"] = process.argv.slice(2);
const agent = aop({ agentId: "scenario-agent", agentVersion: "1.0.0" });

switch (ending) {
  case "returns":
    await agent.run({ goal: "Say it all." }, async (session) => {
      announce(session.sessionId);
      await say(session.thought.bind(session));
    });
    break;
  case "flushes":
    await agent.run({ goal: "Say it all, and wait until it was heard." }, async (session) => {
      announce(session.sessionId);
      await say(session.thought.bind(session));
    });
    await agent.flush(30_000);
    process.stdout.write(`${JSON.stringify(agent.counts())}\n`);
    break;
  case "delivers":
    // Reports nothing itself: delivers what others left. A busy hub may need several attempts.
    for (let attempt = 0; attempt < 20 && hasLeftovers(); attempt++) await agent.flush(2000);
    break;
  default: {
    const session = agent.session({ goal: "End badly." });
    announce(session.sessionId);
    await say(session.thought.bind(session));
    session.spend({ costUsd: 0.125 });
    end(ending);
  }
}

function end(how: string): void {
  switch (how) {
    case "forgets":
      return;
    case "throws":
      throw new Error("The disk is on fire.");
    case "rejects":
      void Promise.reject(new Error("Nobody caught this."));
      return;
    case "exits":
      process.exit(3);
      break;
    case "waits":
      ready();
      setInterval(() => {}, 1000);
      return;
    case "handles":
      // Handles the signal itself and continues for a while.
      process.on("SIGTERM", () => {
        process.stdout.write("handled\n");
        setTimeout(() => process.exit(0), 50);
      });
      ready();
      setInterval(() => {}, 1000);
      return;
    case "raises-again":
      // Like libraries that clean up and raise the signal again unless another handler exists.
      process.on("SIGTERM", function clean() {
        if (process.listenerCount("SIGTERM") > 1) return;
        process.off("SIGTERM", clean);
        process.kill(process.pid, "SIGTERM");
      });
      ready();
      setInterval(() => {}, 1000);
      return;
    default:
      throw new Error(`Unknown: ${how}`);
  }
}

async function say(thought: (content: string) => void): Promise<void> {
  for (let number = 1; number <= Number(count); number++) {
    thought(`Thought ${number}.`);
    if (Number(everyMs) > 0) await new Promise((resolve) => setTimeout(resolve, Number(everyMs)));
  }
}

function hasLeftovers(): boolean {
  const spool = join(process.env["EARSHOT_HOME"] ?? "", "spool");
  return readdirSync(spool).some((receiver) => readdirSync(join(spool, receiver)).length > 0);
}

/** Announces that signals may be sent. */
function ready(): void {
  process.stdout.write("ready\n");
}

function announce(sessionId: string): void {
  process.stdout.write(`${sessionId}\n`);
}
