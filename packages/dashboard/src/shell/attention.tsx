import type { RequestView } from "@earshot/hub";
import { type ReactNode, useEffect, useState } from "react";
import { requestAsDevice } from "../hub/request-as-device.ts";
import { useLive } from "../hub/use-hub.ts";
import { hrefOf, navigate } from "../route.ts";
import { headingIn } from "../words/request-words.ts";

const ICON = "/ui/icon.svg";
const WAITING_ICON = "/ui/icon-waiting.svg";
const DISMISSED = "earshot-notifications-dismissed";

/**
 * Attracts attention while the page is not in view: a badge on the icon of the tab and of the installed page, and a browser notification
 * for each new request. The permission is requested when the first request is pending, beside the content: nothing being read moves or is
 * covered.
 */
export function Attention({ waiting }: { readonly waiting: number }): ReactNode {
  const [permission, setPermission] = useState(readPermission);
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null);
  useBadge(waiting);
  useLive(({ requests }) => {
    if (permission !== "granted" || document.visibilityState === "visible") return;
    for (const { what, request } of requests) if (what === "asked" && request !== null) void notify(request);
  });
  if (waiting === 0 || permission !== "default" || isDismissed) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED, "");
    setDismissed(true);
  };
  return (
    <section className="ask-notify" aria-label="Notifications">
      <p>Show a notification when an agent waits for you and this page is not in view?</p>
      <div className="action-row">
        <button type="button" className="button small" onClick={() => void Notification.requestPermission().then(setPermission)}>
          Turn on notifications
        </button>
        <button type="button" className="button small" onClick={dismiss}>
          Not now
        </button>
      </div>
    </section>
  );
}

function readPermission(): NotificationPermission {
  return "Notification" in globalThis ? Notification.permission : "denied";
}

/** Several tabs notify of the same request: the tag merges them into one notification. */
async function notify(request: string): Promise<void> {
  const view = await requestAsDevice<RequestView>("GET", `/api/requests/${encodeURIComponent(request)}`).catch(() => undefined);
  if (view?.state !== "open") return;
  const shown = new Notification("An agent waits for you", { body: headingIn(view.card.asked).heading, tag: request, icon: ICON });
  shown.onclick = () => {
    focus();
    navigate(hrefOf("inbox", { request }));
    shown.close();
  };
}

function useBadge(waiting: number): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = waiting > 0 ? WAITING_ICON : ICON;
    // Only installed pages have a badge.
    if ("setAppBadge" in navigator) void navigator.setAppBadge(waiting).catch(() => {});
  }, [waiting]);
}
