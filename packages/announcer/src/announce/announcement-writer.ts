import { cutToWords, introduce, type Segment, toSpoken, type Words } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { SpokenNotice } from "./announcement.ts";
import type { AnnouncementQueues } from "./announcement-queues.ts";
import { speakerLabelOf } from "./compose.ts";
import type { PendingRequest, SettledRequest } from "./open-requests.ts";
import { type SessionTrack, shortAgent, shortProject } from "./session-track.ts";
import type { ActivitySpeaker } from "./speaker.ts";

const OUTCOME_WORDS = 15;

/** Puts the chosen announcement into words and remembers the last source. */
export class AnnouncementWriter {
  readonly #queues: AnnouncementQueues;
  #last: SessionTrack | undefined;

  constructor(room: AnnouncementQueues) {
    this.#queues = room;
  }

  /** The source, if it must be named: always, or when several sessions are live or the source changed. */
  from(lane: SessionTrack, speaker?: ActivitySpeaker): string | undefined {
    const { settings, tracks: lanes, phrases } = this.#queues;
    const isOther = this.#last !== undefined && this.#last !== lane;
    this.#last = lane;
    return settings.source === "always" || isOther || lanes.hasOthers(lane) ? speakerLabelOf(lane, phrases, speaker) : undefined;
  }

  wordsFor(activity: Activity): Words | undefined {
    const { language, settings } = this.#queues;
    return language.words(activity, settings.verbosity, settings.language);
  }

  request({ activity }: PendingRequest): Words {
    const { phrases } = this.#queues;
    return this.wordsFor(activity) ?? { verb: phrases.standing({ is: "waiting", requests: 1 }), language: phrases.language, segments: [] };
  }

  activity(activity: Activity, lane: SessionTrack | undefined): readonly Segment[] {
    const { phrases } = this.#queues;
    const words = this.wordsFor(activity);
    if (words !== undefined) return introduce(words, lane && this.from(lane, activity));
    // Critical activities are announced even without words for them.
    if (activity.urgency !== "critical" || lane === undefined) return [];
    return [{ text: `${speakerLabelOf(lane, phrases, activity)}: ${toSpoken(activity.type, phrases)}.`, language: phrases.language }];
  }

  state(activity: Activity, lane: SessionTrack): readonly Segment[] {
    const { phrases } = this.#queues;
    const { state = "" } = lane;
    const words = this.wordsFor(activity) ?? { verb: phrases.standing({ is: "at", state }), language: phrases.language, segments: [] };
    return introduce(words, this.from(lane, activity));
  }

  output(segments: readonly Segment[], lane: SessionTrack | undefined, speaker: ActivitySpeaker): readonly Segment[] {
    const from = lane && this.from(lane, speaker);
    return from === undefined ? segments : [{ text: `${from}:`, language: this.#queues.phrases.language }, ...segments];
  }

  /** The question in a few words and its result, or the written summary of it. */
  settled({ pending, how, by, answer, activity }: SettledRequest, from: string | undefined, aside?: string): readonly Segment[] {
    const { phrases } = this.#queues;
    const told = activity === undefined ? undefined : this.wordsFor(activity);
    if (told !== undefined && told.verb === "") return introduce(told, from, aside);
    const [asked] = this.request(pending).segments;
    const what = answer === undefined ? asked?.text : toSpoken(answer, phrases);
    const segments = what === undefined ? [] : [{ ...asked, text: cutToWords(what, OUTCOME_WORDS).text }];
    return introduce(
      { verb: phrases.settled(how, by === undefined ? undefined : toSpoken(personIn(by), phrases)), language: phrases.language, segments },
      from,
      aside,
    );
  }

  notice({ text, language, agent, project }: SpokenNotice): readonly Segment[] {
    const { phrases, moreNotices } = this.#queues;
    this.#queues.moreNotices = 0;
    const from = agent === undefined ? undefined : phrases.from(shortAgent({ agentName: agent }), shortProject({ workspace: project }));
    return [
      ...(from === undefined ? [] : [{ text: `${from}:`, language: phrases.language }]),
      language === undefined ? { text } : { text, language },
      ...(moreNotices === 0 ? [] : [{ text: phrases.more(moreNotices), language: phrases.language }]),
    ];
  }
}

/** Producers write `user:ana`. */
function personIn(by: string): string {
  return by.replace(/^(?:user|human):/, "");
}
