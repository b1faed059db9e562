import { go, hrefOf } from "../route.ts";
import { PAGES } from "../shell/pages.ts";
import type { Shortcut } from "./shortcuts.ts";

/** Where to go: `g`, and a letter. */
export const PAGE_SHORTCUTS: readonly Shortcut[] = PAGES.flatMap(({ name, title, key }) =>
  key === undefined ? [] : [{ id: `go.${name}`, group: "Pages", keys: `g ${key}`, does: `Go to ${title}`, run: () => go(hrefOf(name)) }],
);
