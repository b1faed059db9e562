import type { StoryItem } from "@earshot/hub";
import { agentName, formatShortMoney, formatTokens, protocolName } from "@earshot/narrate";
import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import { exact } from "../../../words/times.ts";
import type { OfKind, Tellers } from "./of-kind.ts";
import { tellCall } from "./tell-call.ts";
import { COURSE } from "./tell-course.ts";
import { MIND } from "./tell-mind.ts";
import { OTHERS } from "./tell-others.ts";
import { REQUESTS } from "./tell-requests.ts";
import { type Fact, facts, type Piece, type Told } from "./told.ts";

const CALLS: Tellers<"tool.requested" | "tool.started" | "tool.ended"> = {
  "tool.requested": (activity) => tellCall(activity, undefined),
  "tool.started": (activity) => tellCall(activity, undefined),
  "tool.ended": (activity) => tellCall(activity, undefined),
};
const TELLERS: Tellers<ActivityKind> = { ...COURSE, ...MIND, ...REQUESTS, ...OTHERS, ...CALLS };

/** One thing that happened, in words. A kind that only a later hub knows is told as what it is called. */
export function tellItem(item: StoryItem): Told {
  const told = tellJoined(item);
  const { activity } = item;
  const attachments: readonly Piece[] =
    activity.attachments === undefined ? [] : [{ show: "attachments", attachments: activity.attachments }];
  const metadata: readonly Piece[] =
    activity.metadata === undefined || item.call?.metadata !== undefined
      ? []
      : [{ show: "members", label: "Said besides", value: activity.metadata }];
  return {
    ...told,
    body: [...told.body, ...attachments],
    more: [...told.more, ...metadata],
    facts: [...told.facts, ...commonFacts(item)],
  };
}

function tellJoined(item: StoryItem): Told {
  const { activity, call, output } = item;
  switch (activity.kind) {
    case "tool.requested":
    case "tool.started":
    case "tool.ended":
      return tellCall(activity, call);
    case "output.chunk":
      return output === undefined ? tellKind(activity) : tellOutput(activity, output);
    default:
      return tellKind(activity);
  }
}

function tellKind<Kind extends ActivityKind>(activity: OfKind<Kind>): Told {
  const tell = Object.hasOwn(TELLERS, activity.kind) ? TELLERS[activity.kind] : undefined;
  return tell === undefined ? OTHERS.custom({ ...(activity as Activity), kind: "custom" }) : tell(activity);
}

function tellOutput(activity: OfKind<"output.chunk">, output: NonNullable<StoryItem["output"]>): Told {
  const told = MIND["output.chunk"](activity);
  const remark = !output.complete
    ? "not finished"
    : output.gaps
      ? "with gaps: parts never arrived"
      : output.cut
        ? "cut: more was said than is kept here"
        : undefined;
  return {
    ...told,
    ...(remark === undefined ? {} : { outcome: { words: remark, tone: output.complete ? "warn" : "busy" } }),
    body: [{ show: "typed", text: output.text, type: output.contentType ?? (activity.protocol === "aep" ? "text/markdown" : undefined) }],
    facts: facts({ "Kind of content": output.contentType, Language: output.language }),
  };
}

const SOON_MS = 2000;

/** What any event may say besides. */
function commonFacts({ activity, receivedAt, position, redactions, call }: StoryItem): readonly Fact[] {
  const { agent, agentName: name, model, tokens, costUsd, context, at, protocol, type } = activity;
  const said = at === undefined ? Number.NaN : Date.parse(at);
  const soFar = (counts: string) => (counts === "total" ? " in all" : "");
  return facts({
    "Said by": agentName(agent, name),
    "Calls itself": name === agentName(agent, name) ? undefined : name,
    Model: model,
    Tokens: tokens === undefined || call?.tokens !== undefined ? undefined : `${formatTokens(tokens)}${soFar(tokens.counts)}`,
    Cost: costUsd === undefined || call?.costUsd !== undefined ? undefined : `${formatShortMoney(costUsd.value)}${soFar(costUsd.counts)}`,
    "Context full": context?.percent === undefined ? undefined : `${Math.round(context.percent)} %`,
    "Secrets masked": redactions === 0 ? undefined : redactions,
    "Said at": Number.isNaN(said) ? undefined : exact(said),
    // Where it was heard as it was said, one time is enough.
    "Heard at": Math.abs(receivedAt - said) < SOON_MS ? undefined : exact(receivedAt),
    Event: `${protocolName(protocol)} ${type}, position ${position}`,
  });
}
