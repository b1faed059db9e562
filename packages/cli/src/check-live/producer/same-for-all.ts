import { compareHeard } from "./compare-heard.ts";
import type { Line } from "./line.ts";
import { didNotStart, NO_LINE, NO_PAIR } from "./scenario.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

export async function askForLanguage(stage: Stage): Promise<Shown> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.connect();
  const answer = await stage.request(line, { languages: ["tlh"], supports_confirmation_reply: true });
  if (answer?.["type"] !== "subscription.accepted") return notShown("A language that is not spoken is rejected, which is allowed.");
  return hearBoth(stage, line, "aaep/language-never-drops", "who asked for another language");
}

export async function askForWords(stage: Stage): Promise<Shown> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.open({ preferred_verbosity: "terse" });
  if (line === undefined) return notShown(NO_LINE);
  return hearBoth(stage, line, "aaep/verbosity-never-omits", "who asked for few words");
}

/** The same session for somebody with terms and for somebody with everything: what the first one misses breaks the rule. */
async function hearBoth(stage: Stage, line: Line, rule: string, who: string): Promise<Shown> {
  const witness = await stage.open({ preferred_verbosity: "detailed" });
  if (witness === undefined) return notShown(NO_LINE);
  const session = await stage.start(witness, "tool");
  if (session === undefined) return didNotStart("tool");
  const end = await stage.end(session);
  if (end === undefined) return undefined;
  const heard = stage.on(line, session);
  await stage.end(heard);
  stage.shows(rule);
  const [missing] = compareHeard(session.events(), heard.events());
  if (missing !== undefined) {
    line.leftEarly = true;
    stage.breaks(rule, `Not sent to ${who}: ${missing.what}.`, missing.item);
  }
  return undefined;
}
