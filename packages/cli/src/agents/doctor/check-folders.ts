import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentCard } from "@earshot/agents";
import type { AgentFolder } from "@earshot/hub";
import { type Installation, installPlaceFor } from "../installation.ts";
import { settingsFolderOf } from "../place.ts";
import { readSettingsText } from "../settings-file.ts";
import { checkSwitches } from "./check-files.ts";
import type { DoctorFinding } from "./finding.ts";

/** Settings of the working folder and its parents apply to the agent; `.local` files are a person's own. */
export function checkFolders(card: AgentCard, installation: Installation, folders: readonly AgentFolder[]): readonly DoctorFinding[] {
  const file = card.project;
  const names = new Set([card.user?.file, file?.file].filter((name) => name?.endsWith(".json") === true).map((name) => name as string));
  const inHome = card.user === undefined ? [] : [settingsFolderOf(card.user, installPlaceFor(installation, "user"))];
  const inProjects =
    file === undefined
      ? []
      : folders.filter(({ agent }) => agent === card.slug).flatMap(({ cwd }) => above(cwd).map((one) => join(one, file.folder)));
  const paths = [...new Set([...inHome, ...inProjects])].flatMap((folder) =>
    [...names].flatMap((name) => [join(folder, name), join(folder, name.replace(/\.json$/, ".local.json"))]),
  );
  return paths.filter(existsSync).flatMap((path) => {
    const now = readSettingsText(path);
    return now.ok && now.text !== null ? checkSwitches(card, path, now.text) : [];
  });
}

const MAX_ABOVE = 16;

function above(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; folders.length < MAX_ABOVE; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return folders;
}
