import { type ReactNode, useEffect, useState } from "react";
import { announceInRegion } from "../announce/regions.ts";
import { reloadOnce } from "./reload-once.ts";

const LOOK_AGAIN_MS = 2000;

const WORDS = {
  looking: { title: "Loading", text: "" },
  away: {
    title: "The hub is not connected",
    text: "What you asked for could not be loaded. This page tries again by itself when the hub is back.",
  },
  updated: {
    title: "The hub was updated",
    text: "This page is older than the hub and cannot load this view. Reload the page.",
  },
} as const;

export interface NoticeProps {
  readonly level: "h1" | "h2";
}

/**
 * Replaces a part that could not be loaded. A hub that answers is a newer version with other files; a hub that is away is polled. A page
 * moves the focus to its heading as usual; a part of a page is announced, and the focus stays.
 */
export function NotLoadedNotice({ level: Heading }: NoticeProps): ReactNode {
  const [standing, setStanding] = useState<"looking" | "away" | "updated">("looking");
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const isThere = await answers();
      if (isGone) return;
      if (!isThere) timer = setTimeout(look, LOOK_AGAIN_MS);
      if (!isThere || !reloadOnce()) setStanding(isThere ? "updated" : "away");
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    if (Heading === "h2" && standing === "updated") announceInRegion("polite", "The hub was updated. Reload the page.");
  }, [Heading, standing]);
  const { title, text } = WORDS[standing];
  return (
    <>
      {/* One heading throughout: the focus may be on it. */}
      <Heading>{title}</Heading>
      <p>{text}</p>
      {standing === "updated" ? <ReloadButton /> : null}
    </>
  );
}

/** Replaces a part that failed to render: a bug in the dashboard, contained to this part. */
export function BrokenNotice({ level: Heading }: NoticeProps): ReactNode {
  return (
    <>
      <Heading>This cannot be shown</Heading>
      <p>This is an error in the dashboard; agents and the hub are not affected. Reload the page to try again.</p>
      <ReloadButton />
    </>
  );
}

function ReloadButton(): ReactNode {
  return (
    <p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Reload the page
      </button>
    </p>
  );
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
