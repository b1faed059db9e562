import type { ComponentType, LazyExoticComponent } from "react";
import { loadLater } from "../parts/load-later.ts";

/** A page of the dashboard. Each is loaded when it is first opened, and draws its own `h1`. */
export interface Page {
  readonly name: string;
  readonly title: string;
  /** Whether it stands in the navigation. */
  readonly listed: boolean;
  /** After `g`, leads here. */
  readonly key?: string;
  readonly view: LazyExoticComponent<ComponentType>;
}

export const PAGES: readonly Page[] = [
  { name: "now", key: "n", title: "Now", listed: true, view: loadLater(() => import("../pages/now/now-page.tsx")) },
  { name: "inbox", key: "i", title: "Inbox", listed: true, view: loadLater(() => import("../pages/inbox/inbox-page.tsx")) },
  { name: "session", title: "Session", listed: false, view: loadLater(() => import("../pages/session/session-page.tsx")) },
  { name: "search", key: "s", title: "Search", listed: true, view: loadLater(() => import("../pages/search/search-page.tsx")) },
  { name: "alerts", key: "a", title: "Alerts", listed: true, view: loadLater(() => import("../pages/alerts/alerts-page.tsx")) },
  { name: "heard", key: "h", title: "Heard", listed: true, view: loadLater(() => import("../pages/heard/heard-page.tsx")) },
  { name: "policy", key: "p", title: "Policy", listed: true, view: loadLater(() => import("../pages/policy/policy-page.tsx")) },
  { name: "check", key: "k", title: "Check", listed: true, view: loadLater(() => import("../pages/check/check-page.tsx")) },
  { name: "connect", key: "c", title: "Connect", listed: true, view: loadLater(() => import("../pages/connect/connect-page.tsx")) },
  { name: "settings", key: "t", title: "Settings", listed: true, view: loadLater(() => import("../pages/settings/settings-page.tsx")) },
];
