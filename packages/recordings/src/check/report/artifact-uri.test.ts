import { describe, expect, it } from "vitest";
import { artifactUri } from "./sarif.ts";

describe("the URI of a file", () => {
  it.each([
    ["recordings/a b.jsonl", "/", "recordings/a%20b.jsonl"],
    ["../ü#?%.jsonl", "/", "../%C3%BC%23%3F%25.jsonl"],
    ["javascript:alert(1)", "/", "javascript%3Aalert(1)"],
    ["/tmp/x.jsonl", "/", "file:///tmp/x.jsonl"],
    ["a\\b.jsonl", "/", "a%5Cb.jsonl"],
    ["a\\b.jsonl", "\\", "a/b.jsonl"],
    ["C:\\run one\\x.jsonl", "\\", "file:///C:/run%20one/x.jsonl"],
    ["\\\\server\\share\\x.jsonl", "\\", "file://server/share/x.jsonl"],
    ["\ud800\u0000.jsonl", "/", "%EF%BF%BD%00.jsonl"],
  ])("of %j (separator %s) is %s", (path, separator, uri) => {
    expect(artifactUri(path, separator)).toBe(uri);
  });
});
