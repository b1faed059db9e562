import type { Danger } from "../danger.ts";

const EARSHOT = ["earshot"];

/** An agent that uses Earshot to get out of its hearing. */
export const EARSHOT_DANGERS: readonly Danger[] = [
  {
    id: "earshot-decides",
    sentence: "Answers, with Earshot, what a person was asked.",
    example: "earshot allow 3",
    harmless: "earshot inbox",
    risk: "high",
    reversible: false,
    forms: [{ programs: EARSHOT, words: [["allow", "deny", "answer"]] }],
  },
  {
    id: "earshot-loosens",
    sentence: "Loosens what Earshot asks about, or admits somebody to decide.",
    example: "earshot pause 30m",
    harmless: "earshot policy check",
    risk: "high",
    reversible: false,
    forms: [
      { programs: EARSHOT, words: [["pause", "away", "resume-session", "pair", "token", "reset-approver", "init", "unlock"]] },
      { programs: EARSHOT, words: [["policy"], ["add", "accept", "apply", "approve", "edit", "set", "use", "reset", "allow"]] },
      { programs: EARSHOT, words: [["config"], ["set", "edit", "unset"]] },
    ],
  },
  {
    id: "earshot-stops",
    sentence: "Stops Earshot, or keeps it from starting.",
    example: "earshot stop",
    harmless: "earshot tail",
    risk: "high",
    reversible: true,
    forms: [
      { programs: EARSHOT, words: [["stop", "restart", "stop-session"]] },
      { programs: EARSHOT, words: [["service"], ["uninstall", "remove", "stop", "disable"]] },
      { whole: /\b(?:p?kill|killall|xkill|taskkill)\b[^\n]{0,200}earshot|earshot[^\n]{0,200}\b(?:p?kill|killall)\b/i },
      {
        programs: ["systemctl", "service", "launchctl", "sc", "schtasks"],
        text: /\b(?:stop|disable|mask|kill|unload|bootout|remove|delete|end)\b.*earshot|earshot.*\b(?:stop|disable)\b/i,
      },
    ],
  },
  {
    id: "earshot-removes",
    sentence: "Removes Earshot's hooks, or what Earshot keeps.",
    example: "earshot remove",
    harmless: "earshot verify",
    risk: "high",
    reversible: false,
    forms: [
      { programs: EARSHOT, words: [["remove", "uninstall", "prune", "erase"]] },
      { programs: ["npm", "pnpm", "yarn", "bun"], words: [["uninstall", "remove", "rm", "un", "unlink"]], text: / earshot(?: |$)/ },
    ],
  },
];
