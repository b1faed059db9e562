import { PRESET_CHOICES, type PresetChoice } from "@earshot/policy";
import { nearest } from "@earshot/protocol/nearest";
import { EarshotError } from "@earshot/protocol/problem";
import type { Io } from "../io.ts";
import { ask, hasKeyboard } from "../terminal/ask.ts";

export function findPreset(name: string): PresetChoice {
  const found = PRESET_CHOICES.find((preset, index) => preset.name === name || String(index + 1) === name);
  if (found !== undefined) return found;
  const names = PRESET_CHOICES.map((preset) => preset.name);
  const [near] = nearest(name, names);
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `There is no preset ${JSON.stringify(name)}.`,
    hint: near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}

/** Asks by number, where there is a person; undefined when they give up. Elsewhere the first is taken. */
export async function choosePreset(io: Io): Promise<PresetChoice | undefined> {
  const [first] = PRESET_CHOICES;
  if (!hasKeyboard(io)) return first;
  io.err("What should be asked about? You can change it at any time.\n");
  for (const [index, { name, does }] of PRESET_CHOICES.entries()) io.err(`  ${index + 1}  ${name}: ${does}\n`);
  for (;;) {
    const said = await ask(io, "Number [1]: ");
    if (said === undefined) return undefined;
    if (said.trim() === "") return first;
    const chosen = PRESET_CHOICES[Number(said) - 1];
    if (chosen !== undefined) return chosen;
    io.err(`1 to ${PRESET_CHOICES.length}, please.\n`);
  }
}
