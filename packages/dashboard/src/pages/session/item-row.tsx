import type { StoryItem } from "@earshot/hub";
import { describeEnvelope, describeItem, describeNotices, formatCount, type Narration, type Quote } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { memo, type ReactNode, useMemo } from "react";
import { JsonView } from "../../content/json-view.tsx";
import { VisibleText } from "../../content/visible-text.tsx";
import type { LiveEntry } from "../../hub/live.ts";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { formatExactTime } from "../../words/times.ts";
import { clockTime } from "./clock-time.ts";
import { Pieces } from "./pieces.tsx";
import type { TimelineRow } from "./rows.ts";

export interface ItemRowProps {
  readonly row: TimelineRow;
  readonly session: number;
  readonly opened: "no" | "details" | "raw";
  /** True for the row that the address links to. */
  readonly isTarget: boolean;
  /** The heading above contains this whole prompt. */
  readonly isSaidAbove: boolean;
  readonly onOpen: (key: string, opened: "no" | "details" | "raw") => void;
}

/** One item: its line, its content, its findings, and all other details on request. */
export const ItemRow = memo(DrawnRow, isSame);

function DrawnRow({ row, session, opened, isTarget, isSaidAbove, onOpen }: ItemRowProps): ReactNode {
  const { key, item } = row;
  const told = useMemo(() => describeItem(item, PAGE_VOICE), [item]);
  const { activity, position } = item;
  if (item.continues !== undefined) return <Continued row={row} session={session} isTarget={isTarget} />;
  const isOpen = opened !== "no";
  const isShown = ({ rank, as }: Quote) => rank <= 1 && !(isSaidAbove && activity.kind === "prompt" && as === "prose");
  return (
    <>
      <span className={`item-icon ${told.tone} ${told.topic === "dot" ? "minor" : ""}`}>
        <Icon name={told.topic} />
      </span>
      <div className="item-main">
        <p className="item-line">
          <button
            type="button"
            className={`item-title ${told.tone === "soft" ? "soft" : ""}`}
            aria-expanded={isOpen}
            onClick={() => onOpen(key, isOpen ? "no" : "details")}
          >
            <Title told={told} />
          </button>
          {told.outcome === undefined || told.outcome.words === "" ? null : (
            <span className={`item-outcome ${told.outcome.tone}`}>{told.outcome.words}</span>
          )}
          {row.times > 1 ? <span className="soft">{formatCount(row.times, "time")}</span> : null}
          <PageLink
            className="item-time"
            href={hrefOf("session", session, { at: position })}
            aria-label={`${clockTime(row.at)}, link to this item`}
          >
            <time dateTime={new Date(row.at).toISOString()} title={formatExactTime(row.at)}>
              {clockTime(row.at)}
            </time>
          </PageLink>
        </p>
        <Pieces quotes={told.quotes.filter(isShown)} position={position} language={activity.language} />
        {told.child === undefined ? null : <ChildLink id={told.child} activity={activity} />}
        <Notes item={item} session={session} all={isOpen} />
        {isOpen ? <Details row={row} told={told} opened={opened} onOpen={onOpen} /> : null}
      </div>
    </>
  );
}

/** Row objects are recreated whenever the story grows; their items are not. */
function isSame({ row: one, ...old }: ItemRowProps, { row: other, ...now }: ItemRowProps): boolean {
  return (
    one.item === other.item &&
    one.key === other.key &&
    one.times === other.times &&
    (Object.keys(now) as (keyof typeof now)[]).every((name) => old[name] === now[name])
  );
}

function Title({ told: { title, subject } }: { readonly told: Narration }): ReactNode {
  return (
    <>
      <span className="item-name">
        <VisibleText text={title} />
      </span>
      {subject === undefined ? null : subject.as === "code" ? (
        <>
          {" "}
          <code className="item-subject">
            <VisibleText text={subject.text} as="code" />
          </code>
        </>
      ) : (
        <>
          {": "}
          <span className="item-words">
            <VisibleText text={subject.text} />
          </span>
        </>
      )}
    </>
  );
}

interface DetailsProps {
  readonly row: TimelineRow;
  readonly told: Narration;
  readonly opened: "details" | "raw";
  readonly onOpen: ItemRowProps["onOpen"];
}

function Details({ row: { key, item }, told, opened, onOpen }: DetailsProps): ReactNode {
  const isRaw = opened === "raw";
  return (
    <div className="item-details">
      <Pieces quotes={told.quotes.filter(({ rank }) => rank > 1)} position={item.position} language={item.activity.language} />
      <dl className="item-facts">
        {[...told.facts, ...describeEnvelope(item, PAGE_VOICE, formatExactTime)].map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <VisibleText text={value} as="code" />
            </dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        className="small-button"
        aria-expanded={isRaw}
        onClick={() => onOpen(key, isRaw ? "details" : "raw")}
      >{`Raw JSON of entry ${item.position}`}</button>
      {isRaw ? <RawJson position={item.position} /> : null}
    </div>
  );
}

/** A later part of an item shown above. Listed here for its findings. */
function Continued({ row, session, isTarget }: Pick<ItemRowProps, "row" | "session" | "isTarget">): ReactNode {
  const { item } = row;
  const about = item.call?.tool ?? "what is above";
  const isBad = item.alerts.some(({ severity }) => severity === "critical") || item.flags.some(({ severity }) => severity === "error");
  return (
    <>
      <span className={`item-icon ${isBad ? "bad" : "warn"}`}>
        <Icon name="alert" />
      </span>
      <div className="item-main">
        <p className="item-line">
          <span className="item-title soft">
            {"About "}
            <PageLink href={hrefOf("session", session, { at: item.continues })}>{`${about}, above`}</PageLink>
          </span>
          <PageLink className="item-time" href={hrefOf("session", session, { at: item.position })}>
            <time dateTime={new Date(row.at).toISOString()} title={formatExactTime(row.at)}>
              {clockTime(row.at)}
            </time>
          </PageLink>
        </p>
        <Notes item={item} session={session} all={isTarget} />
      </div>
    </>
  );
}

/** A child is referenced by its id and looked up among the sessions of the same protocol. */
function ChildLink({ id, activity: { session, protocol } }: { readonly id: string; readonly activity: Activity }): ReactNode {
  if (id === session) return null;
  return (
    <p>
      <PageLink href={hrefOf("session", "id", id, { protocol })}>See what it did</PageLink>
    </p>
  );
}

/** Returns the DOM id of a row. */
export function rowIdOf({ key }: TimelineRow): string {
  return `at-${key}`;
}

export function isAt(row: TimelineRow, at: number | undefined): boolean {
  return at !== undefined && row.item.position === at;
}

interface NotesProps {
  readonly item: StoryItem;
  readonly session: number;
  /** Whether informational notes are included. */
  readonly all: boolean;
}

/** The findings about an item: alerts, and violated protocol rules. */
function Notes({ item, session, all }: NotesProps): ReactNode {
  const flags = item.flags.filter(({ severity }) => all || severity !== "info");
  const notices = describeNotices({ alerts: item.alerts, flags }, PAGE_VOICE);
  if (notices.length === 0) return null;
  return (
    <ul className="notes">
      {notices.map(({ label, text, tone, rule }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notices about one entry have no other name, and do not move
        <li key={index} className={`note ${tone}`}>
          <Icon name={rule === undefined ? "alert" : "flag"} />
          <p>
            <strong>{`${label}: `}</strong>
            {text} {rule === undefined ? null : <PageLink href={hrefOf("check", { session, rule })}>{rule}</PageLink>}
          </p>
        </li>
      ))}
    </ul>
  );
}

const PATHS = {
  prompt: "M3 4.5h10v6H7.5L4.5 13v-2.5H3z",
  thought: "M8 2.5a4 4 0 0 0-2.2 7.3V12h4.4V9.8A4 4 0 0 0 8 2.5zM6.5 14h3",
  answer: "M3 3.5h10M3 8h10M3 12.5h6",
  terminal: "M2.5 3.5h11v9h-11zM5 6.5 6.8 8 5 9.5M8.5 9.8H11",
  file: "M4 2.5h5L12 5.5v8H4zM9 2.5v3h3",
  pencil: "M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2z",
  globe: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-4 3.5-4 7.5 0 11M8 2.5c4 3.5 4 7.5 0 11",
  search: "M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5",
  tool: "M9.7 6.3a3 3 0 0 1 3.8-3.2l-1.9 1.9.9 1.5 2-.3a3 3 0 0 1-4 3L5 14.5 2.5 12z",
  agents: "M5 3.5v9M5 8c4 0 6-.5 6-4M11 3.5v1M5 12.5v1",
  question: "M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.6-.7 1.1v.5M8 12v.5",
  decision: "M3 8.5 6.5 12 13 4.5",
  flag: "M4 13.5v-11h7.5L10 5.5l1.5 3H4",
  alert: "M8 2.5 14 13H2zM8 6.5v3M8 11v.5",
  cross: "M4 4l8 8M12 4l-8 8",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.3",
  play: "M5.5 3.5v9L12 8z",
  dot: "M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  memory:
    "M3.5 4.5c0-1 2-1.8 4.5-1.8s4.5.8 4.5 1.8v7c0 1-2 1.8-4.5 1.8s-4.5-.8-4.5-1.8zM3.5 8c0 1 2 1.8 4.5 1.8s4.5-.8 4.5-1.8M3.5 4.5c0 1 2 1.8 4.5 1.8s4.5-.8 4.5-1.8",
  bell: "M4.5 11V7.5a3.5 3.5 0 0 1 7 0V11l1 1h-9zM7 13.5h2",
} as const;

type IconName = keyof typeof PATHS;

/** A small icon that repeats the adjacent text. */
function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** An entry exactly as received, fetched on request. */
function RawJson({ position }: { readonly position: number }): ReactNode {
  const { answer, problem } = useHubRead<LiveEntry>(`/api/entries/${position}`);
  return (
    <section aria-label={`Raw JSON of entry ${position}`}>
      <ProblemNote problem={problem} />
      {answer !== undefined ? (
        <JsonView value={answer.event} most={8000} />
      ) : problem === undefined ? (
        <p className="soft">Loading.</p>
      ) : null}
    </section>
  );
}
