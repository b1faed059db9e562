import { type AopAgent, aop, type Session } from "@earshot/sdk";

/** An agent that investigates a failing test. Its model and tools are simulated; its events are real. */
const FILES: Readonly<Record<string, string>> = {
  "orders.test.ts": "expect(total(orders)).toBe(42)",
  "orders.json": '[{"price":40,"date":"2026-02-30"}]',
};

export function createAgent(): AopAgent {
  return aop({ agentId: "test-doctor", agentVersion: "1.0.0" });
}

export function diagnose(agent: AopAgent): Promise<string> {
  return agent.run({ goal: "Find out why orders.test.ts fails.", metadata: { llm: "none" } }, async (session) => {
    session.thought("The test reads a fixture. I look at the test first.", { confidence: "high" });
    const test = await readFile(session, "orders.test.ts");
    session.goal("Find the fixture.", "set", { parentGoal: "Find out why orders.test.ts fails." });
    session.thought("Where would the fixture be? I try the usual folder.");
    await readFile(session, "fixtures/orders.json").catch(() => session.uncertainty("The fixture is not where it usually is."));
    session.decision("Look beside the test.", { alternatives: ["Search the whole repository."], reasoning: "It is quicker." });
    const fixture = await readFile(session, "orders.json");
    session.goal("Find the fixture.", "completed");
    session.thought("The fixture is found. Somebody else can check the dates.");
    const child = session.spawn({ agentId: "date-checker", goal: "Find dates that do not exist." });
    const wrong = await child.run((checker) => findWrongDate(checker, fixture));
    session.memory("write", { key: "orders.test.ts", summary: "Fails because of a date that does not exist." });
    session.spend({ tokens: 1200, costUsd: 0.004 });
    return `${test.length > 0 ? "The test is fine; " : ""}the fixture has the date ${wrong}.`;
  });
}

function readFile(session: Session, path: string): Promise<string> {
  const read = async () => {
    const text = FILES[path];
    if (text === undefined) throw new Error(`There is no file ${path}.`);
    return text;
  };
  // Others may read input and summary, so they hold the path and size rather than the contents.
  return session.tool("read_file", { path }, read, { resultSummary: (text) => `${text.length} characters`, tokenSpendDelta: () => 150 });
}

function findWrongDate(session: Session, text: string): string {
  session.thought("February has no thirtieth day.", { confidence: "high" });
  return /\d{4}-02-30/.exec(text)?.[0] ?? "nowhere";
}
