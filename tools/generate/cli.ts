import { writeFileSync } from "node:fs";
import { helpOf } from "../../packages/cli/src/command.ts";
import { GROUPS } from "../../packages/cli/src/commands.ts";

/** docs/cli.md: every command, as its declaration describes it. */
export async function cliPage(): Promise<string> {
  const parts = ["# Commands\n\nMade from the declarations by `npm run generate`; `earshot help all` lists the same.\n"];
  for (const { title, commands } of GROUPS) {
    parts.push(`## ${title}\n`);
    for (const [name, { does, load }] of Object.entries(commands)) {
      const text = helpOf((await load()).declaration)
        .trimEnd()
        .replaceAll(/^(?=.)/gm, "    ");
      parts.push(`### earshot ${name}\n\n${does.slice(0, 1).toUpperCase()}${does.slice(1)}.\n\n${text}\n`);
    }
  }
  return parts.join("\n");
}

export async function writeCliPage(): Promise<void> {
  writeFileSync("docs/cli.md", await cliPage());
}
