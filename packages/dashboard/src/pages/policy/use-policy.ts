import type { ControlView, PolicyRules, PolicyView } from "@earshot/hub";
import { useEffect } from "react";
import type { LiveUpdateOfHub } from "../../hub/live.ts";
import { type HubRead, useHubRead } from "../../hub/use-hub.ts";

/** Overrides set by users and accepted rules are entries of the hub's own session. */
function isControl({ entries, requests }: LiveUpdateOfHub): boolean {
  return entries.some(({ type }) => type.startsWith("control.")) || requests.some(({ what }) => what === "control" || what === "policy");
}

const HEARD = { changes: isControl };

/** The rules as stored in the hub. A change of a file sends no event: files are read again when the page comes to the front. */
export function usePolicy(): { readonly policy: HubRead<PolicyView>; readonly rules: HubRead<PolicyRules> } {
  const policy = useHubRead<PolicyView>("/api/policy", HEARD);
  const rules = useHubRead<PolicyRules>("/api/policy/rules", HEARD);
  useFront(() => {
    policy.again();
    rules.again();
  });
  return { policy, rules };
}

export function useControl(): HubRead<ControlView> {
  return useHubRead<ControlView>("/api/control", HEARD);
}

function useFront(look: () => void): void {
  useEffect(() => {
    const front = () => {
      if (document.visibilityState === "visible") look();
    };
    addEventListener("focus", front);
    document.addEventListener("visibilitychange", front);
    return () => {
      removeEventListener("focus", front);
      document.removeEventListener("visibilitychange", front);
    };
  });
}
