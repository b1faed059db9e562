import { expect, test } from "vitest";
import { readDataUri } from "./data-uri.ts";

test("pictures and sounds that came along are shown, with what they are and how large", () => {
  expect(readDataUri("data:image/png;base64,aGVsbG8h")).toEqual({
    kind: "image",
    type: "image/png",
    source: "data:image/png;base64,aGVsbG8h",
    sizeBytes: 6,
  });
  expect(readDataUri(" DATA:Audio/MPEG;charset=utf-8;base64,aGk= ")?.source).toBe("data:audio/mpeg;base64,aGk=");
});

test("nothing is taken for a picture that could do more than be one, or would have to be fetched", () => {
  for (const text of [
    "https://example.com/a.png",
    "//example.com/a.png",
    "javascript:alert(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "data:image/png,raw",
    'data:image/png;base64,aGk=" onerror="alert(1)',
    "data:image/png;base64,",
    "",
  ]) {
    expect(readDataUri(text)).toBeUndefined();
  }
});
