import { expect, it } from "vitest";
import { Earcons } from "./earcons.ts";
import { findSpeechProgram } from "./voice/run-program.ts";

it("rings the terminal where there is no player, or none that plays", async () => {
  for (const find of [() => undefined, (command: string) => (command === "aplay" ? "/nowhere/aplay" : undefined)]) {
    const rung: string[] = [];
    using earcons = new Earcons({ ring: (sign) => rung.push(sign), find });
    await earcons.play("request");
    await earcons.play("ended");
    expect(rung).toEqual(["\u0007", "\u0007"]);
  }
});

it("plays a file, and rings nothing then", async () => {
  const rung: string[] = [];
  // `true` accepts any arguments and succeeds.
  using earcons = new Earcons({
    ring: (sign) => rung.push(sign),
    find: (command) => (command === "paplay" ? findSpeechProgram("true") : undefined),
  });
  await earcons.play("guard");
  expect(rung).toEqual([]);
});
