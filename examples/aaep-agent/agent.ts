import { aaep, type ServingAgent } from "@earshot/sdk";

/** An agent that cleans up a database and asks before doing anything irreversible. Its tools are simulated; its events are real. */
const ROWS: Record<string, number> = { orders: 12_000, orders_old: 41_200 };

export function createAgent(): ServingAgent {
  return aaep({ agentId: "tidy-bot", agentName: "Tidy bot", agentVersion: "1.0.0", language: "en", hub: false });
}

export function tidy(agent: ServingAgent, table: string): Promise<string> {
  return agent.run({ summary: `Tidying the database: is ${table} needed?`, tools: ["count_rows", "drop_table"] }, async (session) => {
    session.thinking("Looking at the size first.");
    const rows = await session.tool("count_rows", { args: { table } }, () => ROWS[table] ?? 0);
    const answer = await session.confirm({
      action: `Drop table ${table} in database shop.`,
      consequence: `${rows.toLocaleString("en")} rows are lost. There is no backup.`,
      tool: "drop_table",
      args: { table },
      irreversible: true,
    });
    // This does not compile without the permit, and does not run with a used permit or one for another table.
    if (answer.accepted)
      await session.tool("drop_table", { args: { table }, irreversible: true, permit: answer.permit }, () => drop(table));
    const told = answer.accepted ? `${table} is gone.` : `${table} stays.`;
    for await (const _word of session.output(model(`${told} Nothing else was touched.`)));
    return told;
  });
}

function drop(table: string): void {
  delete ROWS[table];
}

/** Streams the text word by word, as models do. */
async function* model(text: string): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) yield word;
}
