import { isNo, isYes, readPastAsks } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type AnsweredAsk, suggestRules } from "@earshot/policy";
import { command } from "../command.ts";
import { ownPlaces } from "../inbox/inspect-request.ts";
import { EXIT, type Io } from "../io.ts";
import { openHistory, readSince, slowProgress } from "../policy/open-history.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const policySuggest = command(
  {
    name: "policy suggest",
    positionals: [],
    about: `Proposes rules from what you answered again and again, always in the same way. None is written or applied: copy those that you want
into ~/.earshot/policy.yaml, below "rules:". Nothing is proposed for what does harm, or cannot be inspected.`,
    options: {
      since: { type: "string", value: "TIME", about: "only answers since then: 30d, 12h, or a date such as 2026-05-01" },
      "at-least": { type: "string", default: "3", value: "N", about: "how many equal answers make a rule (default 3)" },
      json: { type: "boolean", default: false, about: "print them as JSON" },
    },
  },
  async ({ values }, io: Io): Promise<number> => {
    if (!/^[1-9]\d{0,3}$/.test(values["at-least"])) throw usage("--at-least takes a number from 1 on.", "--at-least 3");
    using history = openHistory();
    const since = values.since === undefined ? {} : { since: readSince(values.since, Date.now()) };
    const answered: AnsweredAsk[] = [];
    for await (const { asked, past } of readPastAsks(history, { ...since, onProgress: slowProgress(io, "Reading") })) {
      const last = asked.at(-1);
      if (last === undefined || past.how !== "person" || (!isYes(past.word) && !isNo(past.word))) continue;
      answered.push({ asked: last, answer: isYes(past.word) ? "allow" : "deny" });
    }
    const suggestions = suggestRules(answered, { atLeast: Number(values["at-least"]), places: ownPlaces() });
    if (values.json) {
      io.out(`${JSON.stringify({ answers: answered.length, suggestions }, null, 2)}\n`);
      return EXIT.ok;
    }
    io.err(`${formatCount(answered.length, "answer")} of yours, ${formatCount(suggestions.length, "rule")} proposed. None is applied.\n`);
    for (const { yaml, answers, examples } of suggestions) {
      io.out(`# ${formatCount(answers, "equal answer")}, such as: ${examples.map(plainText).join("; ")}\n`);
      io.out(`${yaml.split("\n").map(plainText).join("\n").trimEnd()}\n`);
    }
    return EXIT.ok;
  },
);
