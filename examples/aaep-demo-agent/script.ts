import type { AaepSession } from "@earshot/sdk";
import type { Part, Understood } from "./understand.ts";

/** Called with each simulated effect when it happens. */
export type Journal = (line: string) => void;

const WAIT_SECONDS = 300;

/** The script of each session. The SDK ensures that the events are legal and that nothing happens without permission. */
export async function play(session: AaepSession, { part, seconds = WAIT_SECONDS }: Understood, journal: Journal): Promise<void> {
  await PARTS[part](session, seconds, journal);
}

type Play = (session: AaepSession, seconds: number, journal: Journal) => Promise<unknown>;

const PARTS: Readonly<Record<Part, Play>> = {
  chat: (session) => session.say("Hello, it is good to hear from you."),

  async tool(session, _, journal) {
    const summary = { terse: "Weather.", normal: "Looking up the weather in Ilorin." };
    const weather = await session.tool("look_up_weather", { args: { place: "Ilorin" }, summary }, () => {
      journal("looked up the weather");
      return "31 degrees, and dry";
    });
    await session.say(`It is ${weather}.`);
  },

  // The error is not caught, so it ends the session.
  "failing-tool": (session) =>
    session.tool("teleport", {}, () => {
      throw new Error("There is no tool of this name.");
    }),

  async error() {
    throw new Error("It was to fail, and it did.");
  },

  async secret(session, _, journal) {
    const args = { service: "billing", api_key: "not told to anybody" };
    await session.tool("call_service", { args, summary: "Calling the billing service." }, () => journal("called a service"));
    await session.say("The service answered.");
  },

  async confirm(session, seconds, journal) {
    const answer = await session.confirm({
      action: "Send the weekly report to the team.",
      consequence: "Twelve people get a mail.",
      tool: "send_mail",
      risk: "medium",
      withEffort: true,
      timeoutSeconds: seconds,
    });
    if (!answer.accepted) return session.say("Nothing was sent.");
    await session.tool("send_mail", { args: { to: "team" }, risk: "medium", permit: answer.permit }, () => journal("sent a mail"));
    return session.say("The report is on its way.");
  },

  async irreversible(session, seconds, journal) {
    const answer = await session.confirm({
      action: "Delete the folder old-reports and everything in it.",
      consequence: "212 files are lost. There is no backup.",
      tool: "delete_folder",
      risk: "high",
      irreversible: true,
      timeoutSeconds: seconds,
    });
    if (!answer.accepted) return session.say("Everything is still there.");
    const call = { args: { folder: "old-reports" }, risk: "high", irreversible: true, permit: answer.permit } as const;
    await session.tool("delete_folder", call, () => journal("deleted a folder"));
    return session.say("The folder is gone.");
  },

  async clarify(session, seconds) {
    const answer = await session.clarify({ question: "Which room would you like?", timeoutSeconds: seconds });
    await session.say(answer.answered ? "Thank you, that room is free." : "Without an answer I leave it for now.");
  },

  async "clarify-yes-no"(session, seconds) {
    const answer = await session.clarify({ question: "Shall I include the appendix?", kinds: ["yes_no"], timeoutSeconds: seconds });
    await session.say(answer.answered && answer.response === true ? "With the appendix, then." : "Without the appendix, then.");
  },

  async "clarify-choice"(session, seconds) {
    const choices = [
      { value: "red", label: "The red one" },
      { value: "blue", label: "The blue one" },
    ];
    const answer = await session.clarify({ question: "Which colour?", choices, timeoutSeconds: seconds });
    await session.say(answer.answered ? "A good choice." : "I take the red one.");
  },

  async "clarify-number"(session, seconds) {
    const answer = await session.clarify({ question: "How many copies?", kinds: ["numeric"], timeoutSeconds: seconds });
    await session.say(answer.answered ? "They are being printed." : "I print none.");
  },

  handoff: (session) =>
    session.handoff({
      reason: "A person was asked for.",
      target: "human",
      urgency: "medium",
      context: { topic: "billing" },
      timeoutSeconds: 0,
    }),

  async busy(session, _, journal) {
    for (let number = 1; number <= 10; number++) {
      await session.tool("check_service", { args: { number } }, () => journal(`checked service ${number}`));
    }
    await session.say("All ten services answer.");
  },

  long: (session) => session.say(tides()),
};

/** A long answer in pieces, as a model streams it. */
function* tides(): Generator<string> {
  const sentences = [
    "The moon pulls at the sea, and the sea bulges towards it. ",
    "There is a second bulge on the far side. ",
    "The earth turns below both, so that most shores see two high tides a day. ",
    "The sun pulls too, at about half the strength.\n\n",
    "When both pull in one line, the tides are high: these are spring tides. ",
    "When they pull at right angles, the tides are low: these are neap tides. ",
    "Bays and channels make them higher still, up to 16.3 m in places. ",
    "That is why sailors keep tables.",
  ];
  for (const sentence of sentences) for (const word of sentence.match(/\S+\s*/g) ?? []) yield word;
}
