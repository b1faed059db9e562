import type { Activity } from "@earshot/protocol/activities";
import type { AnnouncementSubject } from "./announcement.ts";
import type { AnnouncementQueues } from "./announcement-queues.ts";
import { MAX_ITEM_AGE_MS } from "./backlog.ts";
import type { AskingActivity } from "./open-requests.ts";
import { OutputBuffer } from "./output-buffer.ts";
import type { SessionTrack } from "./session-track.ts";
import { impliedState } from "./state-in.ts";
import { addTallies, tallyOf } from "./tally.ts";
import { type Weight, weighActivity } from "./weigh-activity.ts";

const MAX_OUTPUTS = 4;
const MAX_CALLS = 64;
/** Maximum waiting state changes; more are summed up. */
const MAX_CHANGES = 8;
const PROGRESS_MS = MAX_ITEM_AGE_MS;
const CHANGED: Weight = { urgency: "background", about: "state", from: "medium", worth: 0 };

type OfKind<Kind extends Activity["kind"]> = Extract<Activity, { kind: Kind }>;

/** Routes each activity: announced at once, in turn, as a state, or in a summary. */
export class ActivityRouter {
  readonly #queues: AnnouncementQueues;

  constructor(room: AnnouncementQueues) {
    this.#queues = room;
  }

  handle(activity: Activity): void {
    const room = this.#queues;
    if (activity.kind === "request.answered") {
      for (const settled of room.requests.answer(activity)) room.end(settled);
      return;
    }
    // Messages between two parties, such as a handshake, belong to no session.
    if (activity.session === "" && activity.agent === "") return;
    const lane = room.tracks.handle(activity, room.now, room.nextOrder());
    const isTold = room.requests.handle(lane, activity).reduce((told, settled) => room.end(settled) || told, false);
    if ((activity.kind === "tool.started" || activity.kind === "tool.ended") && activity.callId !== undefined)
      room.backlog.markStarted(lane, activity.callId);
    // A call that is requested and then started is one call.
    if (isBeginning(activity) && isKnownCall(lane, activity.callId)) return;
    lane.recap = addTallies(lane.recap, tallyOf(activity));
    lane.isNew ||= activity.kind !== "heartbeat";
    this.#sort(lane, activity, isTold);
    room.trim(lane);
  }

  /** Handles expired waits and unfinished outputs that are announced anyway. */
  pass(at: number): void {
    const room = this.#queues;
    for (const settled of room.requests.expire(at)) room.end(settled);
    if (room.settings.load === "low") return;
    for (const lane of room.tracks.all()) {
      for (const output of lane.outputs) {
        output.releaseUnfinished(at, room.phrases);
        room.queueOutput(lane, output);
      }
    }
  }

  #sort(lane: SessionTrack, activity: Activity, isToldWithRequest: boolean): void {
    const weight = weighActivity(activity, this.#queues.settings.verbosity);
    if (weight.about === "request" && isAsking(activity)) this.#ask(lane, activity);
    else if (activity.kind === "output.chunk") this.#output(lane, activity, weight);
    else if (activity.kind === "session.closed") this.#close(lane, activity, weight);
    else if (activity.kind === "progress") this.#progress(lane, activity, weight);
    else if (activity.kind === "heartbeat") this.#beat(lane, activity);
    else if (impliedState(activity) !== undefined) this.#state(lane, activity, weight, isToldWithRequest);
    else if (activity.kind !== "response" || !this.#isStreamed(lane)) {
      if (activity.kind === "session.opened") reopen(lane);
      this.#report(lane, activity, weight);
    }
  }

  #report(lane: SessionTrack, activity: Activity, weight: Weight): void {
    const { about, urgency, worth, from } = weight;
    if (urgency === "critical") this.#queues.addCritical({ lane, about, content: { activity } });
    else if (this.#queues.isTold(lane, weight)) this.#queues.add({ what: "activity", activity, lane, about, urgency, worth });
    else if (from !== "never") this.#queues.oweActivity(lane, activity);
  }

  #ask(lane: SessionTrack, activity: AskingActivity): void {
    const settled = this.#queues.requests.ask(lane, activity, this.#queues.now);
    if (settled !== undefined) this.#queues.end(settled);
    // The request announces the state.
    if (lane.state !== "awaiting_input") return;
    lane.unannounced = undefined;
    lane.announcedState = lane.state;
  }

  #close(lane: SessionTrack, activity: OfKind<"session.closed">, weight: Weight): void {
    const room = this.#queues;
    lane.ended = activity.outcome;
    lane.unannounced = undefined;
    lane.owed = false;
    lane.calls.clear();
    // The end overtakes the session's states and calls; a failure, which is announced at once, overtakes its start.
    const isOvertaken = (about: AnnouncementSubject) => about === "state" || (about === "started" && weight.urgency === "critical");
    room.backlog.remove((item) => item.lane === lane && isOvertaken(item.about) && (item.what === "activity" || item.what === "again"));
    room.foldItems((item) => item.lane === lane && item.what === "activity" && isBeginning(item.activity));
    for (const output of lane.outputs) this.#complete(lane, output);
    this.#report(lane, activity, weight);
    // The followed session ended, so following ends as well.
    if (room.settings.follow === lane.session) room.change({ follow: undefined });
  }

  #state(lane: SessionTrack, activity: Activity, weight: Weight, isToldWithRequest: boolean): void {
    const room = this.#queues;
    const to = impliedState(activity) ?? "";
    lane.state = to;
    lane.stateAt = room.now;
    // The session continues after an announced end.
    lane.ended = undefined;
    const isAsked = to === "awaiting_input" && room.requests.countOf(lane) > 0;
    const isUrgent = weight.urgency === "critical";
    // A state with a written summary that is not background is announced in turn.
    const isSaid = activity.kind === "state" && activity.urgency === "normal" && activity.summary !== undefined;
    if (isUrgent || isToldWithRequest || isAsked || (isSaid && room.isTold(lane, weight)) || activity.kind === "turn.ended") {
      lane.unannounced = undefined;
      lane.announcedState = to;
      if (isToldWithRequest || (isAsked && !isUrgent)) return;
      this.#report(lane, activity, isSaid ? { ...weight, urgency: "normal", worth: 2 } : weight);
      return;
    }
    if (to === lane.announcedState) lane.unannounced = undefined;
    else if (room.isTold(lane, weight)) this.#change(lane, activity);
    else {
      lane.unannounced = undefined;
      room.oweStanding(lane);
    }
  }

  #change(lane: SessionTrack, activity: Activity): void {
    if (lane.unannounced === undefined) {
      if (this.#queues.tracks.all().filter(({ unannounced: untold }) => untold !== undefined).length >= MAX_CHANGES) {
        this.#queues.oweStanding(lane);
        return;
      }
      lane.unannouncedSince = this.#queues.now;
      lane.order = this.#queues.nextOrder();
    }
    lane.unannounced = activity;
  }

  /** A heartbeat mostly reports no change. */
  #beat(lane: SessionTrack, activity: OfKind<"heartbeat">): void {
    const { status } = activity;
    if (lane.ended !== undefined || status === undefined || (status === "running" && lane.state !== "idle" && lane.state !== "waiting"))
      return;
    this.#state(lane, activity, CHANGED, false);
  }

  /** Only the latest progress is worth announcing, at intervals; during a wait it gives the duration. */
  #progress(lane: SessionTrack, activity: OfKind<"progress">, weight: Weight): void {
    const room = this.#queues;
    const { about, worth } = weight;
    const [known] = room.backlog.remove((item) => item.lane === lane && item.what === "activity" && item.activity.kind === "progress");
    if (weight.urgency === "critical") this.#report(lane, activity, weight);
    if (weight.urgency === "critical" || !room.isTold(lane, weight)) return;
    const isWaiting = room.requests.countOf(lane) > 0;
    const urgency = isWaiting ? "normal" : weight.urgency;
    const readyAt = isWaiting ? room.now : Math.max(room.now, lane.progressToldAt + PROGRESS_MS);
    const { order = room.nextOrder() } = known ?? {};
    room.backlog.add({ what: "activity", activity, lane, about, urgency, worth, at: room.now, order, readyAt });
  }

  #output(lane: SessionTrack, chunk: OfKind<"output.chunk">, weight: Weight): void {
    const room = this.#queues;
    if (weight.from === "never") return;
    if (weight.urgency === "critical" && (chunk.boundary !== "none" || chunk.last)) {
      this.#report(lane, chunk, weight);
      return;
    }
    const known = lane.outputs.find((output) => output.isOf(chunk));
    if (known === undefined && !room.tracks.isAudible(lane, room.settings)) {
      if (chunk.last) room.oweActivity(lane, chunk);
      return;
    }
    const output = known ?? this.#openOutput(lane, chunk);
    output.handle(chunk, room.now, { load: room.settings.load, phrases: room.phrases });
    if (chunk.outputId === undefined) lane.hasStreamed = true;
    if (chunk.last) lane.outputs = lane.outputs.filter((other) => other !== output);
    room.queueOutput(lane, output);
  }

  #openOutput(lane: SessionTrack, { outputId, agent, agentName }: OfKind<"output.chunk">): OutputBuffer {
    const output = new OutputBuffer(outputId, agentName === undefined ? { agent } : { agent, agentName });
    const [oldest] = lane.outputs;
    if (lane.outputs.length >= MAX_OUTPUTS && oldest !== undefined) this.#complete(lane, oldest);
    lane.outputs = [...lane.outputs, output];
    return output;
  }

  #complete(lane: SessionTrack, output: OutputBuffer): void {
    output.complete(this.#queues.phrases);
    lane.outputs = lane.outputs.filter((other) => other !== output);
    this.#queues.queueOutput(lane, output);
  }

  /** The complete answer after its streamed parts, which were announced. */
  #isStreamed(lane: SessionTrack): boolean {
    if (!lane.hasStreamed) return false;
    lane.hasStreamed = false;
    const pieces = lane.outputs.find(({ id }) => id === undefined);
    if (pieces !== undefined) this.#complete(lane, pieces);
    return true;
  }
}

function reopen(lane: SessionTrack): void {
  lane.ended = undefined;
  lane.state = undefined;
  lane.announcedState = undefined;
  lane.unannounced = undefined;
}

function isKnownCall(lane: SessionTrack, callId: string | undefined): boolean {
  if (callId === undefined) return false;
  if (lane.calls.has(callId)) return true;
  lane.calls.add(callId);
  for (const oldest of lane.calls) {
    if (lane.calls.size <= MAX_CALLS) break;
    lane.calls.delete(oldest);
  }
  return false;
}

function isAsking(activity: Activity): activity is AskingActivity {
  return activity.kind === "request.asked" || activity.kind === "handoff" || activity.kind === "tool.decided";
}

function isBeginning(activity: Activity): activity is OfKind<"tool.requested" | "tool.started"> {
  return activity.kind === "tool.requested" || activity.kind === "tool.started";
}
