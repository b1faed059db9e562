import { aaep } from "@earshot/sdk";

/** An AAEP agent as a process: reports its session, acts on its argument, and reports the result. */
const [what = "asks"] = process.argv.slice(2);
const agent = aaep({ agentId: "tidy-bot", agentVersion: "1.0.0" });
const say = (text: string) => void process.stdout.write(`${text}\n`);

if (what === "leaves") {
  const session = agent.session({ summary: "Tidying the database." });
  say(session.sessionId);
  session.thinking("Where to begin.");
  void session.tool("count_rows", { args: { table: "orders_old" } }, () => new Promise(() => {}));
} else {
  await agent
    .run({ summary: "Tidying the database." }, async (session) => {
      say(session.sessionId);
      session.thinking();
      if (what === "serves") say(String((await session.serve()).url));
      if (what === "works") {
        const idle = setInterval(() => {}, 1000);
        session.signal.addEventListener("abort", () => clearInterval(idle));
        say("ready");
        await session.tool(
          "sweep",
          {},
          ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        );
      }
      const answer = await session.confirm({
        action: "Drop table orders_old.",
        consequence: "41,200 rows are lost.",
        tool: "drop_table",
        irreversible: true,
      });
      say(answer.accepted ? "accepted" : answer.why);
      if (answer.accepted) await session.tool("drop_table", { irreversible: true, permit: answer.permit }, () => {});
      const asked = await session.clarify({ question: "Which one next?", choices: ["orders_older", "none"] });
      say(asked.answered ? asked.response : asked.why);
      await session.say("The table is gone. End of the timeline.");
    })
    .catch((error: unknown) => say(error instanceof Error ? error.name : "?"));
  await agent.flush(10_000);
  await agent.close();
}
