import { describeEnvelope, describeItem, formatCount, type Narration, type Quote } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { memo, type ReactNode, useMemo } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { exact } from "../../words/times.ts";
import { clockTime } from "./clock-time.ts";
import { Icon } from "./icon.tsx";
import { Notes } from "./notes.tsx";
import { Pieces } from "./pieces.tsx";
import { RawJson } from "./raw-json.tsx";
import type { Row } from "./rows.ts";

export interface ItemRowProps {
  readonly row: Row;
  readonly session: number;
  readonly opened: "no" | "details" | "raw";
  /** Whoever came for this one. */
  readonly isTarget: boolean;
  /** The heading above says all of this prompt. */
  readonly isSaidAbove: boolean;
  readonly onOpen: (key: string, opened: "no" | "details" | "raw") => void;
}

/** One thing that happened: a line, what it says, what was noticed about it, and on request everything else. */
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
          <Link
            className="item-time"
            href={hrefOf("session", session, { at: position })}
            aria-label={`${clockTime(row.at)}, link to this item`}
          >
            <time dateTime={new Date(row.at).toISOString()} title={exact(row.at)}>
              {clockTime(row.at)}
            </time>
          </Link>
        </p>
        <Pieces quotes={told.quotes.filter(isShown)} position={position} language={activity.language} />
        {told.child === undefined ? null : <ChildLink id={told.child} activity={activity} />}
        <Notes item={item} session={session} all={isOpen} />
        {isOpen ? <Details row={row} told={told} opened={opened} onOpen={onOpen} /> : null}
      </div>
    </>
  );
}

/** Rows are made anew whenever the story grows; what they are made of is not. */
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
  readonly row: Row;
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
        {[...told.facts, ...describeEnvelope(item, PAGE_VOICE, exact)].map(({ label, value }) => (
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

/** A later part of something that stands above: here for what was noticed about it. */
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
            <Link href={hrefOf("session", session, { at: item.continues })}>{`${about}, above`}</Link>
          </span>
          <Link className="item-time" href={hrefOf("session", session, { at: item.position })}>
            <time dateTime={new Date(row.at).toISOString()} title={exact(row.at)}>
              {clockTime(row.at)}
            </time>
          </Link>
        </p>
        <Notes item={item} session={session} all={isTarget} />
      </div>
    </>
  );
}

/** A child is named by its id, and found by it among the sessions of the same protocol. */
function ChildLink({ id, activity: { session, protocol } }: { readonly id: string; readonly activity: Activity }): ReactNode {
  if (id === session) return null;
  return (
    <p>
      <Link href={hrefOf("session", "id", id, { protocol })}>See what it did</Link>
    </p>
  );
}

/** What a row is found by in the page. */
export function idOf({ key }: Row): string {
  return `at-${key}`;
}

export function isAt(row: Row, at: number | undefined): boolean {
  return at !== undefined && row.item.position === at;
}
