import type { ListenPhrases } from "./listen-phrases.ts";
import type { VoiceReason } from "./voice/choose-voice.ts";

export const ENGLISH_LISTEN: ListenPhrases = {
  language: "en",
  begins: (voice, because) => {
    const why = reason(because);
    return voice === "lines" ? `Earshot listens, as lines${why === "" ? "" : `: ${why}`}.` : `Earshot listens, with ${voice}.`;
  },
  keysAtHand: "Question mark lists the keys.",
  askPin: "Type your PIN and Enter, to answer here; or Enter alone, to listen only.",
  paused: "Paused. Space resumes.",
  goesOn: "Goes on.",
  nothingSaid: "No announcements yet.",
  waits: (index, all) => (all === 1 ? "One waits." : `${index} of ${all} that wait.`),
  nobodyWaits: "No pending requests.",
  moreWait: (requests) => (requests === 1 ? "One more waits; w reads it." : `${requests} more wait; w reads them.`),
  pace: (wpm) => `${wpm} words a minute.`,
  verbosity: (verbosity) => `${{ terse: "Short", normal: "Usual", detailed: "Long" }[verbosity]} sentences.`,
  load: (load) =>
    ({
      low: "Only critical events, results and ends are announced.",
      medium: "Tool calls are announced as well.",
      high: "Everything is announced.",
    })[load],
  quiet: (isQuiet) => (isQuiet ? "Quiet: only critical announcements." : "Everything is announced again."),
  nothingAsked: "Not accepted: no request was read. w reads pending requests.",
  notHeard: "Not accepted: listen to the whole request first.",
  tooFast: "Not accepted: that was too fast. Press it again to confirm.",
  noSuchAnswer: (answers) => `There is no such answer. ${answers}`,
  confirm: (number, label) => `This may cause harm. Press ${number} again for ${label}; any other key leaves it.`,
  answered: (label) => `Answered: ${label}.`,
  tooLate: "Too late: your answer changed nothing.",
  nothingDecided: "Nothing was decided.",
  noExactText: "There is no exact text to read.",
  noKeyboard: "Answering needs a terminal with a keyboard. Nothing was decided.",
  typeAnswer: "Your answer (a number or words; Ctrl-C to leave it): ",
  details: ({ risk, irreversible, because, folder, session }) =>
    [
      risk === "unknown" ? "No risk was stated." : `${risk.charAt(0).toUpperCase()}${risk.slice(1)} risk.`,
      irreversible ? "It cannot be undone." : "",
      `Asked because of: ${because}.`,
      folder === undefined ? "" : `In the folder ${folder}.`,
      `Session ${session}.`,
    ]
      .filter((part) => part !== "")
      .join(" "),
  absent: "No key was pressed for five minutes: only what is dangerous waits for you now. Any key says that you are here.",
  voiceFailed: (name, why) => `The voice ${name} failed: ${why}. From now on, only lines are printed.`,
  unreachable: "The hub could not be reached. Nothing was decided.",
  help: `space or s  stop; again: go on      n  skip this
r  say it again                     R or b  the one before it
w  who waits, one by one            o  who waits and who runs
m  what you missed                  q  quiet: only what is critical
+ and -  faster, slower             v  length of the sentences
l  how much is told                 Ctrl-C  end
The request that was read last:
1 to 9  the numbered answers        t  type an answer
e  the exact text, with its symbols   p  spelt
d  risk, rule and folder
An answer is accepted after the request was read to its end. A risky answer takes the same number twice.
`,
};

function reason(because: VoiceReason): string {
  switch (because.is) {
    case "screen reader":
      return `${because.name} is running and reads them`;
    case "no terminal":
      return "the output is no terminal";
    case "none found":
      return "no voice was found. Install speech-dispatcher or espeak-ng, or name one with --voice";
    case "asked":
    case "found":
      return "";
  }
}
