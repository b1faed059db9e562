import { createHash } from "node:crypto";
import { type Home, homeOf } from "../home.ts";

/** The name of this user's hub among AAEP's producers. One that lives in another folder has a name of its own. */
export function producerIdOf({ folder }: Pick<Home, "folder">): string {
  if (folder === homeOf({}).folder) return "earshot";
  return `earshot-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
}
