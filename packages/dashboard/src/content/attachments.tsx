import { formatSize } from "@earshot/narrate";
import type { ActivityAttachment } from "@earshot/protocol/activities";
import { type ReactNode, useRef, useState } from "react";
import type { LiveEntry } from "../hub/live.ts";
import { HubProblem, requestAsDevice } from "../hub/request-as-device.ts";
import { MediaView } from "./media.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface AttachmentsProps {
  readonly attachments: readonly ActivityAttachment[];
  /** Position of the entry that contains them. Their data is fetched from it only on request. */
  readonly position: number;
}

interface Loaded {
  readonly uris: readonly string[];
  readonly problem?: string;
}

/** Attachments of an event: names and sizes, and their content on request. Nothing is fetched from other origins. */
export function AttachmentContents({ attachments, position }: AttachmentsProps): ReactNode {
  const [loaded, setLoaded] = useState<Loaded>();
  const list = useRef<HTMLUListElement>(null);
  const load = async () => {
    list.current?.focus(); // the button goes when they are there
    try {
      setLoaded({ uris: urisIn((await requestAsDevice<LiveEntry>("GET", `/api/entries/${position}`)).event) });
    } catch (error) {
      setLoaded({ uris: [], problem: error instanceof HubProblem ? error.problem.message : "The action failed. Try again." });
    }
  };
  return (
    <div className="attachments">
      <ul ref={list} className="plain-list" tabIndex={-1} aria-label="Attachments">
        {attachments.map((attachment, index) => {
          const name = nameOf(attachment, index);
          const uri = loaded?.uris[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and do not move
            <li key={index}>
              {uri !== undefined && uri !== "" ? (
                <MediaView uri={uri} name={name} />
              ) : (
                <span className="attachment-name">
                  <VisibleText text={name} />
                  <span className="soft">{factsOf(attachment)}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {loaded === undefined ? (
        <button type="button" className="small-button" onClick={() => void load()}>
          {attachments.length === 1 ? `Show ${nameOf(attachments[0], 0)}` : `Show ${attachments.length} attachments`}
        </button>
      ) : null}
      {loaded?.problem === undefined ? null : <p className="problem">{loaded.problem}</p>}
    </div>
  );
}

function nameOf(attachment: ActivityAttachment | undefined, index: number): string {
  return attachment?.name ?? attachment?.type ?? `Attachment ${index + 1}`;
}

function factsOf({ type, mimeType, sizeBytes, url }: ActivityAttachment): string {
  const facts = [
    mimeType ?? type,
    sizeBytes === undefined ? undefined : formatSize(sizeBytes),
    url === undefined ? undefined : `at ${url}`,
  ];
  return facts
    .filter((fact) => fact !== undefined)
    .map((fact) => `, ${fact}`)
    .join("");
}

/** The data of each attachment, in the hub's order; empty if the event contains only an address. */
export function urisIn(event: Readonly<Record<string, unknown>>): readonly string[] {
  const list = event["attachments"];
  if (!Array.isArray(list)) return [];
  const objects = list.filter((one): one is Readonly<Record<string, unknown>> => typeof one === "object" && one !== null);
  return objects.map((one) => {
    const [whole, small] = [one["data_uri"], one["thumbnail_data_uri"]];
    return typeof whole === "string" ? whole : typeof small === "string" ? small : "";
  });
}
