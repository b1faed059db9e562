import type { ReactNode } from "react";
import { PageLink } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { type BrowserSettings, changeBrowserSettings, DEFAULT_BROWSER_SETTINGS, useSettings } from "../../settings.ts";
import { ShortcutList } from "../../shortcuts/shortcut-list.tsx";
import { AnnouncementSettings } from "./announcement-settings.tsx";
import { ChoiceControl } from "./controls.tsx";
import { Devices } from "./devices.tsx";

/** The settings of this browser, and the admitted devices. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function SettingsPage(): ReactNode {
  const settings = useSettings();
  const set =
    <Name extends keyof BrowserSettings>(name: Name) =>
    (value: BrowserSettings[Name]) =>
      changeBrowserSettings({ [name]: value });
  return (
    <>
      <h1>Settings</h1>
      <p className="soft">For this browser. Changes take effect at once in all tabs.</p>
      <section aria-labelledby="look-title">
        <h2 id="look-title">Display</h2>
        <ChoiceControl
          label="Colours"
          value={settings.theme}
          choices={{ system: "as the system", light: "light", dark: "dark" }}
          onChange={set("theme")}
        />
        <ChoiceControl
          label="Spacing"
          value={settings.density}
          choices={{ comfortable: "comfortable", compact: "compact" }}
          onChange={set("density")}
        />
        <ChoiceControl
          label="Motion"
          value={settings.motion}
          choices={{ system: "as the system", reduced: "none" }}
          onChange={set("motion")}
        />
        <ChoiceControl
          label="Timeline of a session"
          value={settings.timeline}
          choices={{ pages: "in pages, which a screen reader can read completely", scroll: "one list that loads as you scroll" }}
          onChange={set("timeline")}
        />
      </section>
      <AnnouncementSettings />
      <section aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <p className="soft">Without Ctrl, Alt or Command, and never while you type. Each can be switched off.</p>
        <ShortcutList />
      </section>
      <p>
        <button type="button" className="button" onClick={() => changeBrowserSettings(DEFAULT_BROWSER_SETTINGS)}>
          Reset all settings
        </button>
      </p>
      <Devices />
      <h2>For agent developers</h2>
      <p>
        <PageLink href={hrefOf("check")}>Protocol health</PageLink>: how well sessions follow the rules of their protocols.
      </p>
    </>
  );
}
