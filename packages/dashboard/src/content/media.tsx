import { formatSize } from "@earshot/narrate";
import type { ReactNode } from "react";
import { type Media, readDataUri } from "./data-uri.ts";
import { VisibleText } from "./visible-text.tsx";

export interface MediaViewProps {
  readonly uri: string;
  readonly name: string;
}

/** An image, video or sound embedded in the event; its name and size if it cannot be shown. */
export function MediaView({ uri, name }: MediaViewProps): ReactNode {
  const media = readDataUri(uri);
  if (media === undefined) {
    return (
      <span className="attachment-name">
        <VisibleText text={name} /> <span className="soft">{`not shown: ${whyNot(uri)}`}</span>
      </span>
    );
  }
  return (
    <figure className="media">
      {player(media, name)}
      <figcaption className="soft">
        <VisibleText text={name} />
        {`, ${media.type}, ${formatSize(media.sizeBytes)}`}
      </figcaption>
    </figure>
  );
}

function player({ kind, source }: Media, name: string): ReactNode {
  switch (kind) {
    case "image":
      return <img src={source} alt={name} />;
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: an agent's film has none, and we cannot make one
      return <video src={source} controls aria-label={name} />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: as above
      return <audio src={source} controls aria-label={name} />;
  }
}

function whyNot(uri: string): string {
  if (uri.startsWith("data:")) return `${uri.slice(5, 60).split(/[;,]/)[0] || "data"} of ${formatSize(uri.length)}`;
  return uri === "" ? "its content was not sent" : `it is elsewhere, at ${uri.slice(0, 300)}`;
}
