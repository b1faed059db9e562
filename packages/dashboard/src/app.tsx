import { type ReactNode, useEffect, useState } from "react";
import { AdmissionPage } from "./admission/admission.tsx";
import { readDevice } from "./hub/device.ts";
import { LiveHub } from "./hub/live.ts";
import { HubProblem, requestAsDevice } from "./hub/request-as-device.ts";
import { LiveContext, type OwnIdentity, OwnIdentityContext } from "./hub/use-hub.ts";
import { Shell } from "./shell/shell.tsx";

type Standing = { readonly who: "unknown" | "stranger" | "unreached" } | { readonly who: "admitted"; readonly me: OwnIdentity };

const RETRY_MS = 2000;

/** Admission comes first: a browser that is not admitted sees only the admission page. */
export function App(): ReactNode {
  const [standing, setStanding] = useState<Standing>({ who: "unknown" });
  const [live, setLive] = useState<LiveHub>();
  const [turn, setTurn] = useState(0);
  const isAdmitted = standing.who === "admitted";

  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn looks again
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void find().then((found) => {
      if (isGone) return;
      setStanding(found);
      if (found.who === "unreached") timer = setTimeout(() => setTurn((last) => last + 1), RETRY_MS);
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [turn]);

  useEffect(() => {
    if (!isAdmitted) return;
    const hub = new LiveHub();
    setLive(hub);
    return () => {
      setLive(undefined);
      hub.close();
    };
  }, [isAdmitted]);

  if (standing.who === "unknown") return <p className="notice">Loading.</p>;
  if (standing.who === "unreached") return <p className="notice">The hub cannot be reached. This page tries again by itself.</p>;
  if (standing.who === "stranger") return <AdmissionPage onAdmitted={() => setTurn((last) => last + 1)} />;
  if (standing.who !== "admitted" || live === undefined) return <p className="notice">Connecting to the hub.</p>;
  return (
    <OwnIdentityContext value={standing.me}>
      <LiveContext value={live}>
        <Shell />
      </LiveContext>
    </OwnIdentityContext>
  );
}

async function find(): Promise<Standing> {
  try {
    if ((await readDevice()) === undefined) return { who: "stranger" };
    return { who: "admitted", me: await requestAsDevice<OwnIdentity>("GET", "/api/me") };
  } catch (error) {
    return { who: error instanceof HubProblem && error.isForbidden ? "stranger" : "unreached" };
  }
}
