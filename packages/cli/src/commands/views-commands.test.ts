import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { main } from "../main.ts";

it.each(["sessions", "show", "search", "costs", "alerts"])(
  "earshot %s is a command that explains itself in lines that fit",
  async (name) => {
    let out = "";
    const write = (text: string) => {
      out += text;
    };
    const terminal = { out: false, err: false, colour: false, width: 0 };
    expect(await main([name, "--help"], { stdin: Readable.from([]), out: write, err: write, terminal })).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: earshot ${name} `));
    expect(out).toContain("--json");
    expect(out).toContain("Examples:");
    expect(out.split("\n").filter((line) => line.length > 130)).toEqual([]);
  },
);
